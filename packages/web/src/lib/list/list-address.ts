import { defaultPageSize, limits, pageSizes } from '@benchwatch/contract/vocabulary'

/**
 * What the addresses of all lists have in common: document 1 section 5, document 2 section 5. Plain functions on
 * purpose: the address is read before the first paint, and a schema library there would cost more than these files. A value
 * that is not understood falls back to its default; nothing here ever throws.
 */

type Parameter = string | number | boolean | null | undefined

/** Address parameters by name; the router hands over texts, or numbers and booleans where it parsed them. */
export type AddressParameters = Record<string, unknown>

export type PageSize = (typeof pageSizes)[number]
export type SortOrder = 'ASC' | 'DESC'

export function readPage(value: unknown): number {
  const text = asText(value)
  const page = /^\d{1,6}$/.test(text) ? Number(text) : 1
  return Math.max(page, 1)
}

/** Only what the select below a list offers: of another number it could not say how many rows are shown. */
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

/** Cuts by characters that people see as one code point, never through the middle of a pair. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text.slice(0, length)
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** What the address of a plain list says: a keyword and the page. The same for every list without filters of its own. */
export interface ListSearch {
  keyword: string
  /** From 1. */
  page: number
  pageSize: number
}

const USUAL_PAGE_SIZE: PageSize = 25

/** Reads an address that anybody may have written: what is not understood is as usual. */
export function readListSearch(parameters: Record<string, string | undefined>): ListSearch {
  return {
    keyword: readKeyword(parameters.keyword),
    page: readPage(parameters.page),
    pageSize: readPageSize(parameters.pageSize, USUAL_PAGE_SIZE),
  }
}

/** The inverse; what is as usual is left out. */
export function writeListSearch({ keyword, page, pageSize }: ListSearch): Record<string, string> {
  return {
    ...(keyword !== '' && { keyword }),
    ...(page > 1 && { page: String(page) }),
    ...(pageSize !== USUAL_PAGE_SIZE && { pageSize: String(pageSize) }),
  }
}

/** The query of the wire for this page. */
export function pageQuery({ keyword, page, pageSize }: ListSearch): {
  limit: number
  offset: number
  keyword?: string
} {
  const trimmed = keyword.trim()
  return { limit: pageSize, offset: (page - 1) * pageSize, ...(trimmed !== '' && { keyword: trimmed }) }
}

/**
 * Query strings as plain texts. The router's own form puts quotes around texts that look like numbers, which would
 * break addresses that people write by hand and the links that the specification fixes.
 */

/** `?a=1&b=x` as a record of texts; of a repeated name the last counts. */
export function readQueryString(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

/**
 * The inverse; undefined, null and empty values are left out, commas and colons stay readable. Half a character, as a cut
 * may leave it, is replaced: the encoder would throw.
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
