import { DEMO_PASSWORD, people } from './people.ts'
import type { Product } from './product.ts'

/** The HTTP interface as one of the demo's people calls it, past the browser: to know or to set up what a journey looks at. */
export class Api {
  readonly #url: string
  readonly #token: string | undefined

  private constructor(url: string, token?: string) {
    this.#url = url
    this.#token = token
  }

  static async of(product: Product, who: keyof typeof people): Promise<Api> {
    const url = `${product.baseUrl}/api`
    const { accessToken } = await new Api(url).call<{ accessToken: string }>('POST', '/auth/sign-in', {
      userId: people[who],
      password: DEMO_PASSWORD,
    })
    return new Api(url, accessToken)
  }

  /** The parsed answer of a call; `path` goes on from /api. Throws what the server said when it is no success. */
  async call<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<T> {
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
}
