import type { ViewState } from '@benchwatch/contract/views'
import { addressOfState, isSameRange, keptRange, keptState, rangeOfState, stateWords } from '../views/list-state.ts'
import type { ViewedList } from '../views/viewed-list.ts'
import { familyLabel } from './family-tabs-model.ts'
import { appliedFilters } from './instrument-filter.ts'
import { instrumentColumns } from './instrument-list.columns.ts'
import {
  ALL_FAMILIES,
  defaultInstrumentSearch,
  type InstrumentSearch,
  readInstrumentSearch,
  usualInstrumentOrder,
  writeFilters,
} from './instruments.search.ts'
import { movingServiceRanges, serviceWords } from './list-next-service.ts'

/** The list of instruments as a saved view keeps it, and back. Which instruments it is limited to belongs to an address alone. */

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
  return stateWords(
    { ...state, keyword: search.keyword },
    {
      filters: [
        ...(search.instrumentFamily === ALL_FAMILIES ? [] : [familyLabel(search.instrumentFamily)]),
        ...chips.map(({ text }) => text),
      ],
      range: rangeWords(search, now),
      columns: search.columns,
      sortLabels: instrumentColumns.all,
    },
  )
}

function rangeWords(search: InstrumentSearch, now: number): string | null {
  const words = serviceWords(search)
  if (words === null) return null
  const named = movingServiceRanges(now).find(({ range }) => isSameRange(range, search))
  return `service: ${named?.label.toLowerCase() ?? words}`
}
