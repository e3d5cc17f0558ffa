import { daysBefore, endOfDay } from '../../../lib/time/dates.ts'
import type { Selected } from '../../../ui/list/list-screen.tsx'
import type { ExportRequest } from '../../exports/exports.api.ts'
import { type EventSearch, THE_BEGINNING } from '../events.search.ts'

/**
 * Turns the state of the list into requests: POST /alarms, document 1 section 7. The default range is the last 7 days,
 * from the start of the first day to the end of today, in the viewer's zone.
 */

/** The selection in the list, for bulk changes and exports (document 1 section 4). */
export interface SelectedEvents extends Selected {
  /** The narrowing that exclude mode refers to. */
  narrowing: Narrowing
}

const DEFAULT_RANGE_DAYS = 7

export function isAllTimes({ start, stop }: RangeOfAddress): boolean {
  return start === THE_BEGINNING && stop === null
}

type RangeOfAddress = Pick<EventSearch, 'start' | 'stop'>

/** Half-open: `start` ≤ createdAt < `stop`, so the end of today is the start of tomorrow. ISO instants. */
export interface EventRange {
  start: string
  stop: string
}

/** Fills in the default for ends that the address omits. Ends later than today are dropped as well. */
export function eventRange(search: RangeOfAddress, now: number): EventRange {
  const endOfToday = endOfDay(new Date(now)).toISOString()
  const past = search.stop !== null && search.stop < endOfToday ? search.stop : null
  const stop = past ?? endOfToday
  if (search.start !== null && search.start < stop) return { start: search.start, stop }
  const lastDay = new Date(past ?? now)
  return { start: daysBefore(lastDay, DEFAULT_RANGE_DAYS).toISOString(), stop }
}

/** Inverse of `eventRange`. The default range is left out, so that it moves with the calendar. */
export function rangeOfAddress(range: EventRange, now: number): RangeOfAddress {
  const usual = eventRange({ start: null, stop: null }, now)
  return range.start === usual.start && range.stop === usual.stop ? { start: null, stop: null } : range
}

/** Returns what narrows the list, without paging and sorting. The totals depend only on this. */
export function narrowing(search: EventSearch, now: number) {
  return {
    query: {
      ...eventRange(search, now),
      ...(search.keyword.trim() !== '' && { keyword: search.keyword.trim() }),
      ...(search.quick === 'noOwner' && { noOwnerEvents: 'true' as const }),
      ...(search.quick === 'noAction' && { noActionEvents: 'true' as const }),
      ...(search.quick === 'fullSupport' && { fullSupportEvents: 'true' as const }),
    },
    body: { filter: search.filter },
  }
}
export type Narrowing = ReturnType<typeof narrowing>

/** Returns the request of one page; page n starts at (n - 1) × page size. */
export function listRequest(search: EventSearch, now: number) {
  const { query, body } = narrowing(search, now)
  const paging = { limit: String(search.pageSize), offset: String((search.page - 1) * search.pageSize) }
  return { query: { ...query, ...paging, order: search.order, orderBy: search.orderBy }, body }
}
export type ListRequest = ReturnType<typeof listRequest>

/** Exports these events as a file, in the order of the list. */
export function exportOf(
  { order, orderBy }: Pick<EventSearch, 'order' | 'orderBy'>,
  { narrowing: { query, body }, mode, ids }: Pick<SelectedEvents, 'narrowing' | 'mode' | 'ids'>,
): ExportRequest {
  return { query: { ...query, order, orderBy }, body: { type: 'event', ids: [...ids], mode, filter: body.filter } }
}
