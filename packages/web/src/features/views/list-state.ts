import type { ViewState } from '@benchwatch/contract/views'
import { defaultPageSize, type ViewArea } from '@benchwatch/contract/vocabulary'
import { counted } from '../../lib/folded.ts'
import type { AddressParameters } from '../../lib/list/list-address.ts'

/**
 * A list as a saved view keeps it (wire 8), and back: what every list does alike. What is usual is null, so that a view follows the
 * product. A range that somebody chose by its name ('Last 30 days') moves along with the calendar; any other one stays.
 */

/** What a list tells about itself to have saved views. */
export interface ViewedList {
  area: ViewArea
  /** The list as nobody has set it up. */
  usual: ViewState
  /** What the list makes of a stored state: filters and columns that it does not know any more are dropped. */
  read: (state: ViewState) => ViewState
  /** The state in a few words, such as 'High · Sweden · Last 30 days'. */
  describe: (state: ViewState) => string
}

type Range = ViewState['range']

/** Both ends as the list's address has them. */
export interface KeptRange {
  start: string | null
  stop: string | null
}

/** A range with a name, and how a view keeps it. */
export interface MovingRange {
  label: string
  moves: NonNullable<Range>
  range: KeptRange
}

export function keptState(
  search: {
    filter: Record<string, string[]>
    keyword: string
    order: 'ASC' | 'DESC'
    orderBy: string
    columns: readonly string[] | null
    pageSize: number
  },
  { range, usual }: { range: Range; usual: { orderBy: string; order: 'ASC' | 'DESC' } },
): ViewState {
  const isUsualOrder = search.orderBy === usual.orderBy && search.order === usual.order
  return {
    filters: search.filter,
    keyword: search.keyword === '' ? null : search.keyword,
    range,
    order: isUsualOrder ? null : search.order,
    orderBy: isUsualOrder ? null : search.orderBy,
    columns: search.columns === null ? null : [...search.columns],
    pageSize: search.pageSize === defaultPageSize ? null : search.pageSize,
  }
}

/** The view as an address says it. What the list does not understand falls back there, as in any address. */
export function addressOfState(
  state: ViewState,
  { range, filters }: { range: KeptRange; filters: string },
): AddressParameters {
  return {
    ...range,
    filters,
    pageSize: state.pageSize,
    keyword: state.keyword,
    order: state.order,
    orderBy: state.orderBy,
    columns: state.columns?.join(','),
  }
}

/** Null where neither end is chosen. */
export function keptRange({ start, stop }: KeptRange, moving: readonly MovingRange[]): Range {
  if (start === null && stop === null) return null
  return moving.find(({ range }) => isSameRange(range, { start, stop }))?.moves ?? { kind: 'fixed', start, stop }
}

export function rangeOfState(range: Range, moving: readonly MovingRange[]): KeptRange {
  const { start = null, stop = null } = range ?? {}
  if (range?.kind === 'fixed') return { start: asText(start), stop: asText(stop) }
  const named = moving.find(({ moves }) => moves.kind === range?.kind && moves.days === range?.days)
  return named?.range ?? { start: null, stop: null }
}

export function isSameRange(one: KeptRange, other: KeptRange): boolean {
  return one.start === other.start && one.stop === other.stop
}

/** 'High, Medium · Sweden · “pump” · Last 30 days · by customer · 6 columns · 50 a page' */
export function stateLabel(
  { keyword, orderBy, pageSize }: ViewState,
  {
    filters,
    range,
    columns,
    sortLabels,
  }: {
    filters: readonly string[]
    range: string | null
    columns: readonly string[] | null
    sortLabels: readonly { label: string; orderBy: string }[]
  },
): string {
  const sorted = sortLabels.find((column) => column.orderBy === orderBy)
  const words = [
    ...filters,
    keyword !== null && keyword !== '' && `“${keyword}”`,
    range,
    sorted !== undefined && `by ${sorted.label.toLowerCase()}`,
    columns !== null && counted(columns.length, 'column'),
    pageSize !== null && `${pageSize} a page`,
  ].filter((part) => typeof part === 'string')
  return words.length > 0 ? words.join(' · ') : 'The usual list'
}

function asText(value: string | number | null): string | null {
  return typeof value === 'string' ? value : null
}
