import type { AlarmCreation, EventRows } from '../event-cache.ts'
import type { EventSearch } from '../events.search.ts'
import type { EventRange, Narrowing } from './event-list-request.ts'

/**
 * Which newly created events the bar "N new events" counts: those that the list in front of the person could show.
 * A creation message says when, how severe and in which status; where it is silent (keyword, other categories,
 * 24-hour contract) the server counts.
 */

export interface NewEvent {
  created: AlarmCreation['payload']
  /** Milliseconds since the epoch on this machine: when the message came, compared with when the list was asked for. */
  arrivedAt: number
}

/** More are not told apart: the bar then says so many at least. */
export const MAX_NEW_EVENTS = 999
/** A long-open screen does not grow for ever; 2 MB. The first of them bound what a selection of all events holds. */
export const MAX_REMEMBERED = 10_000

export function rememberNewEvent(known: readonly NewEvent[], event: NewEvent): NewEvent[] {
  if (known.some(({ created }) => created.id === event.created.id)) return [...known]
  return [...known, event].slice(-MAX_REMEMBERED)
}

export interface ShownList {
  search: EventSearch
  range: EventRange
  /** The events in sight. */
  page: EventRows
  /** When they were asked for, in milliseconds since the epoch on this machine. */
  askedAt: number
}

/** How many of them came after the list was asked for, may belong to it and are not in it already. */
export function countNewEvents(news: readonly NewEvent[], shown: ShownList): number {
  return unseenOf(news, shown).filter(({ created }) => mayMatch(created, shown.search)).length
}

/** When the first event was created that the range holds and the list does not show yet; null when there is none. */
export function unseenSince(news: readonly NewEvent[], shown: ShownList): string | null {
  const times = unseenOf(news, shown).map(({ created }) => created.createdAt)
  return times.reduce<string | null>((first, time) => (first === null || time < first ? time : first), null)
}

/** Whether a creation message tells all that narrows this list, so that no server has to be asked what belongs to it. */
export function isToldWhole({ keyword, quick, filter }: EventSearch): boolean {
  const others = Object.keys(filter).filter((category) => category !== 'severity' && category !== 'alertStatus')
  return keyword.trim() === '' && quick !== 'fullSupport' && others.length === 0
}

/** The list without what came after it was shown: what somebody has in front of them, and may act on. */
export function seenPart({ query, body }: Narrowing, since: string | null): Narrowing {
  return since === null ? { query, body } : { query: { ...query, stop: since }, body }
}

/** The rest of the list. */
export function unseenPart({ query, body }: Narrowing, since: string): Narrowing {
  return { query: { ...query, start: since }, body }
}

function unseenOf(news: readonly NewEvent[], { page, range, askedAt }: ShownList): NewEvent[] {
  const visible = new Set(page.values.map(({ alarm }) => alarm.id))
  return news.filter(
    ({ created: { id, createdAt }, arrivedAt }) =>
      arrivedAt >= askedAt && !visible.has(id) && createdAt >= range.start && createdAt < range.stop,
  )
}

function mayMatch(created: NewEvent['created'], { quick, filter }: EventSearch): boolean {
  // Both need an age of hours, so nothing new can be among them.
  if (quick === 'noOwner' || quick === 'noAction') return false
  const { severity, alertStatus } = filter
  if (severity !== undefined && !severity.includes(created.severity)) return false
  return alertStatus === undefined || alertStatus.includes(created.alertStatus)
}
