import type { SelectionMode } from '@benchwatch/contract/vocabulary'
import { daysBefore, endOfDay, startOfDay } from '../../../lib/time/dates.ts'
import type { EventSearch } from '../events.search.ts'

/**
 * From what a person set up to what is asked of the server: POST /alarms, document 1 section 7.
 * The default range is the last 7 days, from the start of that day to the end of today, in the viewer's zone.
 */

/** What is selected in the list, as bulk changes and exports take it (document 1 section 4). */
export interface SelectedEvents {
  /** `include`: these ids; `exclude`: all that the narrowing finds, but for these ids. */
  mode: SelectionMode
  ids: readonly string[]
  /** How many events that is; in exclude mode the total minus the excluded. */
  count: number
  /** What narrows the list, for exclude mode. */
  narrowing: Narrowing
  clear: () => void
}

const DEFAULT_RANGE_DAYS = 7

type RangeOfAddress = Pick<EventSearch, 'start' | 'stop'>

/** Half-open: `start` ≤ createdAt < `stop`, so the end of today is the first instant of tomorrow. ISO instants. */
export interface EventRange {
  start: string
  stop: string
}

/** What an address leaves out is the default. Later than today is nothing: such an end, or start, is left out as well. */
export function eventRange(search: RangeOfAddress, now: number): EventRange {
  const endOfToday = endOfDay(new Date(now)).toISOString()
  const past = search.stop !== null && search.stop < endOfToday ? search.stop : null
  const stop = past ?? endOfToday
  if (search.start !== null && search.start < stop) return { start: search.start, stop }
  const lastDay = new Date(past ?? now)
  return { start: startOfDay(daysBefore(lastDay, DEFAULT_RANGE_DAYS)).toISOString(), stop }
}

/** The inverse for a range that was chosen: the default one is left out, so that it moves along with the calendar. */
export function rangeOfAddress(range: EventRange, now: number): RangeOfAddress {
  const usual = eventRange({ start: null, stop: null }, now)
  return range.start === usual.start && range.stop === usual.stop ? { start: null, stop: null } : range
}

/** What narrows the list, without paging and sorting: the totals depend on this alone. */
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

/** Page n starts at (n - 1) × page size. */
export function listRequest(search: EventSearch, now: number) {
  const { query, body } = narrowing(search, now)
  const paging = { limit: String(search.pageSize), offset: String((search.page - 1) * search.pageSize) }
  return { query: { ...query, ...paging, order: search.order, orderBy: search.orderBy }, body }
}
export type ListRequest = ReturnType<typeof listRequest>
