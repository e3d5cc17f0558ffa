import { Api } from './api.ts'
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
  const api = await Api.of(product, 'admin')
  for (let offset = 0; ; offset += 100) {
    const { values } = await api.call<{ values: { key: string; gateway: string | null }[] }>(
      'GET',
      `/registry/v1/instruments?limit=100&offset=${offset}`,
    )
    const instrument = values.find((one) => one.gateway === gateway)
    if (instrument) return instrument.key
    if (values.length === 0) throw new Error(`No instrument behind ${gateway}`)
  }
}
