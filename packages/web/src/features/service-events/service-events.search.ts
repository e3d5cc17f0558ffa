import {
  type AlertStatus,
  alertStatuses,
  alertTypes,
  closeReasons,
  defaultPageSize,
  type EventFilterCategory,
  type EventOrderBy,
  eventFilterCategories,
  eventOrderBy,
  instrumentStatuses,
  instrumentTypes,
  limits,
  pageSizes,
  type QuickFilter,
  quickFilters,
  severities,
} from '@benchwatch/contract/vocabulary'
import { type EventColumnKey, readColumnKeys, sameAsUsual } from './event-list.columns.ts'
import { type MapView, readMapView, writeMapView } from './map-view.ts'

/**
 * What the event list shows, as it stands in the address: document 1 section 5 and 3-decisions 4 ("Query string").
 *
 * Plain functions on purpose: the address is read before the first paint, and a schema library there would cost more
 * than this file. A value that is not understood falls back to its default; nothing here ever throws.
 */

export type PageSize = (typeof pageSizes)[number]
export type SortOrder = 'ASC' | 'DESC'

/** Chosen values by category; a category without a choice is absent. */
export type EventFilterChoice = Partial<Record<EventFilterCategory, string[]>>

/** The list as a person set it up. `start` and `stop` are ISO instants, or null for the default range. */
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
  /** The columns shown, in their order; null for the usual ones. */
  columns: readonly EventColumnKey[] | null
  view: 'list' | 'map'
  /** Which part of the world the map shows; null for the usual one. */
  map: MapView | null
}

/** Address parameters by name; the router hands over texts, or numbers and booleans where it parsed them. */
export type AddressParameters = Record<string, unknown>

/** Longest `start`, `stop` and `alertStatus` in an address: document 1 section 5. */
const SHORT_TEXT = 40
/** A category holds at most 200 values of 200 characters; the server refuses more. */
const MAX_VALUES = 200
const MAX_VALUE_LENGTH = 200

/** Categories whose values form a closed list; other values of them are dropped (document 1 section 5). */
const closedValues: Partial<Record<EventFilterCategory, readonly string[]>> = {
  alertStatus: alertStatuses,
  alertType: alertTypes.map(String),
  severity: severities,
  reasonClosed: closeReasons,
  instrumentType: instrumentTypes,
  instrumentStatus: instrumentStatuses,
  qualifiedSystem: ['true', 'false'],
}

export const openStatuses: readonly AlertStatus[] = ['1_NEW', '2_IN_PROGRESS']

/** createdAt descends at the first click, every other column ascends (document 1 section 4). */
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

/** Reads an address. Every answer is valid: page ≥ 1, a known page size, known categories and closed values. */
export function readEventSearch(parameters: AddressParameters): EventSearch {
  const orderBy = oneOf(eventOrderBy, asText(parameters.orderBy)) ?? 'createdAt'
  return {
    page: readPage(asText(parameters.page)),
    pageSize: pageSizes.find((size) => String(size) === asText(parameters.pageSize)) ?? defaultPageSize,
    keyword: cutText(asText(parameters.keyword).replace(/\p{Cc}/gu, ' '), limits.keyword),
    ...readRange(asText(parameters.start), asText(parameters.stop)),
    filter: readFilter(parameters),
    order: oneOf(['ASC', 'DESC'], asText(parameters.order).toUpperCase()) ?? firstOrder(orderBy),
    orderBy,
    quick: oneOf(quickFilters, asText(parameters.quick)),
    temporaryFilters: asText(parameters.temporaryFilters) === 'true',
    columns: readColumnKeys(asText(parameters.columns).split(',')),
    view: asText(parameters.view) === 'map' ? 'map' : 'list',
    map: readMapView(asText(parameters.map)),
  }
}

/** Writes an address; what equals its default is left out, so an untouched list has a clean one. */
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
  if (search.columns !== null && !sameAsUsual(search.columns)) address.columns = search.columns.join(',')
  if (search.view === 'map') address.view = 'map'
  if (search.map !== null) address.map = writeMapView(search.map)
  return address
}

/** Whether the address says anything about filters; only where it is silent do saved filters apply. */
export function namesFilters(parameters: AddressParameters): boolean {
  return asText(parameters.filters) !== '' || asText(parameters.alertStatus) !== ''
}

/** A click on a column head: the first sorts in the column's own direction, the next flips it; back to page 1. */
export function sortBy(search: EventSearch, orderBy: EventOrderBy): EventSearch {
  const flipped = search.order === 'ASC' ? 'DESC' : 'ASC'
  return { ...search, page: 1, orderBy, order: search.orderBy === orderBy ? flipped : firstOrder(orderBy) }
}

/** Replaces one category's choice; an empty one removes the category. Back to page 1. */
export function chooseValues(search: EventSearch, category: EventFilterCategory, values: string[]): EventSearch {
  const { [category]: _replaced, ...others } = search.filter
  return { ...search, page: 1, filter: values.length > 0 ? { ...others, [category]: values } : others }
}

/** `severity=high,medium;siteCountry=Sweden`: categories in the panel's order, the four separators escaped in values. */
export function writeFilters(filter: EventFilterChoice): string {
  return eventFilterCategories
    .filter(({ key }) => filter[key]?.length)
    .map(({ key }) => `${key}=${filter[key]?.map(escapeValue).join(',')}`)
    .join(';')
}

/** Reads the compact form, dropping unknown categories, unknown closed values, repetitions and what is too long. */
export function readFilters(compact: string): EventFilterChoice {
  const chosen: EventFilterChoice = {}
  for (const part of compact.split(';')) {
    const [name, list] = splitOnce(part, '=')
    const category = eventFilterCategories.find(({ key }) => key === name)?.key
    if (category === undefined) continue
    const values = keepValues(category, list.split(',').map(unescapeValue))
    if (values.length > 0) chosen[category] = values
  }
  return chosen
}

function readFilter(parameters: AddressParameters): EventFilterChoice {
  const chosen = readFilters(asText(parameters.filters))
  const status = cutText(asText(parameters.alertStatus), SHORT_TEXT).split(',')
  const statuses = keepValues('alertStatus', status)
  return statuses.length > 0 ? { ...chosen, alertStatus: statuses } : chosen
}

function keepValues(category: EventFilterCategory, values: string[]): string[] {
  const closed = closedValues[category]
  const known = closed === undefined ? values : values.flatMap((value) => matchIgnoringCase(closed, value))
  const usable = known.filter((value) => value !== '' && value.length <= MAX_VALUE_LENGTH)
  return [...new Set(usable)].slice(0, MAX_VALUES)
}

function matchIgnoringCase(list: readonly string[], value: string): string[] {
  const match = list.find((item) => item.toLowerCase() === value.toLowerCase())
  return match === undefined ? [] : [match]
}

/** Both ends are optional; a start at or after its stop is no range, so both fall back. */
function readRange(startText: string, stopText: string): { start: string | null; stop: string | null } {
  const start = readInstant(cutText(startText, SHORT_TEXT))
  const stop = readInstant(cutText(stopText, SHORT_TEXT))
  if (start !== null && stop !== null && start >= stop) return { start: null, stop: null }
  return { start, stop }
}

/** ISO date or date-time of the years 1970 to 9999 as a UTC instant with milliseconds; null for anything else. */
function readInstant(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}(T[\d:.]{5,15}(Z|[+-]\d{2}:?\d{2})?)?$/.test(text)) return null
  const time = new Date(text).getTime()
  if (Number.isNaN(time) || time < 0) return null
  return new Date(time).toISOString()
}

function readPage(text: string): number {
  const page = /^\d{1,6}$/.test(text) ? Number(text) : 1
  return Math.max(page, 1)
}

function oneOf<T extends string>(list: readonly T[], text: string): T | null {
  return list.find((item) => item === text) ?? null
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** Cuts by characters that people see as one code point, never through the middle of a pair. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text.slice(0, length)
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
}

function escapeValue(value: string): string {
  return value.replace(/[%,;=]/g, encodeURIComponent)
}

function unescapeValue(value: string): string {
  return value.replace(/%(25|2C|3B|3D)/gi, decodeURIComponent)
}
