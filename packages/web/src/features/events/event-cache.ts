import type { EventTotals, ServiceEvent } from '@benchwatch/contract/events/events'
import type { AlarmMessage, InstrumentMessage } from '@benchwatch/contract/live'
import type { InstrumentStatus } from '@benchwatch/contract/vocabulary'

/**
 * Applies changes to rows that are already on the screen. Rows never move under the user's pointer; the next load
 * sorts them again. Functions return the same object if nothing changed, so React repaints only changed rows.
 */

/** `removed`: deleted on the server since the page was loaded. The row stays, marked, until the next load. */
export interface ListedServiceEvent {
  alarm: ServiceEvent
  removed?: boolean
}

/** Events, in any order. */
export interface EventRows {
  values: ListedServiceEvent[]
}

/** How a search was answered; contract/events/events.ts. */
export interface Searched {
  asOf: string | null
  isDegraded: boolean
}

export interface EventPage extends EventRows, Searched {
  total: EventTotals
}

/** Totals of a search with the moment they are of. */
export type SearchedTotals = EventTotals & Searched

export function totalsOf({ total, asOf, isDegraded }: Pick<EventPage, 'total' | keyof Searched>): SearchedTotals {
  return { ...total, asOf, isDegraded }
}

/**
 * `requestedAt`: the time of the request by this machine, in milliseconds since the epoch. Later changes may be missing.
 */
export type LoadedPage = EventPage & { requestedAt: number }

export type AlarmUpdate = Extract<AlarmMessage, { action: 'update' }>
export type AlarmCreation = Extract<AlarmMessage, { action: 'create' }>

/**
 * Applies one changed property to its event. Messages of one change share a version, so an equal version is applied
 * too; only an older one is dropped.
 */
export function patchEvent(event: ServiceEvent, update: AlarmUpdate): ServiceEvent {
  const { id, version, eventId: _name, instrumentInstalledProductId: _instrument, ...changed } = update.payload
  if (event.id !== id || version < event.version) return event
  return { ...event, ...changed, version }
}

/** Replaces an older copy with a whole event, but keeps fields that lists omit if the copy has them. */
export function newerEvent(known: ServiceEvent, event: ServiceEvent): ServiceEvent {
  return known.id === event.id && event.version >= known.version ? { ...known, ...event } : known
}

export function patchInstrument(event: ServiceEvent, update: InstrumentMessage): ServiceEvent {
  if (update.property !== 'instrumentStatus') return event
  const { instrumentInstalledProductId, instrumentStatus } = update.payload
  return patchStatus(event, { [instrumentInstalledProductId]: instrumentStatus })
}

/**
 * Updates current instrument statuses, by installed product id. An event without a status keeps none: a gateway has
 * none, and the status of an instrument that has moved belongs to its new customer.
 */
export function patchStatus(event: ServiceEvent, statuses: Readonly<Record<string, InstrumentStatus>>): ServiceEvent {
  const id = event.instrumentInstalledProductId
  const status = Object.hasOwn(statuses, id) ? statuses[id] : undefined
  if (status === undefined || event.instrumentStatus === null || event.instrumentStatus === status) return event
  return { ...event, instrumentStatus: status }
}

/** Applies `change` to every row; returns the same page if no row changed. */
export function mapPage<P extends EventRows>(page: P, change: (event: ServiceEvent) => ServiceEvent): P {
  let isChanged = false
  const values = page.values.map((row) => {
    const alarm = change(row.alarm)
    if (alarm === row.alarm) return row
    isChanged = true
    return { ...row, alarm }
  })
  return isChanged ? { ...page, values } : page
}

export function markRemoved<P extends EventRows>(page: P, id: string): P {
  if (!page.values.some((row) => row.alarm.id === id && !row.removed)) return page
  return { ...page, values: page.values.map((row) => (row.alarm.id === id ? { ...row, removed: true } : row)) }
}

/** Returns the answered page, but keeps rows that a live message changed while the request was in flight. */
export function keepNewer<P extends EventRows>(answered: P, known: EventRows | undefined): P {
  if (known === undefined) return answered
  const versions = new Map(known.values.map((row) => [row.alarm.id, row.alarm]))
  return mapPage(answered, (event) => {
    const other = versions.get(event.id)
    return other !== undefined && other.version > event.version ? other : event
  })
}
