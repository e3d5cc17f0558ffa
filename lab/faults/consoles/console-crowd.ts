import type { LiveMessage } from '@benchwatch/contract/live'
import { WebSocket } from 'ws'
import { type HttpClient, jsonOf } from '../product/http-client.ts'

/** The waiting times of the console: packages/client/src/live-messages.ts. */
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000
const OPEN_WITHIN_MS = 15_000
const PING_EVERY_MS = 10_000
const PONG_WITHIN_MS = 5000

interface Options {
  client: HttpClient
  /** Access tokens of the sessions that the consoles share; console n has the token n, from the first again. */
  tokens: readonly string[]
}

/** Many consoles, and the answers and messages that all of them received. */
export class ConsoleCrowd {
  readonly members: CrowdMember[]
  /**
   * Refused requests for a token and refused openings of a connection, with their status; 0 means that there was no
   * answer.
   */
  readonly refusals: { at: number; status: number; console: number }[] = []

  constructor(count: number, options: Options) {
    this.members = Array.from({ length: count }, (_, at) => new CrowdMember({ ...options, at, crowd: this }))
  }

  get open(): number {
    return this.members.reduce((sum, { isOpen }) => sum + (isOpen ? 1 : 0), 0)
  }

  /** Opens the connections, `atOnce` at a time. */
  async gather(atOnce: number): Promise<void> {
    for (let from = 0; from < this.members.length; from += atOnce) {
      await Promise.all(this.members.slice(from, from + atOnce).map((member) => member.begin()))
    }
  }

  /** Breaks every connection at once, without a closing handshake. */
  drop(): void {
    for (const member of this.members) member.drop()
  }

  stop(): void {
    for (const member of this.members) member.stop()
  }
}

/** One console's live connection, small enough for two thousand of them in one process. */
class CrowdMember {
  readonly seen = new Set<string>()
  /** Numbers of the messages that it received. */
  readonly heard: number[] = []
  /** The number that the first connection began with. */
  beganAfter: number | null = null
  /** Reads of everything in place of missed messages, which were those behind `after` up to `last`. */
  readonly reloads: { after: number; last: number }[] = []
  isOpen = false
  /** The times from the loss of a connection to the next one. */
  readonly absences: { from: number; ms: number }[] = []
  /** Creations that were announced twice, and sequence numbers that did not grow. */
  wrong = 0
  readonly #options: Options & { at: number; crowd: ConsoleCrowd }
  #socket: WebSocket | null = null
  #lastSeq: number | null = null
  #lostAt: number | null = null
  #failures = 0
  #stopping = false
  #opened = Promise.withResolvers<void>()
  #opening: NodeJS.Timeout | undefined
  #beat: NodeJS.Timeout | undefined
  #deadline: NodeJS.Timeout | undefined

  constructor(options: Options & { at: number; crowd: ConsoleCrowd }) {
    this.#options = options
  }

  begin(): Promise<void> {
    void this.#connect()
    return this.#opened.promise
  }

  drop(): void {
    this.#socket?.terminate()
  }

  stop(): void {
    this.#stopping = true
    this.#leave()
  }

  async #connect(): Promise<void> {
    const { client, tokens, at, crowd } = this.#options
    this.#opening = setTimeout(() => this.#lose(), OPEN_WITHIN_MS)
    const token = tokens[at % tokens.length] ?? ''
    const answer = await client.send({ method: 'POST', path: '/api/auth/live-token', token })
    if (this.#stopping) return
    if (answer.status !== 200) {
      crowd.refusals.push({ at: Date.now(), status: answer.status, console: at })
      this.#lose()
      return
    }
    const live = jsonOf<{ token: string }>(answer).token
    const after = this.#lastSeq === null ? '' : `&after=${this.#lastSeq}`
    const socket = new WebSocket(`${client.url.replace('http', 'ws')}/api/live?token=${live}${after}`, {
      perMessageDeflate: false,
    })
    this.#socket = socket
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      crowd.refusals.push({ at: Date.now(), status: statusCode, console: at })
      socket.terminate()
    })
    socket.on('error', () => undefined)
    socket.on('message', (data: Buffer) => socket === this.#socket && this.#hear(data.toString()))
    socket.on('close', () => socket === this.#socket && this.#lose())
  }

  #hear(text: string): void {
    clearTimeout(this.#deadline)
    if (text === 'pong') return
    const message = JSON.parse(text) as LiveMessage
    if (message.entity === 'hello') {
      clearTimeout(this.#opening)
      this.#failures = 0
      if (message.action === 'resync') this.reloads.push({ after: this.#lastSeq ?? 0, last: message.seq })
      this.#lastSeq = message.seq
      this.beganAfter ??= message.seq
      if (this.#lostAt !== null) this.absences.push({ from: this.#lostAt, ms: Date.now() - this.#lostAt })
      this.#lostAt = null
      this.isOpen = true
      this.#opened.resolve()
      this.#beat = setInterval(() => this.#ping(), PING_EVERY_MS)
      return
    }
    if (this.#lastSeq !== null && message.seq <= this.#lastSeq) this.wrong += 1
    this.#lastSeq = message.seq
    this.heard.push(message.seq)
    if (message.entity !== 'alarm' || message.action !== 'create') return
    if (this.seen.has(message.payload.id)) this.wrong += 1
    this.seen.add(message.payload.id)
  }

  #ping(): void {
    this.#socket?.send('ping')
    clearTimeout(this.#deadline)
    this.#deadline = setTimeout(() => this.#lose(), PONG_WITHIN_MS)
  }

  #lose(): void {
    if (this.isOpen) this.#lostAt = Date.now()
    this.#leave()
    if (this.#stopping) return
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS)
    const pause = this.#failures === 0 ? FIRST_PAUSE_MS : longest * (0.5 + Math.random() / 2)
    this.#failures += 1
    setTimeout(() => !this.#stopping && void this.#connect(), pause)
  }

  #leave(): void {
    this.isOpen = false
    clearTimeout(this.#opening)
    clearTimeout(this.#deadline)
    clearInterval(this.#beat)
    const socket = this.#socket
    this.#socket = null
    socket?.terminate()
  }
}
