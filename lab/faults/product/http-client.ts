import { Agent, request } from 'node:http'

/** The outcome of one request. Status 0 means that there was no answer, and `failure` says why. */
export interface Answer {
  status: number
  retryAfterSeconds: number | null
  body: string
  startedAt: number
  tookMs: number
  failure: string | null
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT'
  /** The path, beginning with /api. */
  path: string
  token?: string
  contentType?: string
  contentEncoding?: string
  body?: string | Buffer
  headers?: Record<string, string>
}

/** Longer than any answer may take, so that a hanging request is detected. */
const PATIENCE_MS = 20_000

/**
 * Sends requests to one server over kept connections. It never throws, because a fault has to know what happened. fetch
 * is not used because it hides how many connections it opens.
 */
export class HttpClient {
  readonly url: string
  readonly #agent: Agent
  readonly #patienceMs: number

  /** `localAddress` is the address that the requests come from, such as 127.0.0.9. */
  constructor(
    url: string,
    {
      connections = 64,
      patienceMs = PATIENCE_MS,
      localAddress,
    }: { connections?: number; patienceMs?: number; localAddress?: string } = {},
  ) {
    this.url = url
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: connections,
      ...(localAddress !== undefined && { localAddress }),
    })
    this.#patienceMs = patienceMs
  }

  send({ method, path, token, contentType, contentEncoding, body, headers }: Call): Promise<Answer> {
    const startedAt = Date.now()
    const began = performance.now()
    return new Promise((resolve) => {
      let isOver = false
      const finish = (result: Partial<Answer>) => {
        if (isOver) return
        isOver = true
        clearTimeout(patience)
        resolve({
          status: 0,
          retryAfterSeconds: null,
          body: '',
          failure: null,
          ...result,
          startedAt,
          tookMs: performance.now() - began,
        })
      }
      const outgoing = request(
        `${this.url}${path}`,
        {
          method,
          agent: this.#agent,
          headers: {
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
            ...(body !== undefined && {
              'content-type': contentType ?? 'application/json',
              'content-length': Buffer.byteLength(body),
            }),
            ...(contentEncoding !== undefined && { 'content-encoding': contentEncoding }),
            ...headers,
          },
        },
        (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', (error: NodeJS.ErrnoException) => finish({ failure: error.code ?? error.message }))
          incoming.on('end', () => {
            const retryAfter = incoming.headers['retry-after']
            finish({
              status: incoming.statusCode ?? 0,
              retryAfterSeconds: retryAfter === undefined ? null : Number(retryAfter),
              body: Buffer.concat(chunks).toString(),
            })
          })
        },
      )
      const patience = setTimeout(() => {
        finish({ failure: 'no answer' })
        outgoing.destroy()
      }, this.#patienceMs)
      outgoing.on('error', (error: NodeJS.ErrnoException) => finish({ failure: error.code ?? error.message }))
      outgoing.end(body)
    })
  }

  /** Drops kept connections. */
  close(): void {
    this.#agent.destroy()
  }
}

/** Returns the JSON of an answer; throws a sentence unless its status is expected. */
export function jsonOf<T>(answer: Answer, expected: readonly number[] = [200, 201]): T {
  if (!expected.includes(answer.status)) {
    throw new Error(`The server answered ${answer.status || answer.failure}: ${answer.body.slice(0, 300)}`)
  }
  return JSON.parse(answer.body) as T
}
