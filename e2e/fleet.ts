import { DEMO_PASSWORD, people } from './people.ts'
import type { Product } from './product.ts'

/** An instrument behind a gateway of the demo fleet, by its installed product id. */
export async function instrumentBehind(product: Product, gateway: string): Promise<string> {
  const signedIn = await fetch(`${product.baseUrl}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId: people.admin, password: DEMO_PASSWORD }),
  })
  const { accessToken } = (await signedIn.json()) as { accessToken: string }
  for (let offset = 0; ; offset += 100) {
    const page = await fetch(`${product.baseUrl}/api/registry/v1/instruments?limit=100&offset=${offset}`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    const { values } = (await page.json()) as { values: { key: string; gateway: string | null }[] }
    const found = values.find((instrument) => instrument.gateway === gateway)
    if (found) return found.key
    if (values.length === 0) throw new Error(`No instrument behind ${gateway}`)
  }
}
