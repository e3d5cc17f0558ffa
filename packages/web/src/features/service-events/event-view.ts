import type { ViewState } from '@benchwatch/contract/views'
import { formatRange } from '../../lib/dates.ts'
import type { AddressParameters } from '../../lib/list-address.ts'
import { rangePresets } from '../../ui/date-range-model.ts'
import type { ViewedList } from '../views/viewed-list.ts'
import { appliedFilters, type FilterPeople } from './event-filters.ts'
import { eventColumns } from './event-list.columns.ts'
import { eventRange } from './event-list-request.ts'
import {
  defaultEventSearch,
  type EventSearch,
  firstOrder,
  readEventSearch,
  writeFilters,
} from './service-events.search.ts'

/**
 * The event list as a saved view keeps it (wire 8), and back. What is usual is null, so that a view follows the product.
 * A range that somebody chose by its name ('Last 30 days') moves along with the calendar; any other one stays.
 */

type Range = ViewState['range']
type RangeOfSearch = Pick<EventSearch, 'start' | 'stop'>

/** Ranges that move along, by the label of their preset. Seven days up to today are the usual range: null. */
const moving: Record<string, NonNullable<Range>> = {
  Today: { kind: 'last', days: 0 },
  Yesterday: { kind: 'yesterday' },
  'Last 7 days': { kind: 'last', days: 7 },
  'Last 30 days': { kind: 'last', days: 30 },
  'Last 90 days': { kind: 'last', days: 90 },
  'Last 365 days': { kind: 'last', days: 365 },
}

/** A quick filter is kept among the filters: a view has no member of its own for it. */
const QUICK = 'quick'

/** `now` in milliseconds: which ranges end today. */
export function viewOfSearch(search: EventSearch, now: number): ViewState {
  const isUsualOrder = search.orderBy === 'createdAt' && search.order === firstOrder('createdAt')
  return {
    filters: { ...search.filter, ...(search.quick !== null && { [QUICK]: [search.quick] }) },
    keyword: search.keyword,
    range: rangeOfSearch(search, now),
    order: isUsualOrder ? null : search.order,
    orderBy: isUsualOrder ? null : search.orderBy,
    columns: search.columns === null ? null : [...search.columns],
    pageSize: search.pageSize === defaultEventSearch.pageSize ? null : search.pageSize,
  }
}

/** The first page of the view. What is not understood falls back as in an address; what no view holds stays as it is. */
export function searchOfView(
  state: ViewState,
  { temporaryFilters, view, map }: Pick<EventSearch, 'temporaryFilters' | 'view' | 'map'>,
  now: number,
): EventSearch {
  const { [QUICK]: quick, ...filters } = state.filters
  const { start, stop } = rangeOfView(state.range, now)
  const address: AddressParameters = {
    pageSize: state.pageSize,
    keyword: state.keyword,
    start,
    stop,
    filters: writeFilters(filters),
    order: state.order,
    orderBy: state.orderBy,
    quick: quick?.[0],
    columns: state.columns?.join(','),
  }
  return { ...readEventSearch(address), temporaryFilters, view, map }
}

/** What the event list tells of itself; `people` names the owners that a view filters by. */
export function eventViews(people: FilterPeople): ViewedList {
  return {
    area: 'events',
    usual: viewOfSearch(defaultEventSearch, 0),
    read: (state) => viewOfSearch(searchOfView(state, defaultEventSearch, Date.now()), Date.now()),
    describe: (state) => describe(state, { people, now: Date.now() }),
  }
}

function rangeOfSearch(search: RangeOfSearch, now: number): Range {
  if (search.start === null && search.stop === null) return null
  const chosen = eventRange(search, now)
  if (isSameRange(chosen, eventRange({ start: null, stop: null }, now))) return null
  const preset = presets(now).find(({ range }) => isSameRange(range, chosen))
  if (preset !== undefined) return preset.moves
  return { kind: 'fixed', start: search.start, stop: search.stop }
}

function rangeOfView(range: Range, now: number): RangeOfSearch {
  const { start = null, stop = null } = range ?? {}
  if (range?.kind === 'fixed') return { start: asInstant(start), stop: asInstant(stop) }
  const preset = presets(now).find(({ moves }) => moves.kind === range?.kind && moves.days === range?.days)
  return preset?.range ?? { start: null, stop: null }
}

function presets(now: number) {
  return rangePresets(new Date(now)).flatMap(({ label, range: { start, stop } }) => {
    const moves = moving[label]
    return moves === undefined
      ? []
      : [{ label, moves, range: { start: start.toISOString(), stop: stop.toISOString() } }]
  })
}

function isSameRange(one: RangeOfSearch, other: RangeOfSearch): boolean {
  return one.start === other.start && one.stop === other.stop
}

function asInstant(value: string | number | null): string | null {
  return typeof value === 'string' ? value : null
}

/** 'High, Medium · Sweden · “pump” · Last 30 days · by customer · 6 columns · 50 a page' */
function describe(state: ViewState, { people, now }: { people: FilterPeople; now: number }): string {
  const search = searchOfView(state, defaultEventSearch, now)
  const sorted = eventColumns.all.find(({ orderBy }) => orderBy === state.orderBy)
  const words = [
    ...appliedFilters(search.filter, people).map(({ text }) => text),
    search.quick !== null && quickWords[search.quick],
    search.keyword !== '' && `“${search.keyword}”`,
    rangeWords(state.range, now),
    sorted !== undefined && `by ${sorted.label.toLowerCase()}`,
    search.columns !== null && `${search.columns.length} ${search.columns.length === 1 ? 'column' : 'columns'}`,
    state.pageSize !== null && `${state.pageSize} a page`,
  ].filter((part) => typeof part === 'string')
  return words.length > 0 ? words.join(' · ') : 'The usual list'
}

const quickWords = { noOwner: 'No owner 2 hrs +', noAction: 'No action 24 hrs +', fullSupport: '24 hour support' }

function rangeWords(range: Range, now: number): string | false {
  const search = rangeOfView(range, now)
  if (search.start === null && search.stop === null) return false
  const preset = presets(now).find((candidate) => isSameRange(candidate.range, search))
  const { start, stop } = eventRange(search, now)
  return preset?.label ?? formatRange(new Date(start), new Date(stop))
}
