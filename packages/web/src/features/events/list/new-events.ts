import { excluding } from '@benchwatch/contract/vocabulary'
import type { AlarmCreation, EventRows } from '../event-cache.ts'
import type { EventSearch } from '../events.search.ts'
import type { EventRange, Narrowing } from './event-list-request.ts'

/**
 * Counts new events for the bar "N new events": only those that the current list could show. A creation message
 * contains time, severity and status; for everything else (keyword, other categories, 24-hour contract) the server
 * counts.
 */

export interface NewEvent {
  created: AlarmCreation['payload']
  /** Milliseconds since the epoch by this machine, to compare with the time of the list request. */
  arrivedAt: number
}

/** Higher numbers are not counted; the bar then shows a minimum. */
export const MAX_NEW_EVENTS = 999
/** Limits memory on long-open screens to 2 MB. The oldest entries limit what a selection of all events contains. */
export const MAX_REMEMBERED = 10_000

export function rememberNewEvent(known: readonly NewEvent[], event: NewEvent): NewEvent[] {
  if (known.some(({ created }) => created.id === event.created.id)) return [...known]
  return [...known, event].slice(-MAX_REMEMBERED)
}

export interface ShownList {
  search: EventSearch
  range: EventRange
  /** The visible events. */
  page: EventRows
  /** Time of the request, in milliseconds since the epoch by this machine. */
  requestedAt: number
}

/** Counts events that arrived after the list was requested, may belong to it and are not in it yet. */
export function countNewEvents(news: readonly NewEvent[], shown: ShownList): number {
  return unseenOf(news, shown).filter(({ created }) => mayMatch(created, shown.search)).length
}

/** Returns the creation time of the first event in the range that the list does not show yet, or null. */
export function unseenSince(news: readonly NewEvent[], shown: ShownList): string | null {
  const times = unseenOf(news, shown).map(({ created }) => created.createdAt)
  return times.reduce<string | null>((first, time) => (first === null || time < first ? time : first), null)
}

/** True if creation messages contain everything that narrows this list, so the server need not be asked. */
export function messagesSuffice({ keyword, quick, filter }: EventSearch): boolean {
  const others = Object.keys(filter).filter((key) => !/^(severity|alertStatus)!?$/.test(key))
  return keyword.trim() === '' && quick !== 'fullSupport' && others.length === 0
}

/** Returns the narrowing without events that arrived after the list was shown: what the user sees and may act on. */
export function seenPart({ query, body }: Narrowing, since: string | null): Narrowing {
  return since === null ? { query, body } : { query: { ...query, stop: since }, body }
}

/** Returns the narrowing of the remaining events. */
export function unseenPart({ query, body }: Narrowing, since: string): Narrowing {
  return { query: { ...query, start: since }, body }
}

function unseenOf(news: readonly NewEvent[], { page, range, requestedAt }: ShownList): NewEvent[] {
  const visible = new Set(page.values.map(({ alarm }) => alarm.id))
  return news.filter(
    ({ created: { id, createdAt }, arrivedAt }) =>
      arrivedAt >= requestedAt && !visible.has(id) && createdAt >= range.start && createdAt < range.stop,
  )
}

function mayMatch(created: NewEvent['created'], { quick, filter }: EventSearch): boolean {
  // Both need an age of hours, so no new event matches.
  if (quick === 'noOwner' || quick === 'noAction') return false
  return (['severity', 'alertStatus'] as const).every((category) => {
    const isWanted = filter[category]?.includes(created[category]) ?? true
    return isWanted && !filter[excluding(category)]?.includes(created[category])
  })
}
