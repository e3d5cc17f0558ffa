import { type Client, createClient } from '@benchwatch/client/client'
import { passwordCredentials } from '@benchwatch/client/password-credentials'
import { DEMO_PASSWORD, people } from './people.ts'
import type { Product } from './product.ts'

type Person = keyof typeof people

/** The clients of each product: signing in hashes a password, which takes longer than most calls. */
const clients = new WeakMap<Product, Map<Person, Client>>()

/** Calls the API as a demo user, without the browser, to prepare or check what a journey sees. */
export function apiOf(product: Product, who: Person): Client {
  const known = clients.get(product) ?? new Map<Person, Client>()
  clients.set(product, known)
  const url = product.baseUrl
  const credentials = passwordCredentials(url, { userId: people[who], password: DEMO_PASSWORD })
  const client = known.get(who) ?? createClient({ url, credentials, retries: 0 })
  known.set(who, client)
  return client
}
