import type { ViewState } from '@benchwatch/contract/events/views'
import { contractClocks } from '@benchwatch/contract/vocabulary'
import { formatRange } from '../../../lib/time/dates.ts'
import { rangePresets } from '../../../ui/time/range-kind.ts'
import {
  addressOfState,
  isSameRange,
  type KeptRange,
  keptRange,
  keptState,
  type MovingRange,
  type Preset,
  presetOf,
  rangeOfState,
  stateLabel,
  type ViewedList,
} from '../../views/list-state.ts'
import {
  defaultEventSearch,
  type EventSearch,
  firstOrder,
  openStatuses,
  readEventSearch,
  THE_BEGINNING,
  writeFilters,
} from '../events.search.ts'
import { appliedFilters, type FilterNames, NO_OWNER, quickFilterLabels } from './event-filters.ts'
import { eventColumns } from './event-list.columns.tsx'
import { eventRange, isAllTimes } from './event-list-request.ts'

/** Converts the event list to a saved view and back. */

/** Moving ranges by the label of their preset. Seven days up to today are the default range: null. */
const moves: Record<string, MovingRange['moves']> = {
  Today: { kind: 'last', days: 0 },
  Yesterday: { kind: 'yesterday' },
  'Last 7 days': { kind: 'last', days: 7 },
  'Last 30 days': { kind: 'last', days: 30 },
  'Last 90 days': { kind: 'last', days: 90 },
  'Last 365 days': { kind: 'last', days: 365 },
}

export const ALL_TIMES = 'All times'

/** The key of the quick filter among a view's filters; views have no field of their own for it. */
const QUICK = 'quick'

/** Converts the list to a view. `now` in milliseconds decides which ranges end today. */
export function viewOfSearch(search: EventSearch, now: number): ViewState {
  const filter = { ...search.filter, ...(search.quick !== null && { [QUICK]: [search.quick] }) }
  return keptState(
    { ...search, filter },
    { range: rangeOfSearch(search, now), usual: { orderBy: 'createdAt', order: firstOrder('createdAt') } },
  )
}

/** Returns the first page of the view; properties that views do not store stay as they are. */
export function searchOfView(
  state: ViewState,
  { temporaryFilters, view, map }: Pick<EventSearch, 'temporaryFilters' | 'view' | 'map'>,
  now: number,
): EventSearch {
  const { [QUICK]: quick, ...filters } = state.filters
  const range = rangeOfState(state.range, movingRanges(now))
  const address = addressOfState(state, { range, filters: writeFilters(filters) })
  return { ...readEventSearch({ ...address, quick: quick?.[0] }), temporaryFilters, view, map }
}

const allTimes = { kind: 'fixed', start: THE_BEGINNING, stop: null }
const open = { alertStatus: [...openStatuses] }

/** New and In progress of all times: the first view that comes with the product, also a tile above the list. */
export const openPreset = presetOf('open', `Open, ${ALL_TIMES.toLowerCase()}`, { filters: open, range: allTimes })

function furtherPresets({ viewerId }: FilterNames): Preset[] {
  return [
    presetOf('mine', 'My open events', { filters: { ...open, owner: [viewerId] }, range: allTimes }),
    presetOf('unowned', 'High without owner', {
      filters: { ...open, severity: ['high'], owner: [NO_OWNER] },
      range: allTimes,
    }),
    presetOf('clock', 'Contract clock running', {
      filters: { contractClock: contractClocks.filter((clock) => clock !== 'stopped') },
      range: allTimes,
      orderBy: 'contractClock',
      order: 'ASC',
    }),
  ]
}

/** Describes the event list to the views feature. `names` supplies the names of owners in filters. */
export function eventViews(names: FilterNames): ViewedList {
  return {
    area: 'events',
    presets: [openPreset, ...furtherPresets(names)],
    usual: viewOfSearch(defaultEventSearch, 0),
    read: (state) => viewOfSearch(searchOfView(state, defaultEventSearch, Date.now()), Date.now()),
    describe: (state) => describe(state, { names, now: Date.now() }),
  }
}

function rangeOfSearch({ start, stop }: KeptRange, now: number): ViewState['range'] {
  if (start === null && stop === null) return null
  const chosen = eventRange({ start, stop }, now)
  if (isSameRange(chosen, eventRange({ start: null, stop: null }, now))) return null
  const kept = keptRange(chosen, movingRanges(now))
  // An end that the address leaves open stays open.
  return kept?.kind === 'fixed' ? { kind: 'fixed', start, stop } : kept
}

function movingRanges(now: number): MovingRange[] {
  return rangePresets(new Date(now)).flatMap(({ label, range: { start, stop } }) => {
    const range = { start: start.toISOString(), stop: stop.toISOString() }
    return moves[label] === undefined ? [] : [{ label, moves: moves[label], range }]
  })
}

function describe(state: ViewState, { names, now }: { names: FilterNames; now: number }): string {
  const search = searchOfView(state, defaultEventSearch, now)
  return stateLabel(
    { ...state, keyword: search.keyword },
    {
      filters: [
        ...appliedFilters(search.filter, names).map(({ text }) => text),
        ...(search.quick === null ? [] : [quickFilterLabels[search.quick]]),
      ],
      range: rangeLabel(search, now),
      columns: search.columns,
      sortLabels: eventColumns.all,
    },
  )
}

function rangeLabel({ start, stop }: KeptRange, now: number): string | null {
  if (start === null && stop === null) return null
  if (isAllTimes({ start, stop })) return ALL_TIMES
  const named = movingRanges(now).find(({ range }) => isSameRange(range, { start, stop }))
  const chosen = eventRange({ start, stop }, now)
  return named?.label ?? formatRange(new Date(chosen.start), new Date(chosen.stop))
}
