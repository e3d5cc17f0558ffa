import { DEMO_PASSWORD, people } from './people.ts'
import type { Product } from './product.ts'

type Person = keyof typeof people

/** The signed-in callers of each product: signing in hashes a password, which takes longer than most calls. */
const callers = new WeakMap<Product, Map<Person, Promise<Api>>>()

/** The HTTP interface as one of the demo's people calls it, past the browser: to know or to set up what a journey looks at. */
export class Api {
  readonly #url: string
  #token: string | undefined
  readonly #person: Person

  private constructor(url: string, person: Person) {
    this.#url = url
    this.#person = person
  }

  static of(product: Product, who: Person): Promise<Api> {
    const known = callers.get(product) ?? new Map<Person, Promise<Api>>()
    callers.set(product, known)
    const api = known.get(who) ?? Api.#signedIn(product, who)
    known.set(who, api)
    return api
  }

  static async #signedIn(product: Product, who: Person): Promise<Api> {
    const api = new Api(`${product.baseUrl}/api`, who)
    await api.#signIn(who)
    return api
  }

  async #signIn(who: Person): Promise<void> {
    this.#token = undefined
    const { accessToken } = await this.call<{ accessToken: string }>('POST', '/auth/sign-in', {
      userId: people[who],
      password: DEMO_PASSWORD,
    })
    this.#token = accessToken
  }

  /** The parsed answer of a call; `path` goes on from /api. Throws what the server said when it is no success. */
  async call<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<T> {
    const answer = await this.ask(method, path, body)
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }

  /** The answer of a call, whichever it is. Signs in again if a journey has ended the session. */
  async ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Response> {
    const send = () =>
      fetch(`${this.#url}${path}`, {
        method,
        headers: {
          ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    const answer = await send()
    // Without a token this is the sign-in itself.
    if (answer.status !== 401 || this.#token === undefined) return answer
    await this.#signIn(this.#person)
    return send()
  }
}
