import type { LogHit } from '@benchwatch/contract/logs'
import type { LogAnswer } from '../logs.api.ts'

/** Lines loaded page by page, from one place in a log in both directions. Document 1 section 9. */

/** Lines shown when the viewer opens, and after a change of time or search. */
export const OPENING_SIZE = 6
export const RELOAD_SIZE = 10
/** Lines that 'Load +5 older logs' adds. */
export const STEP_SIZE = 5
/** Neighbours on each side of a line. */
export const CONTEXT_SIZE = 3

/** A place between two lines: time in ms since 1970, and id. */
export type LogPlace = LogHit['sort']

/** The place before all lines of an instant: ids start at 1. */
export function placeBefore(instant: string): LogPlace {
  return [Date.parse(instant), '0']
}

/** Oldest line first. */
export interface LogPage {
  lines: LogHit[]
  /** Known only for the ends that the page reaches. */
  hasOlder: boolean
  hasNewer: boolean
  /** Lines in the whole window and search; 10,000 means that or more. */
  total: number
  /** Lines before this moment (ISO) cannot all be read now; null if they can. */
  completeFrom: string | null
}

/** The server stops counting here (wire 7). */
const MOST_COUNTED = 10_000

/** Returns `128`, `10,000+`. */
export function totalLabel(total: number): string {
  return `${total.toLocaleString('en')}${total >= MOST_COUNTED ? '+' : ''}`
}

/**
 * Builds the first page: `size` lines around a place, half on each side; if one side has fewer, the other has more.
 * Both answers contain one line more than `size`, to detect whether there are more.
 */
export function pageAround({ older, newer, size }: { older: LogAnswer; newer: LogAnswer; size: number }): LogPage {
  const newerCount = Math.min(newer.lines.length, Math.max(size / 2, size - older.lines.length))
  const olderCount = Math.min(older.lines.length, size - newerCount)
  return {
    lines: [...older.lines.slice(0, olderCount).reverse(), ...newer.lines.slice(0, newerCount)],
    hasOlder: older.lines.length > olderCount,
    hasNewer: newer.lines.length > newerCount,
    total: Math.max(older.total, newer.total),
    completeFrom: older.completeFrom ?? newer.completeFrom,
  }
}

/** Builds the page of a line with up to three neighbours on each side. */
export function pageOfContext(line: LogHit, { older, newer }: { older: LogAnswer; newer: LogAnswer }): LogPage {
  return {
    lines: [...older.lines.slice(0, CONTEXT_SIZE).reverse(), line, ...newer.lines.slice(0, CONTEXT_SIZE)],
    hasOlder: older.lines.length > CONTEXT_SIZE,
    hasNewer: newer.lines.length > CONTEXT_SIZE,
    total: Math.max(older.total, newer.total),
    completeFrom: older.completeFrom ?? newer.completeFrom,
  }
}

/** Builds the page before the loaded ones; the answer contains one line more than a step. */
export function olderPage({ lines, total, completeFrom }: LogAnswer): LogPage {
  return {
    lines: lines.slice(0, STEP_SIZE).reverse(),
    hasOlder: lines.length > STEP_SIZE,
    hasNewer: true,
    total,
    completeFrom,
  }
}

export function newerPage({ lines, total, completeFrom }: LogAnswer): LogPage {
  return { lines: lines.slice(0, STEP_SIZE), hasOlder: true, hasNewer: lines.length > STEP_SIZE, total, completeFrom }
}

/** Joins all pages. Each continues exactly where its neighbour ends, so no line occurs twice. */
export function joinPages(pages: readonly LogPage[]): LogPage {
  return {
    lines: pages.flatMap((page) => page.lines),
    hasOlder: pages[0]?.hasOlder ?? false,
    hasNewer: pages.at(-1)?.hasNewer ?? false,
    // New lines arrive meanwhile.
    total: Math.max(0, ...pages.map((page) => page.total)),
    completeFrom: pages.find((page) => page.completeFrom)?.completeFrom ?? null,
  }
}

/**
 * Returns the moment before which lines are missing, if the shown lines reach it; otherwise null, because older lines
 * that can be read come first.
 */
export function missingBefore({ lines, hasOlder, completeFrom }: LogPage): string | null {
  const [first] = lines
  if (!completeFrom || (hasOlder && first && first.sort[0] >= Date.parse(completeFrom))) return null
  return completeFrom
}

/**
 * Returns the index of the line before which an instant lies, or `lines.length` after the last. Null if that is
 * unknown because it lies beyond the loaded lines.
 */
export function indexOfInstant({ lines, hasOlder, hasNewer }: LogPage, instant: string): number | null {
  const at = Date.parse(instant)
  const found = lines.findIndex(({ sort }) => sort[0] >= at)
  const index = found === -1 ? lines.length : found
  const isBeyond = (index === 0 && hasOlder) || (index === lines.length && hasNewer)
  return isBeyond ? null : index
}
