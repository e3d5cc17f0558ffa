import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { type IngestItem, ingestAnswer, ingestItem, ingestLimits } from '@benchwatch/contract/ingest'
import { z } from 'zod'

const batchBody = z.array(z.unknown()).max(ingestLimits.items)

/** What the server does with the next request instead of taking it. */
export type Mishap =
  | { answer: number; headers?: Record<string, string>; body?: unknown }
  /** Stores the batch and breaks the connection before the answer. */
  | 'commits and drops'

export interface Received {
  at: number
  items: IngestItem[]
}

/**
 * The server's end of ingest as the contract has it, with a store in memory: knows each id, parks bad items, and can be
 * told to fail. What it is sent is checked against the contract; a violation makes the test that asks for it fail.
 */
export class ReceivingServer {
  readonly key = 'a-key-of-the-test'
  /** Stored items by id, in the order of their arrival. */
  readonly stored = new Map<string, IngestItem>()
  /** Batches that were understood, repeats included. */
  readonly batches: Received[] = []
  readonly violations: string[] = []
  duplicates = 0
  /** Requests altogether. */
  requests = 0
  /** Ids that are parked. */
  parks: (item: IngestItem) => boolean = () => false
  /** Batches with more items are answered 413. */
  mostItems = Number.POSITIVE_INFINITY
  readonly #mishaps: Mishap[] = []
  #standing: Mishap | null = null
  #watchers: (() => void)[] = []
  readonly #server = createServer((request, response) => {
    this.#take(request, response).catch((error: unknown) => {
      this.violations.push(String(error))
      response.destroy()
    })
  })

  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
    return this.url()
  }

  url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** The next requests meet these, one each. */
  next(...mishaps: Mishap[]): void {
    this.#mishaps.push(...mishaps)
  }

  /** Every request meets this until it is called with null. */
  always(mishap: Mishap | null): void {
    this.#standing = mishap
  }

  /** Resolves as soon as the condition holds; looked at after each request. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#watchers.push(resolve))
  }

  /** Throws when the gateway has sent what the contract forbids. */
  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
    if (this.violations.length > 0) throw new Error(`The gateway broke the contract: ${this.violations.join('; ')}`)
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const sent = Buffer.concat(chunks)
    this.requests++
    const mishap = this.#mishaps.shift() ?? this.#standing
    if (mishap && mishap !== 'commits and drops') {
      answer(response, mishap)
    } else {
      this.#check(request, sent)
      const batch = batchBody.parse(JSON.parse(gunzipSync(sent).toString('utf8')))
      if (batch.length > this.mostItems) answer(response, { answer: 413 })
      else {
        const body = this.#store(batch.map((item) => ingestItem.parse(item)))
        if (mishap === 'commits and drops') response.destroy()
        else answer(response, { answer: 200, body })
      }
    }
    for (const watcher of this.#watchers.splice(0)) watcher()
  }

  #check(request: IncomingMessage, sent: Buffer): void {
    const { headers, method, url } = request
    if (method !== 'POST' || !/^\/api\/ingest\/v1\/gateways\/[^/]+\/batches$/.test(url ?? ''))
      this.violations.push(`${method} ${url}`)
    if (headers.authorization !== `Bearer ${this.key}`) this.violations.push(`key ${headers.authorization}`)
    if (headers['content-type'] !== 'application/cloudevents-batch+json')
      this.violations.push(`content type ${headers['content-type']}`)
    if (headers['content-encoding'] !== 'gzip') this.violations.push(`encoding ${headers['content-encoding']}`)
    if (sent.length > ingestLimits.sentBytes) this.violations.push(`${sent.length} bytes in one batch`)
  }

  /** An id is for ever: what comes under it again must be the same. */
  #compare(item: IngestItem, known: IngestItem | undefined): void {
    if (known && JSON.stringify(known) !== JSON.stringify(item)) this.violations.push(`${item.id} is used twice`)
  }

  #store(items: IngestItem[]) {
    this.batches.push({ at: Date.now(), items })
    for (const item of items) this.#compare(item, this.stored.get(item.id))
    const fresh = items.filter(({ id }) => !this.stored.has(id))
    for (const item of items) this.stored.set(item.id, item)
    this.duplicates += items.length - fresh.length
    const parked = fresh.filter((item) => this.parks(item))
    return ingestAnswer.parse({
      accepted: fresh.length - parked.length,
      duplicates: items.length - fresh.length,
      rejected: parked.map(({ id }) => ({
        id,
        code: 'unknown-instrument',
        reason: 'This instrument is not registered.',
      })),
      ackSequence: items.reduce((last, { sequence }) => Math.max(last, sequence), 0),
    })
  }
}

function answer(response: ServerResponse, { answer: status, headers, body = {} }: Exclude<Mishap, string>): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
