import type { ViewState } from '@benchwatch/contract/views'
import {
  type InstrumentFilterCategory,
  type InstrumentType,
  instrumentFilterCategories,
  instrumentTypeLabels,
  type MaintenanceState,
  type SelectionMode,
} from '@benchwatch/contract/vocabulary'
import { type FilterChip, filterChip } from '../../../ui/list/filter-chips.tsx'
import type { ExportRequest } from '../../exports/exports.api.ts'
import {
  addressOfState,
  isSameRange,
  keptRange,
  keptState,
  rangeOfState,
  stateLabel,
  type ViewedList,
} from '../../views/list-state.ts'
import type { InstrumentListRequest } from '../instruments.api.ts'
import {
  ALL_FAMILIES,
  defaultInstrumentSearch,
  type InstrumentSearch,
  readInstrumentSearch,
  usualInstrumentOrder,
  writeFilters,
} from '../instruments.search.ts'
import { familyLabel } from './family-tabs.tsx'
import { instrumentColumns } from './instrument-list.columns.ts'
import { movingServiceRanges, serviceLabel } from './list-next-service.ts'

/** The list of instruments as a saved view keeps it, and back. Which instruments it is limited to belongs to an address alone. */

/** How filter categories of instruments and their values read, in the panel and on chips. */
const maintenanceLabel: Record<MaintenanceState, string> = { on: 'On', scheduled: 'Scheduled', none: 'None' }

const truthLabel: Record<string, string> = { true: 'Yes', false: 'No' }

/** What narrows the list besides search and family: the filters, and the days of the next service. */
export type ChipKey = InstrumentFilterCategory | 'nextService'

/** The family is kept among the filters: a view has no member of its own for it. */
const FAMILY = 'instrumentFamily'

/** `now` in milliseconds: which ranges move along. */
export function viewOfSearch(search: InstrumentSearch, now: number): ViewState {
  const { instrumentFamily } = search
  const filter = { ...search.filter, ...(instrumentFamily !== ALL_FAMILIES && { [FAMILY]: [instrumentFamily] }) }
  return keptState(
    { ...search, filter },
    { range: keptRange(search, movingServiceRanges(now)), usual: usualInstrumentOrder },
  )
}

/** The first page of the view; what no view holds stays as it is. */
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

export const instrumentViews: ViewedList = {
  area: 'instruments',
  usual: viewOfSearch(defaultInstrumentSearch, 0),
  read: (state) => viewOfSearch(searchOfView(state, defaultInstrumentSearch, Date.now()), Date.now()),
  describe: (state) => describe(state, Date.now()),
}

function describe(state: ViewState, now: number): string {
  const search = searchOfView(state, defaultInstrumentSearch, now)
  const chips = appliedFilters({ ...search, start: null, stop: null })
  return stateLabel(
    { ...state, keyword: search.keyword },
    {
      filters: [
        ...(search.instrumentFamily === ALL_FAMILIES ? [] : [familyLabel(search.instrumentFamily)]),
        ...chips.map(({ text }) => text),
      ],
      range: rangeLabel(search, now),
      columns: search.columns,
      sortLabels: instrumentColumns.all,
    },
  )
}

function rangeLabel(search: InstrumentSearch, now: number): string | null {
  const words = serviceLabel(search)
  if (words === null) return null
  const named = movingServiceRanges(now).find(({ range }) => isSameRange(range, search))
  return `service: ${named?.label.toLowerCase() ?? words}`
}

/** From what a person set up to what is asked of the server: POST /instruments, wire 3. */

/** What narrows the list, without paging and sorting: what is selected belongs to it. */
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

/** The list, or what is selected in it, as a file, in the order of the list. */
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

/** What a person reads for a value; the value itself where it is a name already. */
export function filterValueLabel(category: InstrumentFilterCategory, value: string): string {
  switch (category) {
    case 'instrumentType':
      return instrumentTypeLabels[value as InstrumentType] ?? value
    case 'maintenance':
      return maintenanceLabel[value as MaintenanceState] ?? value
    case 'qualifiedSystem':
      return truthLabel[value] ?? value
    default:
      return value
  }
}

export function appliedFilters(search: Pick<InstrumentSearch, 'filter' | 'start' | 'stop'>): FilterChip<ChipKey>[] {
  const chips = instrumentFilterCategories.flatMap(({ key, label }): FilterChip<ChipKey>[] => {
    const labels = (search.filter[key] ?? []).map((value) => filterValueLabel(key, value))
    return labels.length === 0 ? [] : [filterChip(key, label, labels)]
  })
  const days = serviceLabel(search)
  return days === null ? chips : [...chips, filterChip('nextService', 'Next service', [days])]
}
