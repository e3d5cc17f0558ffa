import { INSTALLED_PRODUCT_ID, INSTRUMENT_FAMILY } from '@benchwatch/contract/patterns'
import {
  ALL_FAMILIES,
  defaultPageSize,
  type FilterKey,
  type InstrumentColumnKey,
  type InstrumentFilterCategory,
  type InstrumentOrderBy,
  instrumentColumnLabels,
  instrumentFilterCategories,
  instrumentOrderBy,
  instrumentStatuses,
  limits,
  maintenanceStates,
  orcStatuses,
  usageLimits,
} from '@benchwatch/contract/vocabulary'
import {
  type FilterChoice,
  type FilterPress,
  type FilterVocabulary,
  readChoice,
  replaceValues,
  withPressed,
  writeChoice,
} from '../../lib/list/filter-choice.ts'
import {
  type AddressParameters,
  asText,
  isTrue,
  oneOf,
  type PageSize,
  readKeyword,
  readOrder,
  readPage,
  readPageSize,
  type SortOrder,
} from '../../lib/list/list-address.ts'
import type { AddressedList } from '../../lib/list/list-memory.ts'
import { readColumnKeys } from '../../ui/list/list-columns.ts'

/** The state of the instrument list as stored in the address: document 2 sections 2 and 5, 3-decisions 9. */

/** The columns of the list in default order. */
export const instrumentColumnKeys = Object.keys(instrumentColumnLabels) as InstrumentColumnKey[]

export type InstrumentFilterChoice = FilterChoice<InstrumentFilterCategory>

export interface InstrumentSearch {
  page: number
  pageSize: PageSize
  keyword: string
  /** Key of a family, or All. The registry may lack it, for it may have been deleted since. */
  instrumentFamily: string
  /** Installed product ids the list is limited to; empty for no limit. */
  instruments: readonly string[]
  /** Next service dates, YYYY-MM-DD, half-open; null for an open end, both null for any date. */
  start: string | null
  stop: string | null
  filter: InstrumentFilterChoice
  order: SortOrder
  orderBy: InstrumentOrderBy
  temporaryFilters: boolean
  /** Visible columns in order; null for the default columns. */
  columns: readonly InstrumentColumnKey[] | null
}

/** Drops unknown categories, including `unicornStatus`, which older consoles saved (section 5). */
export const instrumentFilters: FilterVocabulary<InstrumentFilterCategory> = {
  categories: instrumentFilterCategories,
  closed: {
    instrumentStatus: instrumentStatuses,
    orcStatus: orcStatuses,
    maintenance: maintenanceStates,
    usageLimit: usageLimits,
    qualifiedSystem: ['true', 'false'],
  },
}

/** Sort order at the first click on a column head. */
const FIRST_ORDER: SortOrder = 'ASC'

const USUAL_ORDER_BY = instrumentOrderBy[0]

export const usualInstrumentOrder = { orderBy: USUAL_ORDER_BY, order: FIRST_ORDER }

export const defaultInstrumentSearch: InstrumentSearch = {
  page: 1,
  pageSize: defaultPageSize,
  keyword: '',
  instrumentFamily: ALL_FAMILIES,
  instruments: [],
  start: null,
  stop: null,
  filter: {},
  ...usualInstrumentOrder,
  temporaryFilters: false,
  columns: null,
}

/** Reads an address. The result is always valid and can be sent to the server. */
export function readInstrumentSearch(parameters: AddressParameters): InstrumentSearch {
  return {
    page: readPage(parameters.page),
    pageSize: readPageSize(parameters.pageSize),
    keyword: readKeyword(parameters.keyword),
    instrumentFamily: readFamily(asText(parameters.instrumentFamily)),
    instruments: readInstruments(asText(parameters.instruments)),
    ...readDays(asText(parameters.start), asText(parameters.stop)),
    filter: readFilters(asText(parameters.filters)),
    order: readOrder(parameters.order) ?? FIRST_ORDER,
    orderBy: oneOf(instrumentOrderBy, asText(parameters.orderBy)) ?? USUAL_ORDER_BY,
    temporaryFilters: isTrue(parameters.temporaryFilters),
    columns: readColumnKeys(instrumentColumnKeys, asText(parameters.columns).split(',')),
  }
}

/** Writes an address. Defaults are left out, so an untouched list has a clean address. */
export function writeInstrumentSearch(search: InstrumentSearch): Record<string, string> {
  const address: Record<string, string> = {}
  if (search.page !== 1) address.page = String(search.page)
  if (search.pageSize !== defaultPageSize) address.pageSize = String(search.pageSize)
  if (search.keyword !== '') address.keyword = search.keyword
  if (search.instrumentFamily !== ALL_FAMILIES) address.instrumentFamily = search.instrumentFamily
  if (search.instruments.length > 0) address.instruments = search.instruments.join(',')
  if (search.start !== null) address.start = search.start
  if (search.stop !== null) address.stop = search.stop
  const filters = writeFilters(search.filter)
  if (filters !== '') address.filters = filters
  if (search.orderBy !== USUAL_ORDER_BY) address.orderBy = search.orderBy
  if (search.order !== FIRST_ORDER) address.order = search.order
  if (search.temporaryFilters) address.temporaryFilters = 'true'
  const columns = readColumnKeys(instrumentColumnKeys, search.columns ?? [])
  if (columns !== null) address.columns = columns.join(',')
  return address
}

export function writeFilters(filter: InstrumentFilterChoice): string {
  return writeChoice(instrumentFilters, filter)
}

export function readFilters(compact: string): InstrumentFilterChoice {
  return readChoice(instrumentFilters, compact)
}

export const instrumentAddress: AddressedList<InstrumentSearch> = {
  area: 'instruments',
  read: readInstrumentSearch,
  write: writeInstrumentSearch,
  namesFilters: ({ filters }) => asText(filters) !== '',
  filterText: ({ filter }) => writeFilters(filter),
  withoutRange: 'The list is not limited by next service.',
}

/**
 * Handles a click on a column head: the first click sorts ascending, the next one reverses the order. Returns to page
 * 1.
 */
export function sortBy(search: InstrumentSearch, orderBy: InstrumentOrderBy): InstrumentSearch {
  const flipped = search.order === 'ASC' ? 'DESC' : 'ASC'
  return { ...search, page: 1, orderBy, order: search.orderBy === orderBy ? flipped : FIRST_ORDER }
}

/** Replaces the wanted or excluded values of one category; no values remove them. Returns to page 1. */
export function chooseValues(
  search: InstrumentSearch,
  key: FilterKey<InstrumentFilterCategory>,
  values: string[],
): InstrumentSearch {
  return { ...search, page: 1, filter: replaceValues(search.filter, key, values) }
}

/** Narrows the list to a value that was pressed in it, or to everything else. Returns to page 1. */
export function pressValue(search: InstrumentSearch, press: FilterPress): InstrumentSearch {
  return { ...search, page: 1, filter: withPressed(instrumentFilters, search.filter, press) ?? search.filter }
}

function readFamily(text: string): string {
  return INSTRUMENT_FAMILY.test(text) ? text : ALL_FAMILIES
}

/** Drops truncated or invalid ids: they would find nothing or make the server refuse the request. */
function readInstruments(text: string): string[] {
  const isCut = text.length > limits.instruments
  const named = text.slice(0, limits.instruments).split(',')
  const whole = isCut && text[limits.instruments] !== ',' ? named.slice(0, -1) : named
  return [...new Set(whole.map((id) => id.trim()).filter((id) => INSTALLED_PRODUCT_ID.test(id)))]
}

/** Both ends are optional. A start at or after its stop is invalid, so both become null. */
function readDays(startText: string, stopText: string): { start: string | null; stop: string | null } {
  const start = readDay(startText)
  const stop = readDay(stopText)
  return start !== null && stop !== null && start >= stop ? { start: null, stop: null } : { start, stop }
}

/**
 * Reads a day of the years 1970 to 9998. For an instant, returns its UTC day, as the server counts it. Null for
 * anything else.
 */
function readDay(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}(T[\d:.]{5,15}(Z|[+-]\d{2}:?\d{2})?)?$/.test(text)) return null
  const day = new Date(text.length === 10 ? `${text}T00:00:00Z` : text)
  if (Number.isNaN(day.getTime())) return null
  const written = day.toISOString().slice(0, 10)
  // The parser turns a nonexistent day such as 31 June into another day.
  if (text.length === 10 && written !== text) return null
  return written >= '1970-01-01' && written < '9999-01-01' ? written : null
}
