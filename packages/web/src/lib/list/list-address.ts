import { defaultPageSize, limits, pageSizes } from '@benchwatch/contract/vocabulary'

/**
 * Shared by the addresses of all lists: document 1 section 5, document 2 section 5. These are plain functions because
 * the address is read before the first paint, where a schema library would cost more than these files. Invalid values
 * fall back to the default; nothing here throws.
 */

type Parameter = string | number | boolean | null | undefined

/** Address parameters by name. The router passes strings, or numbers and booleans if it parsed them. */
export type AddressParameters = Record<string, unknown>

export type PageSize = (typeof pageSizes)[number]
export type SortOrder = 'ASC' | 'DESC'

export function readPage(value: unknown): number {
  const text = asText(value)
  const page = /^\d{1,6}$/.test(text) ? Number(text) : 1
  return Math.max(page, 1)
}

/** Accepts only the page sizes on offer; the select below the list could not show another one. */
export function readPageSize(value: unknown, usual: PageSize = defaultPageSize): PageSize {
  return pageSizes.find((size) => String(size) === asText(value)) ?? usual
}

export function readKeyword(value: unknown): string {
  return cutText(asText(value).replace(/\p{Cc}/gu, ' '), limits.keyword)
}

export function readOrder(value: unknown): SortOrder | null {
  return oneOf(['ASC', 'DESC'], asText(value).toUpperCase())
}

export function isTrue(value: unknown): boolean {
  return asText(value) === 'true'
}

export function oneOf<T extends string>(list: readonly T[], text: string): T | null {
  return list.find((item) => item === text) ?? null
}

export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** Cuts by code points, never through a surrogate pair. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text.slice(0, length)
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** One page of a list. */
export interface ListPlace {
  /** Starts at 1. */
  page: number
  pageSize: PageSize
}

/** Address of a list without filters of its own: a keyword and the page. */
export interface ListSearch extends ListPlace {
  keyword: string
}

const USUAL_PAGE_SIZE: PageSize = 25

/** Reads an untrusted address; invalid parts become the default. */
export function readListSearch(parameters: Record<string, string | undefined>): ListSearch {
  return {
    keyword: readKeyword(parameters.keyword),
    page: readPage(parameters.page),
    pageSize: readPageSize(parameters.pageSize, USUAL_PAGE_SIZE),
  }
}

/** Writes the address without defaults. */
export function writeListSearch({ keyword, page, pageSize }: ListSearch): Record<string, string> {
  return {
    ...(keyword !== '' && { keyword }),
    ...(page > 1 && { page: String(page) }),
    ...(pageSize !== USUAL_PAGE_SIZE && { pageSize: String(pageSize) }),
  }
}

/** Returns the API query for this page. */
export function pageQuery({ keyword = '', page, pageSize }: ListPlace & { keyword?: string }): {
  limit: number
  offset: number
  keyword?: string
} {
  const trimmed = keyword.trim()
  return { limit: pageSize, offset: (page - 1) * pageSize, ...(trimmed !== '' && { keyword: trimmed }) }
}

/**
 * Reads `?a=1&b=x` into a record of strings. The last of repeated names counts. The router's own format quotes strings
 * that look like numbers, which would break hand-written addresses and the links that the specification fixes.
 */
export function readQueryString(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

/**
 * Writes a record as a query string. Drops undefined, null and empty values, and keeps commas and colons readable.
 * Replaces lone surrogates, which would make the encoder throw.
 */
export function writeQueryString(search: Record<string, Parameter>): string {
  const parts = Object.entries(search).flatMap(([key, value]) =>
    value === undefined || value === null || value === ''
      ? []
      : [`${encodeURIComponent(key)}=${encoded(String(value))}`],
  )
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function encoded(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replace(/%2C/g, ',').replace(/%3A/g, ':')
}
