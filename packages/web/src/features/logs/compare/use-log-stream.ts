import type { LogHit } from '@benchwatch/contract/logs'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type LogSource, readLines, streamKey } from '../logs.api.ts'
import type { Direction, LogChoice } from './compare-address.ts'
import { correctedSide, type Side, stampAt } from './compare-clock.ts'
import { type LinePage, type LogStream, type StreamPair, streamOf } from './compare-stream.ts'

/** Loads a log in pages from a moment in both directions. */

/** Fills a tall screen at once. Further pages have the server's maximum size. */
const FIRST_LINES = 60
const MORE_LINES = 100

export interface StreamReading {
  status: 'absent' | 'loading' | 'failed' | 'ready'
  stream: LogStream | null
  /** Number of lines in the whole log that match the search; 10,000 means that or more. */
  total: number
  older: Onward
  newer: Onward
  /** Retries the first page after a failure. */
  retry: () => void
}

interface Onward {
  isReading: boolean
  hasFailed: boolean
  read: () => void
}

type Reached = { direction: Direction; after: LogHit['sort'] } | null

/** `from` is in ms since 1970 by the log's own clock. Without a log, nothing is loaded. */
export function useLogStream(
  source: LogSource | null,
  { from, search }: { from: number; search: string },
): StreamReading {
  const query = useInfiniteQuery(streamQuery(source, { from, search }))
  const pages = query.data?.pages
  const stream = useMemo(() => (pages === undefined ? null : streamOf(pages)), [pages])
  const status = source === null ? 'absent' : stream !== null ? 'ready' : query.isError ? 'failed' : 'loading'
  return {
    status,
    stream,
    total: pages?.[0]?.total ?? 0,
    older: {
      isReading: query.isFetchingPreviousPage,
      hasFailed: query.isFetchPreviousPageError,
      // One page at a time: a second fetch would cancel the first.
      read: () => void (query.isFetching || query.fetchPreviousPage()),
    },
    newer: {
      isReading: query.isFetchingNextPage,
      hasFailed: query.isFetchNextPageError,
      read: () => void (query.isFetching || query.fetchNextPage()),
    },
    retry: () => void query.refetch(),
  }
}

function streamQuery(source: LogSource | null, { from, search }: { from: number; search: string }) {
  return infiniteQueryOptions({
    queryKey: streamKey(source, { search, from }),
    enabled: source !== null,
    initialPageParam: null as Reached,
    queryFn: ({ pageParam, signal }): Promise<LinePage> => {
      if (source === null) throw new Error('No log to read')
      return pageParam === null
        ? readAround(source, { from, search, signal })
        : readOn(source, { ...pageParam, search, signal })
    },
    getPreviousPageParam: (_page, pages): Reached => {
      const after = streamOf(pages).lines.at(0)?.sort
      return after === undefined ? null : { direction: 'older', after }
    },
    // Also at the end, because lines are still being written.
    getNextPageParam: (_page, pages): Reached => {
      const after = streamOf(pages).lines.at(-1)?.sort
      return after === undefined ? null : { direction: 'newer', after }
    },
    // Never stale: lines do not change, and reloading all pages would move them.
    staleTime: Number.POSITIVE_INFINITY,
    // Comparing thousands of lines with the previous ones takes longer than drawing the visible ones.
    structuralSharing: false,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

async function readAround(
  source: LogSource,
  { from, search, signal }: { from: number; search: string; signal: AbortSignal },
): Promise<LinePage> {
  // The server accepts no time before 1970, but a corrected clock may produce one.
  const moment = new Date(Math.min(Math.max(from, 0), Date.UTC(9998, 0))).toISOString()
  const request = { size: FIRST_LINES, searchString: search }
  const [older, newer] = await Promise.all([
    readLines(source, { ...request, order: 'DESC', to: moment }, signal),
    readLines(source, { ...request, order: 'ASC', from: moment }, signal),
  ])
  return {
    lines: [...older.lines.toReversed(), ...newer.lines],
    isStart: older.lines.length < FIRST_LINES,
    isEnd: newer.lines.length < FIRST_LINES,
    // Both windows together are the whole log.
    total: older.total + newer.total,
    completeFrom: older.completeFrom ?? newer.completeFrom,
  }
}

async function readOn(
  source: LogSource,
  { direction, after, search, signal }: NonNullable<Reached> & { search: string; signal: AbortSignal },
): Promise<LinePage> {
  const isOlder = direction === 'older'
  const { lines, total, completeFrom } = await readLines(
    source,
    { order: isOlder ? 'DESC' : 'ASC', size: MORE_LINES, after, searchString: search },
    signal,
  )
  const isLast = lines.length < MORE_LINES
  return {
    lines: isOlder ? lines.toReversed() : lines,
    isStart: isOlder && isLast,
    isEnd: !isOlder && isLast,
    total,
    completeFrom,
  }
}

/** The starting point: a moment of the shared clock, with the clock difference at that time. */
export interface Anchor {
  at: number
  ahead: number
}

export interface Compared {
  readings: Readonly<Record<Side, StreamReading>>
  /** The loaded parts of both, at the current difference. */
  pair: StreamPair
}

/**
 * Loads both logs, or the lines that match a search, from an anchor. A clock difference other than the anchor's moves
 * loaded lines without loading again.
 */
export function useComparedLogs(props: {
  installedProductId: string
  first: LogChoice | null
  second: LogChoice | null
  ahead: number
  anchor: Anchor
  /** Null loads nothing; the empty text loads all lines. */
  search: string | null
}): Compared {
  const { installedProductId, search, anchor, ahead } = props
  const corrected = correctedSide(props.first)
  const sourceOf = (log: LogChoice | null) => (log === null || search === null ? null : { installedProductId, ...log })
  const from = (side: Side) => stampAt(anchor.at, side === corrected ? anchor.ahead : 0)
  const first = useLogStream(sourceOf(props.first), { from: from('first'), search: search ?? '' })
  const second = useLogStream(sourceOf(props.second), { from: from('second'), search: search ?? '' })
  const pair = useMemo(
    () => ({
      first: first.stream && { stream: first.stream, ahead: corrected === 'first' ? ahead : 0 },
      second: second.stream && { stream: second.stream, ahead: corrected === 'second' ? ahead : 0 },
    }),
    [first.stream, second.stream, corrected, ahead],
  )
  return { readings: { first, second }, pair }
}
