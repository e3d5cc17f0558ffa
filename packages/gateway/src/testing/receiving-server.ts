import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { type IngestItem, ingestAnswer, ingestItem, ingestLimits } from '@benchwatch/contract/ingest'
import { z } from 'zod'

const batchBody = z.array(z.unknown()).max(ingestLimits.items)

/** Failure of the next request. */
export type Mishap =
  | { answer: number; headers?: Record<string, string>; body?: unknown }
  /** Stores the batch and drops the connection before answering. */
  | 'commits and drops'

export interface Received {
  at: number
  items: IngestItem[]
}

/**
 * Receives items as the contract demands, with a store in memory: it recognises ids, parks bad items, and can be made
 * to fail. It validates what it receives against the contract; a violation fails the test.
 */
export class ReceivingServer {
  readonly key = 'a-key-of-the-test'
  /** Stored items by id, in order of arrival. */
  readonly stored = new Map<string, IngestItem>()
  /** Valid batches, including repeats. */
  readonly batches: Received[] = []
  readonly violations: string[] = []
  duplicates = 0
  /** Total number of requests. */
  requests = 0
  /** Decides which items are parked. */
  parks: (item: IngestItem) => boolean = () => false
  /** Optional parts of items that it accepts; none, like an older server. */
  knows: string[] = []
  /** Larger batches are answered with 413. */
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

  /** Applies these failures to the next requests, one each. */
  next(...mishaps: Mishap[]): void {
    this.#mishaps.push(...mishaps)
  }

  /** Applies this failure to every request until called with null. */
  always(mishap: Mishap | null): void {
    this.#standing = mishap
  }

  /** Resolves when the condition holds; it is checked after each request. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#watchers.push(resolve))
  }

  /** Throws if the gateway has violated the contract. */
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

  /** Compares an item with the stored one: the content of an id never changes. */
  #compare(item: IngestItem, known: IngestItem | undefined): void {
    if (known && JSON.stringify(known) !== JSON.stringify(item)) this.violations.push(`${item.id} is used twice`)
  }

  #store(items: IngestItem[]) {
    this.batches.push({ at: Date.now(), items })
    for (const item of items) this.#compare(item, this.stored.get(item.id))
    const fresh = items.filter(({ id }) => !this.stored.has(id))
    for (const item of fresh) this.stored.set(item.id, item)
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
      ...(items.some(({ type }) => type === 'benchwatch.heartbeat') && { knows: this.knows }),
    })
  }
}

function answer(response: ServerResponse, { answer: status, headers, body = {} }: Exclude<Mishap, string>): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
