import type { IngestItemInput } from '@benchwatch/contract/ingest'
import type { Delivery } from './delivery.ts'

/**
 * The connection between a gateway and the network. While it is cut, nothing is sent, heartbeats included, and the
 * outbox collects the items. An in-flight request breaks, so it is unknown whether it arrived, as on a real
 * connection.
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

  /** Sends over the connection; `signal` also aborts the request. */
  carry(send: (signal: AbortSignal) => Promise<Delivery>, signal: AbortSignal): Promise<Delivery> {
    if (!this.isUp) return Promise.resolve({ kind: 'failed', reason: 'The connection to the server is cut.' })
    return send(AbortSignal.any([signal, this.#cutting.signal]))
  }
}

/** The origin of an item: gateway, epoch and sequence number. */
interface Origin {
  gateway: string
  epoch: string
  sequence: number
}

interface ItemInput {
  type: string
  /** Installed product id; for a heartbeat, the name of the gateway. */
  subject: string
  time: Date
  data: object
}

type Reported<Item extends IngestItemInput> = Item extends unknown ? Pick<Item, 'type' | 'data'> : never

/** A report about one instrument; the outbox adds its id and sequence. `time` comes from the gateway's clock. */
export type Report = Reported<Exclude<IngestItemInput, { type: 'benchwatch.heartbeat' }>> & {
  subject: string
  time: Date
}

export type LogReport = Extract<Report, { type: 'benchwatch.log.appended' }>
export type StatusReport = Extract<Report, { type: 'benchwatch.status.changed' }>

/** Cuts a text to its greatest length, and replaces what the database can't hold. */
export function clip(text: string, max: number): string {
  const sound = text.replaceAll('\u0000', '\ufffd').toWellFormed()
  return sound.length <= max ? sound : `${sound.slice(0, max - 1).toWellFormed()}…`
}

/** Lanes in the order in which they are sent. Statuses hold current values, which a later report replaces. */
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

/** Returns an item of a batch as JSON text: a CloudEvent (wire 12). */
export function itemText({ gateway, epoch, sequence }: Origin, { type, subject, time, data }: ItemInput): string {
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

const optionalParts = ['at', 'run'] as const

/** Returns a status without the optional parts that the server does not know and would park the item for. */
export function withKnownParts(item: string, known: ReadonlySet<string>): string {
  const unknown = optionalParts.filter((part) => !known.has(part) && item.includes(`"${part}":`))
  if (unknown.length === 0) return item
  const parsed = JSON.parse(item) as { type: string; data: { at?: string; run?: string } }
  if (parsed.type !== ('benchwatch.status.changed' satisfies Report['type'])) return item
  for (const part of unknown) delete parsed.data[part]
  return JSON.stringify(parsed)
}
