import type { EventTotals, ServiceEvent } from '@benchwatch/contract/events'
import type { AlarmMessage, InstrumentMessage } from '@benchwatch/contract/live'
import type { InstrumentStatus } from '@benchwatch/contract/vocabulary'

/**
 * What a change does to what is already on the screen. Rows keep their place whatever changes in them: nothing may
 * move under a person's pointer; sorting anew is left to the next load. Functions return the same object when nothing
 * changed, so that React repaints only the rows that did.
 */

/** `removed`: deleted on the server since the page was loaded; the row stays, marked, until the next load. */
export interface ListedServiceEvent {
  alarm: ServiceEvent
  removed?: boolean
}

/** Events in whatever order they are shown. */
export interface EventRows {
  values: ListedServiceEvent[]
}

export interface EventPage extends EventRows {
  total: EventTotals
}

/** `askedAt`: milliseconds since the epoch on this machine; what came later may be missing. */
export type AskedPage = EventPage & { askedAt: number }

export type AlarmUpdate = Extract<AlarmMessage, { action: 'update' }>
export type AlarmCreation = Extract<AlarmMessage, { action: 'create' }>

/**
 * One changed property onto the event it is about. Messages of one change share a version, so an equal version is
 * applied as well; only an older one is dropped.
 */
export function patchEvent(event: ServiceEvent, update: AlarmUpdate): ServiceEvent {
  const { id, version, eventId: _name, instrumentInstalledProductId: _instrument, ...changed } = update.payload
  if (event.id !== id || version < event.version) return event
  return { ...event, ...changed, version }
}

/** A whole event onto an older copy of itself; what lists leave out is not taken away from a copy that has it. */
export function newerEvent(known: ServiceEvent, event: ServiceEvent): ServiceEvent {
  return known.id === event.id && event.version >= known.version ? { ...known, ...event } : known
}

export function patchInstrument(event: ServiceEvent, update: InstrumentMessage): ServiceEvent {
  if (update.property !== 'instrumentStatus') return event
  const { instrumentInstalledProductId, instrumentStatus } = update.payload
  return patchStatus(event, { [instrumentInstalledProductId]: instrumentStatus })
}

/**
 * The instrument's status now, by installed product id. Where an event shows none it stays so: a gateway has none, and
 * that of an instrument which has moved is its new customer's alone.
 */
export function patchStatus(event: ServiceEvent, statuses: Readonly<Record<string, InstrumentStatus>>): ServiceEvent {
  const id = event.instrumentInstalledProductId
  const status = Object.hasOwn(statuses, id) ? statuses[id] : undefined
  if (status === undefined || event.instrumentStatus === null || event.instrumentStatus === status) return event
  return { ...event, instrumentStatus: status }
}

/** Applies `change` to every row; the same page when no row changed. */
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

/** A page as it was answered, but for rows that a push changed while the answer was on its way. */
export function keepNewer<P extends EventRows>(answered: P, known: EventRows | undefined): P {
  if (known === undefined) return answered
  const versions = new Map(known.values.map((row) => [row.alarm.id, row.alarm]))
  return mapPage(answered, (event) => {
    const other = versions.get(event.id)
    return other !== undefined && other.version > event.version ? other : event
  })
}
