import { setTimeout as pause } from 'node:timers/promises'
import type { Ledger } from '../ledger/ledger.ts'
import type { RegisteredGateway } from '../product/fleet.ts'
import type { Answer, HttpClient } from '../product/http-client.ts'
import { GatewayItems, type QueuedItem } from './gateway-items.ts'
import { sendBatch, settle } from './gateway-load.ts'

/** Kinds of requests, in the order in which the server may refuse them: the first one last. */
export const trafficKinds = ['ingest', 'claim', 'list'] as const
export type TrafficKind = (typeof trafficKinds)[number]

export interface TrafficAnswer extends Answer {
  kind: TrafficKind
  /** Items that this request was the first to get acknowledged. */
  items: number
}

interface TrafficOptions {
  client: HttpClient
  token: string
  /** The id of the user of the token, who claims the events. */
  me: string
  ledger: Ledger
  gateways: readonly RegisteredGateway[]
  batchItems: number
  /** Unclaimed events, as the live connection announces them. */
  unclaimed: string[]
}

interface WaitingBatch {
  gateway: RegisteredGateway
  items: QueuedItem[]
}

/** Sends batches of gateways, claims, and lists of a week, as fast as the caller wants. */
export class Traffic {
  readonly answers: TrafficAnswer[] = []
  readonly #options: TrafficOptions
  readonly #outboxes: GatewayItems[]
  /** Refused batches, oldest first; gateways send them again before anything new. */
  readonly #refused: WaitingBatch[] = []
  #turn = 0

  constructor(options: TrafficOptions) {
    this.#options = options
    this.#outboxes = options.gateways.map((gateway) => new GatewayItems(gateway, options.ledger))
  }

  between(from: number, to: number, kind?: TrafficKind): TrafficAnswer[] {
    return this.answers.filter(
      (answer) => answer.startedAt >= from && answer.startedAt < to && (kind === undefined || answer.kind === kind),
    )
  }

  /** Returns the rate of 200s in a span of time, per second: events for ingest, requests for the other kinds. */
  rate(kind: TrafficKind, { from, to }: { from: number; to: number }): number {
    let done = 0
    for (const { kind: of, status, startedAt, tookMs, items } of this.answers) {
      const at = startedAt + tookMs
      if (of === kind && status === 200 && at >= from && at < to) done += kind === 'ingest' ? items : 1
    }
    return done / ((to - from) / 1000)
  }

  /** Runs a number of callers of each kind; each sends its next request as soon as the last one is answered. */
  async closedLoop(callers: Record<TrafficKind, number>, seconds: number): Promise<void> {
    const until = Date.now() + seconds * 1000
    const call = async (kind: TrafficKind) => {
      while (Date.now() < until) {
        const answer = await this.send(kind)
        if (answer.status !== 200) await pause(50)
      }
    }
    await Promise.all(trafficKinds.flatMap((kind) => Array.from({ length: callers[kind] }, () => call(kind))))
  }

  /**
   * Sends requests at fixed rates, whatever the answers are. At most `mostInFlight` of a kind are in flight at once, as
   * many as there are connections. Returns how many could not be sent for that reason.
   */
  async openLoop(
    perSecond: Record<TrafficKind, number>,
    { seconds, mostInFlight }: { seconds: number; mostInFlight: number },
  ): Promise<number> {
    const began = Date.now()
    const made = { ingest: 0, claim: 0, list: 0 }
    const inFlight = { ingest: 0, claim: 0, list: 0 }
    let unsent = 0
    const sent: Promise<unknown>[] = []
    while (Date.now() < began + seconds * 1000) {
      const elapsed = (Date.now() - began) / 1000
      for (const kind of trafficKinds) {
        for (; made[kind] < elapsed * perSecond[kind]; made[kind] += 1) {
          if (inFlight[kind] >= mostInFlight) {
            unsent += 1
            continue
          }
          inFlight[kind] += 1
          sent.push(
            this.send(kind).then(() => {
              inFlight[kind] -= 1
            }),
          )
        }
      }
      await pause(10)
    }
    await Promise.all(sent)
    return unsent
  }

  async send(kind: TrafficKind): Promise<TrafficAnswer> {
    switch (kind) {
      case 'ingest':
        return this.#note(kind, await this.#ingest())
      case 'claim':
        return this.#note(kind, { answer: await this.#claim(), items: 0 })
      case 'list':
        return this.#note(kind, { answer: await this.#list(), items: 0 })
    }
  }

  #note(kind: TrafficKind, { answer, items }: { answer: Answer; items: number }): TrafficAnswer {
    const noted = { ...answer, body: '', kind, items }
    this.answers.push(noted)
    return noted
  }

  async #ingest(): Promise<{ answer: Answer; items: number }> {
    const { client, ledger } = this.#options
    const batch = this.#refused.shift() ?? this.#newBatch()
    const ids = batch.items.map(({ id }) => id)
    ledger.noteSending(batch.gateway.name, ids)
    const answer = await sendBatch(client, { gateway: batch.gateway.name, key: batch.gateway.key, items: batch.items })
    if (answer.status !== 200) {
      this.#refused.push(batch)
      return { answer, items: 0 }
    }
    return { answer, items: settle(ledger, { gateway: batch.gateway.name, ids, answer }).accepted }
  }

  #newBatch(): WaitingBatch {
    const outbox = this.#outboxes[this.#turn % this.#outboxes.length]
    if (!outbox) throw new Error('No gateway was registered.')
    this.#turn += 1
    return { gateway: outbox.gateway, items: Array.from({ length: this.#options.batchItems }, () => outbox.alarm()) }
  }

  async #claim(): Promise<Answer> {
    const { client, token, me, unclaimed } = this.#options
    const id = unclaimed.pop()
    // With nothing to claim, a user would look at the events again.
    if (id === undefined) return await this.#list()
    const answer = await client.send({
      method: 'PUT',
      path: `/api/alarms/${id}`,
      token,
      body: JSON.stringify({ claimedBy: me }),
    })
    if (answer.status !== 200) unclaimed.push(id)
    return answer
  }

  #list(): Promise<Answer> {
    const { client, token } = this.#options
    const start = new Date(Date.now() - 7 * 86_400_000).toISOString()
    return client.send({
      method: 'POST',
      path: `/api/alarms?limit=12&start=${start}`,
      token,
      body: '{"filter":{"severity":["high","medium"]}}',
    })
  }
}
