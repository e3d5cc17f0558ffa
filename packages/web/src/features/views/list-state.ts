import type { View, ViewState } from '@benchwatch/contract/events/views'
import { defaultPageSize, type ViewArea } from '@benchwatch/contract/vocabulary'
import { counted } from '../../lib/folded.ts'
import type { AddressParameters } from '../../lib/list/list-address.ts'

/**
 * Converts a list to the state of a saved view (wire 8) and back: the part that all lists share. Defaults are null, so
 * a view follows later changes of the product. A range chosen by name ('Last 30 days') moves with the calendar; any
 * other range is fixed.
 */

/** Properties of a list that has saved views. */
export interface ViewedList {
  area: ViewArea
  /** Views that come with the product; they can be neither changed nor deleted. */
  presets: readonly Preset[]
  /** The list without any settings. */
  usual: ViewState
  /** Converts a stored state to the list's: unknown filters and columns are dropped. */
  read: (state: ViewState) => ViewState
  /** Summarises the state, such as 'High · Sweden · Last 30 days'. */
  describe: (state: ViewState) => string
}

export interface Preset extends Pick<View, 'id' | 'name' | 'state'> {
  isOwn: false
}

export function presetOf(key: string, name: string, state: Partial<ViewState>): Preset {
  const empty = { filters: {}, keyword: null, range: null, order: null, orderBy: null, columns: null, pageSize: null }
  // Ids of saved views are numbers.
  return { id: `preset ${key}`, name, isOwn: false, state: { ...empty, ...state } }
}

/** Returns the presets with the columns and the page size that the list has: a preset changes only what is found. */
export function presetsFor({ presets }: ViewedList, { columns, pageSize }: ViewState): Preset[] {
  return presets.map((preset) => ({ ...preset, state: { ...preset.state, columns, pageSize } }))
}

type Range = ViewState['range']

/** Both ends as in the list's address. */
export interface KeptRange {
  start: string | null
  stop: string | null
}

/** A named range, and its form in a view. */
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

/** Writes the view as an address. Values that the list does not know fall back to defaults, as in any address. */
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

/** Returns null if neither end is set. */
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

/** Returns 'High, Medium · Sweden · “pump” · Last 30 days · by customer · 6 columns · 50 per page'. */
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
    sortLabels: readonly { label: string; orderBy?: string }[]
  },
): string {
  const sorted = sortLabels.find((column) => column.orderBy === orderBy)
  const parts = [
    ...filters,
    keyword !== null && keyword !== '' && `“${keyword}”`,
    range,
    sorted !== undefined && `by ${sorted.label.toLowerCase()}`,
    columns !== null && counted(columns.length, 'column'),
    pageSize !== null && `${pageSize} per page`,
  ].filter((part) => typeof part === 'string')
  return parts.length > 0 ? parts.join(' · ') : 'Default list'
}

function asText(value: string | number | null): string | null {
  return typeof value === 'string' ? value : null
}
