import type { ViewState } from '@benchwatch/contract/events/views'
import type { UserFilters } from '@benchwatch/contract/users/users'
import {
  ALL_FAMILIES,
  excluding,
  type FilterKey,
  type InstrumentFilterCategory,
  instrumentFilterCategories,
  type MaintenanceState,
  orcStatuses,
  type SelectionMode,
  type UsageLimit,
} from '@benchwatch/contract/vocabulary'
import { familyLabel, type KnownTypes, typeLabel, withTypes } from '../../../lib/instrument-type.ts'
import { type OfferedCategory, offeredOptions } from '../../../lib/list/filter-options.ts'
import { type FilterChip, filterChip } from '../../../ui/list/list-header.tsx'
import { isLost } from '../../connections/monitoring-note.tsx'
import type { ExportRequest } from '../../exports/exports.api.ts'
import {
  addressOfState,
  isSameRange,
  keptRange,
  keptState,
  presetOf,
  rangeOfState,
  stateLabel,
  type ViewedList,
} from '../../views/list-state.ts'
import type { InstrumentListRequest } from '../instruments.api.ts'
import {
  defaultInstrumentSearch,
  type InstrumentFilterChoice,
  type InstrumentSearch,
  instrumentFilters,
  readInstrumentSearch,
  usualInstrumentOrder,
  writeFilters,
} from '../instruments.search.ts'
import { instrumentColumns } from './instrument-list.columns.tsx'
import { movingServiceRanges, serviceLabel } from './list-next-service.ts'

/**
 * Converts between the instrument list and a saved view. A limit to certain instruments is part of an address only,
 * never of a view.
 */

/** Labels of filter categories and values, in the panel and on chips. */
const maintenanceLabels: Record<MaintenanceState, string> = { on: 'On', scheduled: 'Scheduled', none: 'None' }

const usageLimitLabels: Record<UsageLimit, string> = { reached: 'Reached', notReached: 'Not reached' }

const truthLabels: Record<string, string> = { true: 'Yes', false: 'No' }

/** Everything that narrows the list besides search and family: the filters and the next service range. */
export type ChipKey = FilterKey<InstrumentFilterCategory> | 'nextService'

/** The family is stored among the filters, because a view has no field for it. */
const FAMILY = 'instrumentFamily'

/** `now` in milliseconds decides which ranges are relative. */
export function viewOfSearch(search: InstrumentSearch, now: number): ViewState {
  const { instrumentFamily } = search
  const filter = { ...search.filter, ...(instrumentFamily !== ALL_FAMILIES && { [FAMILY]: [instrumentFamily] }) }
  return keptState(
    { ...search, filter },
    { range: keptRange(search, movingServiceRanges(now)), usual: usualInstrumentOrder },
  )
}

/** Returns the first page of the view. Keeps what a view does not store. */
export function searchOfView(
  state: ViewState,
  { temporaryFilters, instruments }: Pick<InstrumentSearch, 'temporaryFilters' | 'instruments'>,
  now: number,
): InstrumentSearch {
  const { [FAMILY]: family, ...filters } = state.filters
  const range = rangeOfState(state.range, movingServiceRanges(now))
  const address = addressOfState(state, { range, filters: writeFilters(filters) })
  return { ...readInstrumentSearch({ ...address, instrumentFamily: family?.[0] }), temporaryFilters, instruments }
}

const lostConnection = presetOf('lost', 'Lost connection', {
  filters: { orcStatus: orcStatuses.filter(isLost) },
})
const overdue = presetOf('overdue', 'Service overdue', { range: { kind: 'overdue' } })
const inMaintenance = presetOf('maintenance', 'In maintenance', { filters: { maintenance: ['on'] } })
const limitReached = presetOf('limit', 'Limit reached', { filters: { usageLimit: ['reached'] } })

/** Sentences for the tiles of the presets: what each counts. */
export const presetMeanings: Record<string, string> = {
  [lostConnection.id]: 'Instruments that are disconnected or behind a gateway with an edge issue',
  [overdue.id]: 'Instruments whose next service was due before today',
  [inMaintenance.id]: 'Instruments in maintenance now',
  [limitReached.id]: 'Instruments with a component at its usage limit',
}

/** Describes the instrument list to the views feature. `hasUsage`: the user may see component usage. */
export function instrumentViews({ hasUsage, types }: { hasUsage: boolean; types: KnownTypes }): ViewedList {
  return {
    area: 'instruments',
    presets: [lostConnection, overdue, inMaintenance, ...(hasUsage ? [limitReached] : [])],
    usual: viewOfSearch(defaultInstrumentSearch, 0),
    read: (state) => viewOfSearch(searchOfView(state, defaultInstrumentSearch, Date.now()), Date.now()),
    describe: (state) => describe(state, { types, now: Date.now() }),
  }
}

function describe(state: ViewState, { types, now }: { types: KnownTypes; now: number }): string {
  const search = searchOfView(state, defaultInstrumentSearch, now)
  const chips = appliedFilters({ ...search, start: null, stop: null }, types)
  return stateLabel(
    { ...state, keyword: search.keyword },
    {
      filters: [
        ...(search.instrumentFamily === ALL_FAMILIES ? [] : [familyLabel(types, search.instrumentFamily)]),
        ...chips.map(({ text }) => text),
      ],
      range: rangeLabel(search, now),
      columns: search.columns,
      sortLabels: instrumentColumns.all,
    },
  )
}

function rangeLabel(search: InstrumentSearch, now: number): string | null {
  const label = serviceLabel(search)
  if (label === null) return null
  const named = movingServiceRanges(now).find(({ range }) => isSameRange(range, search))
  return `service: ${named?.label.toLowerCase() ?? label}`
}

/** Everything that narrows the list, without paging and sorting. It also identifies what a selection belongs to. */
export function narrowing(search: InstrumentSearch) {
  const keyword = search.keyword.trim()
  return {
    query: {
      ...(keyword !== '' && { keyword }),
      ...(search.instrumentFamily !== ALL_FAMILIES && { instrumentFamily: search.instrumentFamily }),
      ...(search.start !== null && { start: search.start }),
      ...(search.stop !== null && { stop: search.stop }),
    },
    body: {
      filter: { ...search.filter, ...(search.instruments.length > 0 && { instruments: [...search.instruments] }) },
    },
  }
}

/** Page n starts at (n - 1) × page size. */
export function listRequest(search: InstrumentSearch): InstrumentListRequest {
  const { query, body } = narrowing(search)
  const paging = { limit: String(search.pageSize), offset: String((search.page - 1) * search.pageSize) }
  return { query: { ...query, ...paging, order: search.order, orderBy: search.orderBy }, body }
}

/** Exports the list or its selection as a file, in list order. */
export function exportOf(
  search: InstrumentSearch,
  selected: { ids: readonly string[]; mode: SelectionMode },
): ExportRequest {
  const { query, body } = narrowing(search)
  return {
    query: { ...query, order: search.order, orderBy: search.orderBy },
    body: { type: 'instrument', ids: [...selected.ids], mode: selected.mode, filter: body.filter },
  }
}

/** Returns the label of a value; names are their own label. */
export function filterValueLabel(category: InstrumentFilterCategory, value: string, types: KnownTypes): string {
  switch (category) {
    case 'instrumentType':
      return typeLabel(types, value)
    case 'maintenance':
      return maintenanceLabels[value as MaintenanceState] ?? value
    case 'usageLimit':
      return usageLimitLabels[value as UsageLimit] ?? value
    case 'qualifiedSystem':
      return truthLabels[value] ?? value
    default:
      return value
  }
}

export function appliedFilters(
  search: Pick<InstrumentSearch, 'filter' | 'start' | 'stop'>,
  types: KnownTypes,
): FilterChip<ChipKey>[] {
  const chips = instrumentFilterCategories.flatMap(({ key: category, label }) =>
    [category, excluding(category)].flatMap((key): FilterChip<ChipKey>[] => {
      const labels = (search.filter[key] ?? []).map((value) => filterValueLabel(category, value, types))
      return labels.length === 0 ? [] : [filterChip(key, label, labels)]
    }),
  )
  const days = serviceLabel(search)
  return days === null ? chips : [...chips, filterChip('nextService', 'Next service', [days])]
}

/** Returns every category with its options. */
export function offeredCategories(input: {
  filterData: UserFilters['instrumentSummaryFilter'] | undefined
  chosen: InstrumentFilterChoice
  chosenBefore: InstrumentFilterChoice
  types: KnownTypes
}): OfferedCategory<InstrumentFilterCategory>[] {
  const { types, ...rest } = input
  return offeredOptions(withTypes(instrumentFilters, types), {
    ...rest,
    labelOf: (category, value) => filterValueLabel(category, value, types),
  })
}
