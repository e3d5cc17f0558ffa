import { Api } from './api.ts'
import type { Product } from './product.ts'

/** An instrument behind a gateway of the demo fleet, by its installed product id. */
export async function instrumentBehind(product: Product, gateway: string): Promise<string> {
  const api = await Api.of(product, 'admin')
  for (let offset = 0; ; offset += 100) {
    const { values } = await api.call<{ values: { key: string; gateway: string | null }[] }>(
      'GET',
      `/registry/v1/instruments?limit=100&offset=${offset}`,
    )
    const found = values.find((instrument) => instrument.gateway === gateway)
    if (found) return found.key
    if (values.length === 0) throw new Error(`No instrument behind ${gateway}`)
  }
}
