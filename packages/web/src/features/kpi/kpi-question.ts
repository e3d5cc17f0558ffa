import { isCalendarDay } from '../../lib/time/dates.ts'

/**
 * Days and customers of a dashboard. The address of /kpi, the frame's address and the messages between them use the
 * same plain text form.
 */

/** Preset ranges in days, up to today. */
export const kpiSpans = [7, 30, 90, 365] as const
export type KpiSpan = (typeof kpiSpans)[number]

/** Calendar days in UTC, YYYY-MM-DD, both inclusive. */
export interface KpiDays {
  from: string
  to: string
}

export interface KpiQuestion {
  range: { days: KpiSpan } | KpiDays
  /** Customer names. Empty: the whole data scope. */
  customers: readonly string[]
}

/** Text form for addresses and messages. */
export interface KpiSearch {
  days?: string
  from?: string
  to?: string
  customers?: string
}

export const USUAL_SPAN: KpiSpan = 30
/** The server's limit (docs/kpi.md). */
export const MOST_DAYS = 400
/** This many fit into an address that every proxy accepts. */
export const MOST_CUSTOMERS = 50
const DAY_MS = 86_400_000

/** Reads the text form; anything invalid becomes the default. */
export function readKpiQuestion(search: { [K in keyof KpiSearch]: unknown }): KpiQuestion {
  const { days, from, to, customers } = search
  const span = kpiSpans.find((known) => `${known}` === days)
  const isRange = typeof from === 'string' && typeof to === 'string' && daysProblem({ from, to }) === null
  return {
    range: span === undefined && isRange ? { from, to } : { days: span ?? USUAL_SPAN },
    customers: readNames(customers),
  }
}

/** Writes the text form without defaults. */
export function writeKpiQuestion({ range, customers }: KpiQuestion): KpiSearch {
  return {
    ...('from' in range ? { from: range.from, to: range.to } : range.days !== USUAL_SPAN && { days: `${range.days}` }),
    ...(customers.length > 0 && { customers: JSON.stringify(customers) }),
  }
}

export function isSameQuestion(a: KpiQuestion, b: KpiQuestion): boolean {
  return JSON.stringify(writeKpiQuestion(a)) === JSON.stringify(writeKpiQuestion(b))
}

/** Returns the calendar days of a range, counted back from today in UTC. */
export function daysOf(range: KpiQuestion['range'], now: Date): KpiDays {
  if ('from' in range) return range
  return { from: utcDay(now.getTime() - (range.days - 1) * DAY_MS), to: utcDay(now.getTime()) }
}

/** Returns a sentence that says why the days are invalid, or null. */
export function daysProblem({ from, to }: KpiDays): string | null {
  if (from === '' || to === '') return 'Select both dates.'
  if (!isCalendarDay(from) || !isCalendarDay(to)) return 'Invalid date format'
  if (from > to) return 'The end date must not be before the start date.'
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return count > MOST_DAYS ? `Select at most ${MOST_DAYS} days.` : null
}

export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function readNames(text: unknown): string[] {
  if (typeof text !== 'string') return []
  try {
    const names: unknown = JSON.parse(text)
    if (!Array.isArray(names)) return []
    return names.filter((name) => typeof name === 'string').slice(0, MOST_CUSTOMERS)
  } catch {
    return []
  }
}
