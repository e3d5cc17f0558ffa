import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** An answer; `text` is the body. */
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** An answer that is not a success; the message contains all of it. */
export class RefusedError extends Error {
  readonly status: number

  constructor({ status, text }: Answer, asked: string) {
    super(`${asked} was answered ${status}: ${text}`)
    this.status = status
  }
}

/**
 * A client of the product's HTTP API that keeps its connections, as browsers and gateways do. It uses node:http,
 * because fetch costs half a millisecond more per request, which would count as the product's.
 */
export interface ApiClient {
  baseUrl: string
  /** Sends JSON (or a text as it is) and returns the answer, whatever its status. */
  send(method: string, path: string, body?: unknown): Promise<Answer>
  /** Sends like `send`, and throws RefusedError unless the answer is a success. Returns the parsed body. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  close(): void
}

interface ClientOptions {
  baseUrl: string
  /** Access token or gateway key. */
  bearer?: string
  connections?: number
  contentType?: string
}

export function apiClient({
  baseUrl,
  bearer,
  connections = 64,
  contentType = 'application/json',
}: ClientOptions): ApiClient {
  const { hostname, port } = new URL(baseUrl)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send = (method: string, path: string, body?: unknown) =>
    new Promise<Answer>((resolve, reject) => {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      const sent = request(
        {
          ...{ agent, hostname, port, method, path },
          headers: {
            ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
            ...(text !== undefined && { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }),
          },
        },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              text: Buffer.concat(chunks).toString(),
            }),
          )
        },
      )
      sent.on('error', reject)
      sent.end(text)
    })
  return {
    baseUrl,
    send,
    async call<T>(method: string, path: string, body?: unknown): Promise<T> {
      const answer = await send(method, path, body)
      if (answer.status >= 300) throw new RefusedError(answer, `${method} ${path}`)
      return JSON.parse(answer.text) as T
    },
    close: () => agent.destroy(),
  }
}

/** Signs in and returns a client with the access token, which is valid for an hour. */
export async function signedIn(baseUrl: string, who: { login: string; password: string }): Promise<ApiClient> {
  const stranger = apiClient({ baseUrl, connections: 1 })
  const { accessToken } = await stranger.call<{ accessToken: string }>('POST', '/api/auth/sign-in', {
    userId: who.login,
    password: who.password,
  })
  stranger.close()
  return apiClient({ baseUrl, bearer: accessToken })
}
