import type { LogHit } from '@benchwatch/contract/logs'

/** Lines as they are read page by page, from one place in a log in both directions. Document 1 section 9. */

/** Lines with which the viewer opens, and after a change of time or search. */
export const OPENING_SIZE = 6
export const RELOAD_SIZE = 10
/** How many more 'Load +5 older logs' brings. */
export const STEP_SIZE = 5
/** Neighbours on either side of one line. */
export const CONTEXT_SIZE = 3

/** A place between two lines, by time in ms since 1970 and id. */
export type LogPlace = LogHit['sort']

/** The place before all lines of an instant: ids begin at 1. */
export function placeBefore(instant: string): LogPlace {
  return [Date.parse(instant), '0']
}

/** Oldest line first. */
export interface LogPage {
  lines: LogHit[]
  /** Known of the ends alone that the page reaches to. */
  hasOlder: boolean
  hasNewer: boolean
  /** Of the whole window and search; 10,000 means that or more. */
  total: number
}

export interface LogAnswer {
  lines: LogHit[]
  total: number
}

/** Where the server stops counting (wire 7). */
const MOST_COUNTED = 10_000

/** `128`, `10,000+`. */
export function totalLabel(total: number): string {
  return `${total.toLocaleString('en')}${total >= MOST_COUNTED ? '+' : ''}`
}

/**
 * The first page: `size` lines around a place, half on either side; where one side has fewer, the other has more. Of both
 * sides one line more than `size` was asked for, to know whether it goes on.
 */
export function pageAround({ older, newer, size }: { older: LogAnswer; newer: LogAnswer; size: number }): LogPage {
  const newerCount = Math.min(newer.lines.length, Math.max(size / 2, size - older.lines.length))
  const olderCount = Math.min(older.lines.length, size - newerCount)
  return {
    lines: [...older.lines.slice(0, olderCount).reverse(), ...newer.lines.slice(0, newerCount)],
    hasOlder: older.lines.length > olderCount,
    hasNewer: newer.lines.length > newerCount,
    total: Math.max(older.total, newer.total),
  }
}

/** A line between its neighbours, up to three on either side. */
export function pageOfContext(line: LogHit, { older, newer }: { older: LogAnswer; newer: LogAnswer }): LogPage {
  return {
    lines: [...older.lines.slice(0, CONTEXT_SIZE).reverse(), line, ...newer.lines.slice(0, CONTEXT_SIZE)],
    hasOlder: older.lines.length > CONTEXT_SIZE,
    hasNewer: newer.lines.length > CONTEXT_SIZE,
    total: Math.max(older.total, newer.total),
  }
}

/** What comes in front; one line more than a step was asked for. */
export function olderPage({ lines, total }: LogAnswer): LogPage {
  return {
    lines: lines.slice(0, STEP_SIZE).reverse(),
    hasOlder: lines.length > STEP_SIZE,
    hasNewer: true,
    total,
  }
}

export function newerPage({ lines, total }: LogAnswer): LogPage {
  return { lines: lines.slice(0, STEP_SIZE), hasOlder: true, hasNewer: lines.length > STEP_SIZE, total }
}

/** All pages as one. Each goes on exactly where its neighbour ends, so no line is in two of them. */
export function joinPages(pages: readonly LogPage[]): LogPage {
  return {
    lines: pages.flatMap((page) => page.lines),
    hasOlder: pages[0]?.hasOlder ?? false,
    hasNewer: pages.at(-1)?.hasNewer ?? false,
    // Lines come in meanwhile.
    total: Math.max(0, ...pages.map((page) => page.total)),
  }
}

/**
 * Before which line an instant lies, `lines.length` after the last one. Null where that isn't known, because it lies beyond
 * what has been read.
 */
export function indexOfInstant({ lines, hasOlder, hasNewer }: LogPage, instant: string): number | null {
  const at = Date.parse(instant)
  const found = lines.findIndex(({ sort }) => sort[0] >= at)
  const index = found === -1 ? lines.length : found
  const isBeyond = (index === 0 && hasOlder) || (index === lines.length && hasNewer)
  return isBeyond ? null : index
}
