import { setTimeout as pause } from 'node:timers/promises'
import type { IngestAnswer } from '@benchwatch/contract/ingest'
import type { Ledger } from '../ledger/ledger.ts'
import type { RegisteredGateway } from '../product/fleet.ts'
import type { Answer, HttpClient } from '../product/http-client.ts'
import { GatewayItems, type QueuedItem } from './gateway-items.ts'

interface Delivered {
  gateway: string
  items: number
  answer: Answer
}

interface SimulatedOptions {
  client: HttpClient
  ledger: Ledger
  /** The most items in one request; the server accepts 500. */
  batchItems?: number
  onDelivery?: (delivered: Delivered) => void
}

/** A failed request is repeated after 100 to 200 ms: a real gateway waits longer, which would hide the server's speed. */
const RETRY_MS = 100

/** A gateway that keeps items in memory until they are acknowledged: oldest first, one request at a time. */
export class SimulatedGateway {
  readonly items: GatewayItems
  readonly name: string
  readonly #options: SimulatedOptions
  readonly #key: string
  readonly #queue: QueuedItem[] = []
  #wake: (() => void) | null = null
  #stopping = false
  #finished: Promise<void>

  constructor(gateway: RegisteredGateway, options: SimulatedOptions) {
    this.name = gateway.name
    this.#key = gateway.key
    this.#options = options
    this.items = new GatewayItems(gateway, options.ledger)
    this.#finished = this.#run()
  }

  push(...items: QueuedItem[]): void {
    for (const item of items) this.#queue.push(item)
    this.#wake?.()
  }

  get waiting(): number {
    return this.#queue.length
  }

  /** Stops after the request in flight; queued items stay unsent. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#wake?.()
    await this.#finished
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      if (this.#queue.length === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
        this.#wake = null
        continue
      }
      const batch = this.#queue.slice(0, this.#options.batchItems ?? 500)
      const answer = await this.#send(batch)
      if (answer.status === 200) this.#queue.splice(0, batch.length)
      else await pause(waitAfter(answer))
    }
  }

  async #send(batch: readonly QueuedItem[]): Promise<Answer> {
    const { client, ledger, onDelivery } = this.#options
    const ids = batch.map(({ id }) => id)
    ledger.noteSending(this.name, ids)
    const answer = await sendBatch(client, { gateway: this.name, key: this.#key, items: batch })
    onDelivery?.({ gateway: this.name, items: batch.length, answer })
    if (answer.status === 200) settle(ledger, { gateway: this.name, ids, answer })
    return answer
  }
}

/** Sends one batch in one request, without retries. */
export function sendBatch(
  client: HttpClient,
  { gateway, key, items }: { gateway: string; key: string; items: readonly QueuedItem[] },
): Promise<Answer> {
  return client.send({
    method: 'POST',
    path: `/api/ingest/v1/gateways/${gateway}/batches`,
    token: key,
    contentType: 'application/cloudevents-batch+json',
    body: `[${items.map(({ text }) => text).join(',')}]`,
  })
}

/** Notes what a 200 acknowledges: all items except the rejected ones. */
export function settle(
  ledger: Ledger,
  { gateway, ids, answer }: { gateway: string; ids: readonly string[]; answer: Answer },
): IngestAnswer {
  const content = JSON.parse(answer.body) as IngestAnswer
  const rejected = new Set(content.rejected.map(({ id }) => id))
  ledger.rejected += rejected.size
  ledger.noteAcknowledged(
    gateway,
    ids.filter((id) => !rejected.has(id)),
  )
  return content
}

function waitAfter({ retryAfterSeconds }: Answer): number {
  const asked = retryAfterSeconds === null ? 0 : retryAfterSeconds * 1000
  // A random part is added, so that the gateways do not all retry at the same moment.
  return Math.max(RETRY_MS, asked) + Math.random() * RETRY_MS
}

interface LoadOptions extends SimulatedOptions {
  gateways: readonly RegisteredGateway[]
  /** Items per second, of all gateways together. */
  perSecond: number
}

const TICK_MS = 100

/**
 * Gateways that report at a fixed rate whatever the server does, as instruments do. Nine in ten items are alarms that
 * make one event each; the rest are statuses and log lines.
 */
export class GatewayLoad {
  readonly gateways: SimulatedGateway[]
  readonly #perSecond: number
  readonly #began = Date.now()
  readonly #timer: NodeJS.Timeout
  #made = 0

  constructor({ gateways, perSecond, ...options }: LoadOptions) {
    this.gateways = gateways.map((gateway) => new SimulatedGateway(gateway, options))
    this.#perSecond = perSecond
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
  }

  get waiting(): number {
    return this.gateways.reduce((sum, { waiting }) => sum + waiting, 0)
  }

  /** Makes no more items; queued ones are still sent. */
  quiet(): void {
    clearInterval(this.#timer)
  }

  /**
   * Makes no more items, waits until all are acknowledged, and ends the gateways, so that nothing is stored while the
   * ledger is compared with the database. Returns how many are left after that time.
   */
  async drain(withinMs: number): Promise<number> {
    this.quiet()
    for (let waited = 0; this.waiting > 0 && waited < withinMs; waited += TICK_MS) await pause(TICK_MS)
    await this.stop()
    return this.waiting
  }

  async stop(): Promise<void> {
    this.quiet()
    await Promise.all(this.gateways.map((gateway) => gateway.stop()))
  }

  #tick(): void {
    const due = Math.floor(((Date.now() - this.#began) / 1000) * this.#perSecond)
    for (; this.#made < due; this.#made += 1) {
      const gateway = this.gateways[this.#made % this.gateways.length]
      if (!gateway) return
      const turn = Math.floor(this.#made / this.gateways.length) % 20
      const { items } = gateway
      gateway.push(turn === 7 ? items.status() : turn === 13 ? items.log() : items.alarm())
    }
  }
}
