import type { EventRange } from './event-list-request.ts'
import type { AlarmCreation, EventPage } from './service-event-cache.ts'
import type { EventSearch } from './service-events.search.ts'

/**
 * Which newly created events the bar "N new events" counts: those that the list in front of the person could show.
 * A creation message says when, how severe and in which status; where it is silent (keyword, other categories,
 * 24-hour contract) the event counts, because offering a look too much is better than hiding an alarm.
 */

export interface NewEvent {
  created: AlarmCreation['payload']
  /** Milliseconds since the epoch on this machine: when the message came, compared with when the list was loaded. */
  arrivedAt: number
}

/** More are not told apart: the bar then says so many at least, and a long-open screen does not grow for ever. */
export const MAX_NEW_EVENTS = 999

export function rememberNewEvent(known: readonly NewEvent[], event: NewEvent): NewEvent[] {
  if (known.some(({ created }) => created.id === event.created.id)) return [...known]
  return [...known, event].slice(-MAX_NEW_EVENTS)
}

export interface ShownList {
  search: EventSearch
  range: EventRange
  page: EventPage
  loadedAt: number
}

/** How many of them came after the list was loaded, may belong to it and are not in it already. */
export function countNewEvents(news: readonly NewEvent[], shown: ShownList): number {
  const visible = new Set(shown.page.values.map(({ alarm }) => alarm.id))
  return news.filter(
    ({ created, arrivedAt }) => arrivedAt >= shown.loadedAt && !visible.has(created.id) && mayMatch(created, shown),
  ).length
}

function mayMatch(created: NewEvent['created'], { search, range }: ShownList): boolean {
  // Both need an age of hours, so nothing new can be among them.
  if (search.quick === 'noOwner' || search.quick === 'noAction') return false
  if (created.createdAt < range.start || created.createdAt >= range.stop) return false
  const { severity, alertStatus } = search.filter
  if (severity !== undefined && !severity.includes(created.severity)) return false
  return alertStatus === undefined || alertStatus.includes(created.alertStatus)
}
