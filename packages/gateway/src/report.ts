import type { IngestItemInput } from '@benchwatch/contract/ingest'

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
