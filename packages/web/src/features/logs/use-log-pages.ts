import type { LogHit } from '@benchwatch/contract/logs'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import {
  CONTEXT_SIZE,
  joinPages,
  type LogPage,
  type LogPlace,
  newerPage,
  olderPage,
  pageAround,
  pageOfContext,
  STEP_SIZE,
} from './log-pages.ts'
import { isGoingOn, type LogWindow } from './log-window.ts'
import { type LogSource, linesKey, readLines } from './logs.api.ts'

/** What is read of a log. */
export interface LogReading {
  source: LogSource
  /** Null for all time: the neighbours of a line may lie beyond what was searched. */
  window: LogWindow | null
  search: string
  /** Where the first page lies; a line stands with its neighbours. */
  around: LogPlace | LogHit
  /** Of the first page around a place. */
  size: number
  /** Another number reads anew. */
  readAt: number
}

type Turn = { order: 'ASC' | 'DESC'; after: LogPlace } | null

/**
 * The lines read so far and how to read on. While others are read, and when that fails, those of the same log that were
 * shown stay, marked stale.
 */
export function useLogPages(reading: LogReading) {
  const { source } = reading
  const { window, search, around, size, readAt } = reading
  const place = Array.isArray(around) ? around : { line: around.sort }
  const queryKey = linesKey(source, { window, search, place, size, readAt })
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(reading, { turn: pageParam, signal }),
    initialPageParam: null as Turn,
    getPreviousPageParam: ({ lines, hasOlder }): Turn | undefined => {
      const [first] = lines
      return hasOlder && first ? { order: 'DESC', after: first.sort } : undefined
    },
    getNextPageParam: ({ hasNewer }, pages): Turn | undefined => {
      const last = pages.findLast((page) => page.lines.length > 0)?.lines.at(-1)
      if (last === undefined) return undefined
      const mayCome = hasNewer || (window !== null && isGoingOn(window, Date.now()))
      return mayCome ? { order: 'ASC', after: last.sort } : undefined
    },
    // Lines never change, and what was loaded is not to be loaded again because the person looked elsewhere.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const kept = useRef<{ name: string; pages: readonly LogPage[] } | null>(null)
  const name = JSON.stringify(source)
  if (query.data !== undefined) kept.current = { name, pages: query.data.pages }
  const pages = query.data?.pages ?? (kept.current?.name === name ? kept.current.pages : undefined)
  return {
    query,
    /** Undefined until the first lines of this log have come. */
    page: pages === undefined ? undefined : joinPages(pages),
    isStale: query.data === undefined,
    /** Changes with what is read. */
    name: JSON.stringify(queryKey),
    /** The last look for newer lines found none. */
    isUpToDate: pages !== undefined && pages.length > 1 && pages.at(-1)?.lines.length === 0,
  }
}

async function readPage(
  { source, window, search, around, size }: LogReading,
  { turn, signal }: { turn: Turn; signal: AbortSignal },
): Promise<LogPage> {
  const read = (order: 'ASC' | 'DESC', after: LogPlace, count: number) =>
    readLines(source, { order, after, ...window, searchString: search, size: count }, signal)

  if (turn !== null) {
    const answer = await read(turn.order, turn.after, STEP_SIZE + 1)
    return turn.order === 'ASC' ? newerPage(answer) : olderPage(answer)
  }
  const [place, count] = Array.isArray(around) ? [around, size] : [around.sort, CONTEXT_SIZE]
  const [older, newer] = await Promise.all([read('DESC', place, count + 1), read('ASC', place, count + 1)])
  return Array.isArray(around) ? pageAround({ older, newer, size }) : pageOfContext(around, { older, newer })
}
