import type { IngestItemInput } from '@benchwatch/contract/ingest'
import type { Delivery } from './delivery.ts'

/**
 * The line between a gateway and the network. While it is cut nothing goes out, heartbeats included; what comes in
 * gathers in the outbox. A request that is under way breaks, so nobody knows whether it arrived, as on a real line.
 */
export class Line {
  #cutting = new AbortController()

  get isUp(): boolean {
    return !this.#cutting.signal.aborted
  }

  cut(): void {
    this.#cutting.abort()
  }

  restore(): void {
    if (!this.isUp) this.#cutting = new AbortController()
  }

  /** Sends over the line; `signal` ends the request as well. */
  carry(send: (signal: AbortSignal) => Promise<Delivery>, signal: AbortSignal): Promise<Delivery> {
    if (!this.isUp) return Promise.resolve({ kind: 'failed', reason: 'The line to the server is cut.' })
    return send(AbortSignal.any([signal, this.#cutting.signal]))
  }
}

/** Who counts an item, and as which number. */
interface Counted {
  /** Name of the gateway. */
  gateway: string
  epoch: string
  sequence: number
}

interface Told {
  type: string
  /** Installed product id; of a heartbeat the gateway itself. */
  subject: string
  time: Date
  data: object
}

type Reported<Item extends IngestItemInput> = Item extends unknown ? Pick<Item, 'type' | 'data'> : never

/** What a source tells about one instrument; the outbox gives it its id and its place. Times are the gateway's. */
export type Report = Reported<Exclude<IngestItemInput, { type: 'benchwatch.heartbeat' }>> & {
  /** Installed product id. */
  subject: string
  time: Date
}

/** Lanes in the order in which they are sent. Statuses: how things stand, which a later report replaces. */
export const lanes = ['alarms', 'statuses', 'logs'] as const
export type Lane = (typeof lanes)[number]

export function laneOf(type: Report['type']): Lane {
  switch (type) {
    case 'benchwatch.alarm.raised':
    case 'benchwatch.alarm.cleared':
      return 'alarms'
    case 'benchwatch.status.changed':
    case 'benchwatch.usage.sampled':
    case 'benchwatch.runtime.measured':
    case 'benchwatch.clients.changed':
      return 'statuses'
    case 'benchwatch.log.appended':
      return 'logs'
  }
}

/** An item of a batch as JSON text: a CloudEvent, wire 12. */
export function itemText({ gateway, epoch, sequence }: Counted, { type, subject, time, data }: Told): string {
  return JSON.stringify({
    specversion: '1.0',
    id: `${epoch}-${sequence}`,
    source: `/gateways/${gateway}`,
    type,
    subject,
    time: time.toISOString(),
    sequence,
    data,
  })
}
