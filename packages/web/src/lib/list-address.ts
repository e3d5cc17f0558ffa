import { defaultPageSize, limits, pageSizes } from '@benchwatch/contract/vocabulary'

/**
 * What the addresses of all lists have in common: document 1 section 5, document 2 section 5. Plain functions on
 * purpose: the address is read before the first paint, and a schema library there would cost more than these files. A value
 * that is not understood falls back to its default; nothing here ever throws.
 */

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
