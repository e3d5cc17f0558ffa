import {
  type AlertStatus,
  alertStatuses,
  alertTypes,
  closeReasons,
  contractClocks,
  defaultPageSize,
  type EventColumnKey,
  type EventFilterCategory,
  type EventOrderBy,
  eventColumnLabels,
  eventFilterCategories,
  eventOrderBy,
  type FilterKey,
  instrumentStatuses,
  type QuickFilter,
  quickFilters,
  severities,
} from '@benchwatch/contract/vocabulary'
import {
  type FilterChoice,
  type FilterPress,
  type FilterVocabulary,
  keepValues,
  readChoice,
  replaceValues,
  withPressed,
  writeChoice,
} from '../../lib/list/filter-choice.ts'
import {
  type AddressParameters,
  asText,
  cutText,
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
import { dayBegins, endOfDay } from '../../lib/time/dates.ts'
import { readColumnKeys } from '../../ui/list/list-columns.ts'

/** State of the event list in the address: document 1 section 5 and 3-decisions 4 ("Query string"). */

/** The part of the world that the map shows, in the address: `map=59.33,18.07,4`. Document 1 section 9. */
export interface MapView {
  /** Degrees north of the equator, at the centre. */
  latitude: number
  /** Degrees east of Greenwich, at the centre. */
  longitude: number
  zoom: number
}

/** Limits of the map: document 1 section 9. */
export const mapLimits = { minZoom: 3, maxZoom: 15, south: -60, north: 90, west: -180, east: 180 }

/** The Stockholm area. */
export const usualMapView: MapView = { latitude: 59.33, longitude: 18.07, zoom: 4 }

/** The columns of the list in default order. */
export const eventColumnKeys = Object.keys(eventColumnLabels) as EventColumnKey[]

export type EventFilterChoice = FilterChoice<EventFilterCategory>

/** The state of the list. `start` and `stop` are ISO instants, or null for the default range. */
export interface EventSearch {
  page: number
  pageSize: PageSize
  keyword: string
  start: string | null
  stop: string | null
  filter: EventFilterChoice
  order: SortOrder
  orderBy: EventOrderBy
  quick: QuickFilter | null
  temporaryFilters: boolean
  /** The visible columns in order; null for the default. */
  columns: readonly EventColumnKey[] | null
  view: 'list' | 'map'
  /** The part of the world that the map shows; null for the default. */
  map: MapView | null
}

/** Maximum length of `start`, `stop` and `alertStatus` in an address: document 1 section 5. */
const SHORT_TEXT = 40

/** End of the year 9999; later years have more digits. */
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z')

/** Filter categories and their closed lists. Other values of closed lists are dropped: document 1 section 5. */
export const eventFilters: FilterVocabulary<EventFilterCategory> = {
  categories: eventFilterCategories,
  closed: {
    alertStatus: alertStatuses,
    alertType: alertTypes.map(String),
    severity: severities,
    reasonClosed: closeReasons,
    instrumentStatus: instrumentStatuses,
    contractClock: contractClocks,
    qualifiedSystem: ['true', 'false'],
  },
}

/** The earliest instant that an address may name. */
export const THE_BEGINNING = '1970-01-01T00:00:00.000Z'

export const openStatuses: readonly AlertStatus[] = ['1_NEW', '2_IN_PROGRESS']

/**
 * Returns the direction of the first click: descending for createdAt, ascending for every other column (document 1
 * section 4).
 */
export function firstOrder(orderBy: EventOrderBy): SortOrder {
  return orderBy === 'createdAt' ? 'DESC' : 'ASC'
}

export const defaultEventSearch: EventSearch = {
  page: 1,
  pageSize: defaultPageSize,
  keyword: '',
  start: null,
  stop: null,
  filter: {},
  order: 'DESC',
  orderBy: 'createdAt',
  quick: null,
  temporaryFilters: false,
  columns: null,
  view: 'list',
  map: null,
}

/** Reads an address. The result is always valid: page ≥ 1, a known page size, known categories and closed values. */
export function readEventSearch(parameters: AddressParameters): EventSearch {
  const orderBy = oneOf(eventOrderBy, asText(parameters.orderBy)) ?? 'createdAt'
  return {
    page: readPage(parameters.page),
    pageSize: readPageSize(parameters.pageSize),
    keyword: readKeyword(parameters.keyword),
    ...readRange(asText(parameters.start), asText(parameters.stop)),
    filter: readFilter(parameters),
    order: readOrder(parameters.order) ?? firstOrder(orderBy),
    orderBy,
    quick: oneOf(quickFilters, asText(parameters.quick)),
    temporaryFilters: isTrue(parameters.temporaryFilters),
    columns: readColumnKeys(eventColumnKeys, asText(parameters.columns).split(',')),
    view: asText(parameters.view) === 'map' ? 'map' : 'list',
    map: readMapView(asText(parameters.map)),
  }
}

/** Writes an address. Defaults are left out, so the address of an unchanged list is clean. */
export function writeEventSearch(search: EventSearch): Record<string, string> {
  const { alertStatus, ...others } = search.filter
  const address: Record<string, string> = {}
  if (search.page !== 1) address.page = String(search.page)
  if (search.pageSize !== defaultPageSize) address.pageSize = String(search.pageSize)
  if (search.keyword !== '') address.keyword = search.keyword
  if (search.start !== null) address.start = search.start
  if (search.stop !== null) address.stop = search.stop
  if (alertStatus?.length) address.alertStatus = alertStatus.join(',')
  const filters = writeFilters(others)
  if (filters !== '') address.filters = filters
  if (search.orderBy !== 'createdAt') address.orderBy = search.orderBy
  if (search.order !== firstOrder(search.orderBy)) address.order = search.order
  if (search.quick !== null) address.quick = search.quick
  if (search.temporaryFilters) address.temporaryFilters = 'true'
  const columns = readColumnKeys(eventColumnKeys, search.columns ?? [])
  if (columns !== null) address.columns = columns.join(',')
  if (search.view === 'map') address.view = 'map'
  if (search.map !== null) address.map = writeMapView(search.map)
  return address
}

/** True if the address names filters. Saved filters apply only if it does not. */
export function namesFilters(parameters: AddressParameters): boolean {
  return asText(parameters.filters) !== '' || asText(parameters.alertStatus) !== ''
}

/**
 * Handles a click on a column head: the first click sorts in the column's own direction, the next reverses it. Goes to
 * page 1.
 */
export function sortBy(search: EventSearch, orderBy: EventOrderBy): EventSearch {
  const flipped = search.order === 'ASC' ? 'DESC' : 'ASC'
  return { ...search, page: 1, orderBy, order: search.orderBy === orderBy ? flipped : firstOrder(orderBy) }
}

/** Replaces the wanted or excluded values of one category; no values remove them. Goes to page 1. */
export function chooseValues(search: EventSearch, key: FilterKey<EventFilterCategory>, values: string[]): EventSearch {
  return { ...search, page: 1, filter: replaceValues(search.filter, key, values) }
}

/** The category of values that are searched for, because no filter offers them: installed product IDs. */
export const KEYWORD = 'keyword'

/** Narrows the list to a value that was pressed in it, or to everything else. Goes to page 1. */
export function pressValue(search: EventSearch, press: FilterPress): EventSearch {
  if (press.category === KEYWORD) return { ...search, page: 1, keyword: readKeyword(press.value) }
  return { ...search, page: 1, filter: withPressed(eventFilters, search.filter, press) ?? search.filter }
}

/** Returns the open statuses that the filter lets through. */
export function openAmong(filter: EventFilterChoice): AlertStatus[] {
  const { alertStatus: wanted, 'alertStatus!': excluded } = filter
  return openStatuses.filter((status) => (wanted?.includes(status) ?? true) && !excluded?.includes(status))
}

/** Returns the list of open events of any age, for a link from elsewhere; it leaves remembered filters alone. */
export function openEvents(): EventSearch {
  const filter = { alertStatus: [...openStatuses] }
  return { ...defaultEventSearch, filter, start: THE_BEGINNING, temporaryFilters: true }
}

/**
 * Returns all events of a run, for a link from elsewhere; it leaves remembered filters alone. Customers may give the same
 * id to their runs.
 */
export function eventsOfRun(run: string, customer: string): EventSearch {
  const filter = { run: [run], enterpriseName: [customer] }
  return { ...defaultEventSearch, filter, start: THE_BEGINNING, temporaryFilters: true }
}

export function writeFilters(filter: EventFilterChoice): string {
  return writeChoice(eventFilters, filter)
}

export function readFilters(compact: string): EventFilterChoice {
  return readChoice(eventFilters, compact)
}

export const eventAddress: AddressedList<EventSearch> = {
  area: 'events',
  read: (parameters) => withoutFutureRange(readEventSearch(parameters), Date.now()),
  write: writeEventSearch,
  namesFilters,
  filterText: ({ filter }) => writeFilters(filter),
  withoutRange: 'The last 7 days are shown instead.',
}

/** Drops a range that starts after today, because nothing has happened in it yet. `now` is in milliseconds. */
export function withoutFutureRange(search: EventSearch, now: number): EventSearch {
  const isAhead = search.start !== null && Date.parse(search.start) >= endOfDay(new Date(now)).getTime()
  return isAhead ? { ...search, start: null, stop: null } : search
}

function readFilter(parameters: AddressParameters): EventFilterChoice {
  const chosen = readFilters(asText(parameters.filters))
  const status = cutText(asText(parameters.alertStatus), SHORT_TEXT).split(',')
  const statuses = keepValues(eventFilters, 'alertStatus', status)
  return statuses.length > 0 ? { ...chosen, alertStatus: statuses } : chosen
}

/** Both ends are optional. A start at or after its stop is not a range, so both fall back to the default. */
function readRange(startText: string, stopText: string): { start: string | null; stop: string | null } {
  const start = readInstant(startText, dayBegins)
  const stop = readInstant(stopText, (day) => endOfDay(dayBegins(day)))
  if (start !== null && stop !== null && start >= stop) return { start: null, stop: null }
  return { start, stop }
}

/**
 * Reads an ISO date or date-time of the years 1970 to 9999 as a UTC instant with milliseconds; null for anything else.
 * A date without a time is a day in the viewer's zone, as in the calendar; `ofDay` picks its start or end.
 */
function readInstant(whole: string, ofDay: (day: string) => Date): string | null {
  const text = cutText(whole, SHORT_TEXT)
  const [, day = '', clock] = /^(\d{4}-\d{2}-\d{2})(T[\d:.]{5,15}(Z|[+-]\d{2}:?\d{2})?)?$/.exec(text) ?? []
  if (!isCalendarDay(day)) return null
  const time = (clock === undefined ? ofDay(day) : new Date(text)).getTime()
  if (Number.isNaN(time) || time < 0 || time > LAST_INSTANT) return null
  return new Date(time).toISOString()
}

/** Rejects days that do not exist: JavaScript would read 30 February as another day. */
function isCalendarDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
}

/** Returns null for the default view and for invalid text. Numbers beyond the limits are clamped. */
export function readMapView(text: string): MapView | null {
  if (!/^-?\d{1,3}(\.\d{1,6})?,-?\d{1,3}(\.\d{1,6})?,\d{1,2}$/.test(text)) return null
  const [latitude = 0, longitude = 0, zoom = 0] = text.split(',').map(Number)
  const view = {
    latitude: within(latitude, mapLimits.south, mapLimits.north),
    longitude: within(longitude, mapLimits.west, mapLimits.east),
    zoom: within(zoom, mapLimits.minZoom, mapLimits.maxZoom),
  }
  return writeMapView(view) === writeMapView(usualMapView) ? null : view
}

/** Rounds to the decimals that are visible at this zoom, so the same place has the same address. */
export function writeMapView({ latitude, longitude, zoom }: MapView): string {
  const decimals = zoom < 8 ? 2 : zoom < 12 ? 3 : 4
  return [Number(latitude.toFixed(decimals)), Number(longitude.toFixed(decimals)), zoom].join(',')
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
