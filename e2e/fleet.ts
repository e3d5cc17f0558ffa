import { each } from '@benchwatch/client/paging'
import { apiOf } from './api.ts'
import type { Product } from './product.ts'

/** The answers so far: the demo fleet stays as it is. */
const found = new WeakMap<Product, Map<string, Promise<string>>>()

/** An instrument behind a gateway of the demo fleet, by its installed product id. */
export function instrumentBehind(product: Product, gateway: string): Promise<string> {
  const known = found.get(product) ?? new Map<string, Promise<string>>()
  found.set(product, known)
  const instrument = known.get(gateway) ?? findBehind(product, gateway)
  known.set(gateway, instrument)
  return instrument
}

async function findBehind(product: Product, gateway: string): Promise<string> {
  for await (const { key, gateway: its } of each(apiOf(product, 'admin'), 'listRegisteredInstruments', {})) {
    if (its === gateway) return key
  }
  throw new Error(`No instrument behind ${gateway}`)
}
