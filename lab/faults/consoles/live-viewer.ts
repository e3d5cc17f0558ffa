import { setTimeout as pause } from 'node:timers/promises'
import type { LiveMessage } from '@benchwatch/contract/live'
import { signIn } from '../product/fleet.ts'
import { type HttpClient, jsonOf } from '../product/http-client.ts'

/** A message with the time of its arrival. */
interface Arrival {
  at: number
  message: LiveMessage
}

/** The time that the console waits before it opens a connection again. */
const RECONNECT_MS = 1000

interface Options {
  client: HttpClient
  /** The first access token; without one the viewer signs in by itself. */
  token?: string
  /** Called for each message as it arrives. */
  onMessage?: (arrival: Arrival) => void
  reconnectMs?: number
}

/**
 * The live connection of a console that sees every customer. It reconnects with the last sequence number that it saw.
 */
export class LiveViewer {
  /** The time of the first creation message for each event id. */
  readonly created = new Map<string, number>()
  /** Event ids whose creation was announced more than once. */
  readonly repeated: string[] = []
  /** Counts sequence numbers that did not grow. */
  disordered = 0
  /** Counts how often the server answered that missed messages are no longer available one by one. */
  resyncs = 0
  connections = 0
  /** The close codes of connections, with their times. */
  readonly closings: { code: number; at: number }[] = []
  readonly #options: Options
  #socket: WebSocket | null = null
  #token: string | null = null
  #lastSeq: number | null = null
  #open = Promise.withResolvers<void>()
  #stopping = false
  #finished: Promise<void>

  constructor(options: Options) {
    this.#options = options
    this.#token = options.token ?? null
    this.#finished = this.#run()
  }

  /** Resolves when the connection that is being opened has received its greeting. */
  async opened(): Promise<void> {
    await this.#open.promise
  }

  /** The number of the last message seen. */
  get lastSeq(): number | null {
    return this.#lastSeq
  }

  /** Closes the connection; the viewer reconnects by itself. */
  drop(): void {
    this.#socket?.close()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    this.#socket?.close()
    await this.#finished
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const url = await this.#address()
      if (url !== null) await this.#connect(url)
      if (!this.#stopping) await pause(this.#options.reconnectMs ?? RECONNECT_MS)
    }
  }

  /** Returns the address with a fresh token, or null while the server gives none. */
  async #address(): Promise<string | null> {
    const { client } = this.#options
    try {
      this.#token ??= await signIn(client)
      const answer = await client.send({ method: 'POST', path: '/api/auth/live-token', token: this.#token })
      if (answer.status === 401) this.#token = null
      const { token } = jsonOf<{ token: string }>(answer)
      const after = this.#lastSeq === null ? '' : `&after=${this.#lastSeq}`
      return `${client.url.replace('http', 'ws')}/api/live?token=${token}${after}`
    } catch {
      return null
    }
  }

  async #connect(url: string): Promise<void> {
    const socket = new WebSocket(url)
    this.#socket = socket
    await new Promise<void>((resolve) => {
      socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data)) as LiveMessage))
      socket.addEventListener('close', ({ code }) => {
        this.closings.push({ code, at: Date.now() })
        resolve()
      })
      socket.addEventListener('error', () => undefined)
      if (this.#stopping) socket.close()
    })
    this.#open = Promise.withResolvers()
  }

  #take(message: LiveMessage): void {
    const at = Date.now()
    if (message.entity === 'hello') {
      this.connections += 1
      if (message.action === 'resync') this.resyncs += 1
      this.#lastSeq = message.seq
      this.#open.resolve()
      return
    }
    if (this.#lastSeq !== null && message.seq <= this.#lastSeq) this.disordered += 1
    this.#lastSeq = message.seq
    if (message.entity === 'alarm' && message.action === 'create') {
      const { id } = message.payload
      if (this.created.has(id)) this.repeated.push(id)
      else this.created.set(id, at)
    }
    this.#options.onMessage?.({ at, message })
  }
}
