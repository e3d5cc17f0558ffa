import { setTimeout as pause } from 'node:timers/promises'
import type { Ledger } from '../ledger/ledger.ts'
import type { RegisteredGateway } from '../product/fleet.ts'
import type { Answer, HttpClient } from '../product/http-client.ts'
import { GatewayItems } from './gateway-items.ts'
import { sendBatch, settle } from './gateway-load.ts'

export type Probed = 'list' | 'ingest' | 'ready' | 'health'

/** The requests that need the database. */
export const everything: readonly Probed[] = ['list', 'ingest', 'ready']

export interface ProbeAnswer extends Answer {
  of: Probed
}

interface Options {
  /** Its connections are its own, so that the load does not make a probe wait. */
  client: HttpClient
  token: string
  /** The gateway of the probe; nothing else sends for it. */
  gateway: RegisteredGateway
  ledger: Ledger
  everyMs: number
}

/** Sends the same four requests again and again, whether or not the earlier ones were answered. */
export class Probe {
  readonly answers: ProbeAnswer[] = []
  readonly #options: Options
  readonly #items: GatewayItems
  readonly #timer: NodeJS.Timeout
  readonly #inFlight = new Set<Promise<unknown>>()

  constructor(options: Options) {
    this.#options = options
    this.#items = new GatewayItems(options.gateway, options.ledger)
    this.#timer = setInterval(() => this.#round(), options.everyMs)
  }

  /** Returns the answers to requests that were sent from `from` on and before `to`. */
  between(from: number, to = Number.POSITIVE_INFINITY): ProbeAnswer[] {
    return this.answers.filter(({ startedAt }) => startedAt >= from && startedAt < to)
  }

  /** Waits until a request sent after `since` is answered 200. Returns the milliseconds from `since` until then. */
  async recovered(of: Probed, since: number, withinMs = 60_000): Promise<number> {
    for (let waited = 0; waited < withinMs; waited += 10) {
      const found = this.answers.find((one) => one.of === of && one.startedAt >= since && one.status === 200)
      if (found) return Math.round(found.startedAt + found.tookMs - since)
      await pause(10)
    }
    return Number.POSITIVE_INFINITY
  }

  /** Stops sending and waits for outstanding answers. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#inFlight)
  }

  #round(): void {
    const { client, token, gateway, ledger } = this.#options
    const item = this.#items.alarm()
    ledger.noteSending(gateway.name, [item.id])
    this.#note('ingest', sendBatch(client, { gateway: gateway.name, key: gateway.key, items: [item] }), (answer) =>
      settle(ledger, { gateway: gateway.name, ids: [item.id], answer }),
    )
    this.#note('list', client.send({ method: 'POST', path: '/api/alarms?limit=12', token, body: '{"filter":{}}' }))
    this.#note('ready', client.send({ method: 'GET', path: '/api/ready' }))
    this.#note('health', client.send({ method: 'GET', path: '/api/health' }))
  }

  #note(of: Probed, sent: Promise<Answer>, onStored?: (answer: Answer) => unknown): void {
    const noted = sent.then((answer) => {
      if (answer.status === 200) onStored?.(answer)
      this.answers.push({ ...answer, of })
      this.#inFlight.delete(noted)
    })
    this.#inFlight.add(noted)
  }
}

/** Formats answers for a verdict: `200: 12, 503: 3, ECONNREFUSED: 1`. */
export function outcomes(answers: readonly Answer[]): string {
  const times = new Map<string, number>()
  for (const { status, failure } of answers) {
    const outcome = String(status || failure)
    times.set(outcome, (times.get(outcome) ?? 0) + 1)
  }
  return [...times].map(([outcome, count]) => `${outcome}: ${count}`).join(', ') || 'none'
}

/** Tells whether an answer asks the caller to retry: 503 or 429 with Retry-After. */
export function asksForPatience({ status, retryAfterSeconds }: Answer): boolean {
  return (status === 503 || status === 429) && retryAfterSeconds !== null
}
