import type { LogHit } from '@benchwatch/contract/instruments/logs'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { daysBefore, endOfDay, startOfDay } from '../../lib/time/dates.ts'
import { type LogAnswer, type LogSource, linesKey, readLines } from './logs.api.ts'

/** Loads one log page by page, from a moment or a line in both directions. Document 1 section 9. */

/** Neighbours on each side of a line. */
const CONTEXT_SIZE = 3
/** The server stops counting here (wire 7). */
const MOST_COUNTED = 10_000

/** Half-open, ISO instants: `from` ≤ t < `to`. */
export interface LogWindow {
  from: string
  to: string
}

/** The place where the logs of an event were opened: its page, or its row in a list. */
export type EventPlace = 'details' | 'row'

/** Milliseconds in which the instrument still writes lines because of the event. */
const AFTERMATH_MS = 2000

/**
 * Returns the initial window. On the event's page it is the event's day; in a row, from the start of the previous day
 * to two seconds after the event. Days are in the viewer's zone, like all times on the screen; a day of the instrument
 * would start at an odd hour there.
 */
export function windowOfEvent(moment: string, place: EventPlace): LogWindow {
  const at = new Date(moment)
  const [from, to] =
    place === 'details' ? [startOfDay(at), endOfDay(at)] : [daysBefore(at, 1), new Date(at.getTime() + AFTERMATH_MS)]
  return { from: from.toISOString(), to: to.toISOString() }
}

export function isWithin({ from, to }: LogWindow, instant: string): boolean {
  const at = Date.parse(instant)
  return Date.parse(from) <= at && at < Date.parse(to)
}

/** True if lines may still be written in the window. */
export function isGoingOn({ to }: LogWindow, now: number): boolean {
  return Date.parse(to) > now
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

export interface LogReading {
  /** Null loads nothing. */
  source: LogSource | null
  /** Null for all time. */
  window: LogWindow | null
  search: string
  /** The centre of the first page: a moment in ms since 1970 by the log's own clock, or a line. */
  around: number | LogHit
  /** Lines of the first page around a moment, and of each further page; at most 99, because one more is requested. */
  sizes: { first: number; more: number }
  /** Changing this number reloads. */
  readAt?: number
}

type Turn = { order: 'ASC' | 'DESC'; after: LogHit['sort'] } | null

export function useLogPages(reading: LogReading) {
  const { source, window, search, around, sizes, readAt } = reading
  const place = typeof around === 'number' ? around : around.sort
  /** Number of lines of the next page. */
  const size = useRef(sizes.more)
  const query = useInfiniteQuery({
    queryKey: linesKey(source, { window, search, place, sizes, readAt }),
    enabled: source !== null,
    queryFn: ({ pageParam, signal }) => readPage(reading, { turn: pageParam, more: size.current, signal }),
    initialPageParam: null as Turn,
    getPreviousPageParam: ({ lines: [first], hasOlder }): Turn | undefined =>
      hasOlder && first ? { order: 'DESC', after: first.sort } : undefined,
    // Also at the end, because lines are still being written; the last page may have none.
    getNextPageParam: (_last, pages): Turn | undefined => {
      const last = pages.findLast(({ lines }) => lines.length > 0)?.lines.at(-1)
      return last && { order: 'ASC', after: last.sort }
    },
    // Never stale: lines do not change, and reloading all pages would move them.
    staleTime: Number.POSITIVE_INFINITY,
    // Comparing thousands of lines with the previous ones takes longer than drawing the visible ones.
    structuralSharing: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const pages = query.data?.pages
  const page = useMemo(() => pages && joinPages(pages), [pages])

  /** Reads one page at a time, because a second fetch would cancel the first. */
  function readMore(fetchPage: () => Promise<unknown>, more = sizes.more) {
    if (query.isFetching) return
    size.current = more
    void fetchPage()
  }

  const status = source === null ? 'absent' : page ? 'ready' : query.isError ? 'failed' : 'loading'
  return {
    query,
    page,
    status,
    older: {
      isLoading: query.isFetchingPreviousPage,
      hasFailed: query.isFetchPreviousPageError,
      read: (more?: number) => readMore(query.fetchPreviousPage, more),
    },
    newer: {
      isLoading: query.isFetchingNextPage,
      hasFailed: query.isFetchNextPageError,
      read: (more?: number) => readMore(query.fetchNextPage, more),
    },
  } as const
}

async function readPage(
  { source, window, search, around, sizes }: LogReading,
  { turn, more, signal }: { turn: Turn; more: number; signal: AbortSignal },
): Promise<LogPage> {
  if (source === null) throw new Error('No log to read')
  // One line more than shown reveals whether there are more.
  const read = (order: 'ASC' | 'DESC', size: number, part: { after?: LogHit['sort']; from?: string; to?: string }) =>
    readLines(source, { ...window, ...part, order, searchString: search, size: size + 1 }, signal)

  if (turn !== null) return furtherPage(await read(turn.order, more, { after: turn.after }), { ...turn, size: more })
  if (typeof around !== 'number') {
    const after = around.sort
    const size = CONTEXT_SIZE
    const [older, newer] = await Promise.all([read('DESC', size, { after }), read('ASC', size, { after })])
    return pageOfContext(around, { older, newer })
  }
  // The server accepts no time before 1970, but a corrected clock may produce one.
  const moment = new Date(Math.min(Math.max(around, 0), Date.UTC(9998, 0))).toISOString()
  const size = sizes.first
  const [older, newer] = await Promise.all([read('DESC', size, { to: moment }), read('ASC', size, { from: moment })])
  return pageAround({ older, newer, size })
}

/**
 * Builds the first page: `size` lines around a moment, half on each side; if one side has fewer, the other has more.
 * Both answers contain one line more than `size`, and together they count the whole window.
 */
export function pageAround({ older, newer, size }: { older: LogAnswer; newer: LogAnswer; size: number }): LogPage {
  const newerCount = Math.min(newer.lines.length, Math.max(size / 2, size - older.lines.length))
  const olderCount = Math.min(older.lines.length, size - newerCount)
  return {
    lines: [...older.lines.slice(0, olderCount).reverse(), ...newer.lines.slice(0, newerCount)],
    hasOlder: older.lines.length > olderCount,
    hasNewer: newer.lines.length > newerCount,
    total: Math.min(MOST_COUNTED, older.total + newer.total),
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

/** Builds the page before or after the loaded ones; the answer contains one line more than `size`. */
export function furtherPage(
  { lines, total, completeFrom }: LogAnswer,
  { order, size }: { order: 'ASC' | 'DESC'; size: number },
): LogPage {
  const shown = lines.slice(0, size)
  const hasMore = lines.length > size
  return order === 'ASC'
    ? { lines: shown, hasOlder: true, hasNewer: hasMore, total, completeFrom }
    : { lines: shown.reverse(), hasOlder: hasMore, hasNewer: true, total, completeFrom }
}

/** Joins all pages. Each continues exactly where its neighbour ends, so no line occurs twice. */
export function joinPages(pages: readonly LogPage[]): LogPage {
  return {
    lines: pages.flatMap((page) => page.lines),
    hasOlder: pages[0]?.hasOlder ?? false,
    hasNewer: pages.at(-1)?.hasNewer ?? false,
    // New lines arrive in the meantime.
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

/** Returns `1 match`, `128 log lines`, `10,000+ matches`. */
export function totalLabel(total: number, [one, many]: readonly [string, string]): string {
  return `${total.toLocaleString('en')}${total >= MOST_COUNTED ? '+' : ''} ${total === 1 ? one : many}`
}
