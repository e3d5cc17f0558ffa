import { z } from 'zod'
import { MAX_ADDRESS_LENGTH } from './field-rules.ts'
import { EMAIL, EVENT_ID, INSTALLED_PRODUCT_ID, INSTRUMENT_FAMILY, INSTRUMENT_TYPE } from './patterns.ts'
import { excluding, type FilterKey } from './vocabulary.ts'

/** Schemas used in several places; each is one rule of wire 1. */

/** Instant in an answer: ISO 8601 UTC with milliseconds and Z. */
export const instant = z.iso.datetime({ precision: 3 })

/** Instant in a request: any ISO 8601 date-time with a zone, or a date (midnight UTC). Parsed into a Date. */
export const instantInput = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'must be an ISO 8601 instant such as 2026-11-20T14:02:23.000Z',
  })
  .transform((text) => new Date(text))
  .refine((date) => !Number.isNaN(date.getTime()) && date.getUTCFullYear() >= 1970 && date.getUTCFullYear() < 9999, {
    error: 'must be an instant between 1970 and 9998',
  })

const noCalendarDate = { error: 'is not a calendar day such as 2026-11-20' }
/** Calendar date, YYYY-MM-DD, from the year 0001: PostgreSQL does not know the year 0000. */
export const calendarDate = z.iso.date(noCalendarDate).refine((day) => day >= '0001-01-01', noCalendarDate)

/** IANA time zone name. */
export const timeZone = z
  .string()
  .max(60)
  .refine(isTimeZone, { error: 'is not an IANA time zone such as Europe/Stockholm' })

/** Ids on the wire are strings; this server's are positive integers of up to 18 digits. */
export const id = z.string().regex(/^\d{1,18}$/)

export const installedProductId = z.string().regex(INSTALLED_PRODUCT_ID, 'is not an installed product id')

/** Key of an instrument type. The registry knows which ones exist. */
export const instrumentTypeKey = z
  .string()
  .regex(INSTRUMENT_TYPE, 'must have up to 40 letters, digits, dots, hyphens and underscores')

export const instrumentFamilyKey = z
  .string()
  .regex(INSTRUMENT_FAMILY, 'must have up to 60 characters without /, ? and #, single spaces only, and not be All')

/** An instrument's id or installed product id (wire 3). If a number could be either, the id wins. */
export const instrumentId = z.string().regex(INSTALLED_PRODUCT_ID, 'is not an instrument id')

export const emailAddress = z.string().max(MAX_ADDRESS_LENGTH).regex(EMAIL, 'is not an e-mail address')

/** Event id with or without `ORC-`; parsed into its digits. */
export const eventNumber = z
  .string()
  .regex(EVENT_ID, 'must be digits, with or without the prefix ORC-')
  .transform((text) => text.replace(/^ORC-/, ''))

/** Value of a feature flag, sent as text. */
export const flagValue = z.enum(['true', 'false'])

/** `true` or `false` in a query string. */
export const queryBoolean = z.enum(['true', 'false']).transform((text) => text === 'true')

/** Returns the schema of a whole number in a query string, both limits included. */
export const wholeNumber = (from: number, to: number) => {
  const error = `must be a whole number from ${from} to ${to}`
  return z
    .string()
    .regex(/^\d{1,15}$/, error)
    .transform(Number)
    .pipe(z.number().min(from, error).max(to, error))
}

/**
 * Paging of lists: limit 1–100 (default 20), offset from 0 (default 0). An offset beyond the end returns no `values`
 * but the same `total`.
 */
export const paging = {
  limit: wholeNumber(1, 100).default(20),
  offset: wholeNumber(0, 999_999_999_999_999).default(0),
}

/** ASC or DESC, case-insensitive. */
export const order = z
  .string()
  .transform((text) => text.toUpperCase())
  .pipe(z.enum(['ASC', 'DESC']))
export type Order = z.output<typeof order>

/**
 * Free text from users or instruments: no NUL (PostgreSQL refuses it), at most `max` characters. An unpaired surrogate
 * becomes U+FFFD, as it would in the database, so that comparisons see the stored value.
 */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .overwrite((value) => value.toWellFormed())
    .refine((value) => !value.includes('\u0000'), { error: 'must not contain a NUL character' })

/**
 * Single-line text, such as a name: no control characters, so that it cannot break a line of an e-mail, a file or a
 * log.
 */
export const line = (max: number) =>
  text(max).refine((value) => !/\p{Cc}/u.test(value), { error: 'must be one line without control characters' })

/** Name that a user gives to something of their own; spaces around it are removed. */
export const givenName = (max: number) =>
  line(max)
    .overwrite((value) => value.trim().normalize())
    .refine((value) => value !== '', { error: 'must not be empty' })

/** Random name of something that whoever has its link may read. */
export const linkToken = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

const filterValues = z.array(text(200)).max(200)

/**
 * Returns the shape of a filter with these categories: OR within a category, AND across categories; an empty list
 * filters nothing; values match case-insensitively. `severity!` beside `severity` excludes its values: what has none of
 * them stays, also what has no value at all.
 */
export function filterShape<Category extends string>(
  categories: readonly { key: Category }[],
): Record<FilterKey<Category>, z.ZodOptional<typeof filterValues>> {
  const keys = categories.flatMap(({ key }) => [key, excluding(key)])
  const entries = keys.map((key) => [key, filterValues.optional()] as const)
  return Object.fromEntries(entries) as Record<FilterKey<Category>, z.ZodOptional<typeof filterValues>>
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
