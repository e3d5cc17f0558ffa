import type { ServiceEvent } from '@benchwatch/contract/events'
import type { LogHit } from '@benchwatch/contract/logs'
import { Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCheck, IconCopy, IconFocusCentered } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useCopied } from '../../../ui/text/copy-button.tsx'
import { EmptyState, ErrorState, RetryLine } from '../../../ui/text/notice.tsx'
import { SkeletonLine } from '../../../ui/text/skeleton.tsx'
import type { LogChoice } from '../compare/compare-address.ts'
import { logLabel } from '../log-labels.ts'
import { missingLines } from '../log-time.ts'
import { type LogSource, linesKey, readLines } from '../logs.api.ts'
import { copiedLines, LogLines } from './log-lines.tsx'
import {
  CONTEXT_SIZE,
  joinPages,
  type LogPage,
  type LogPlace,
  missingBefore,
  newerPage,
  OPENING_SIZE,
  olderPage,
  pageAround,
  pageOfContext,
  placeBefore,
  RELOAD_SIZE,
  STEP_SIZE,
} from './log-pages.ts'
import styles from './log-reader.module.css'
import { countLabel, isGoingOn, isWithin, type LogWindow, logColumns, logRows } from './log-rows.ts'

/** Describes which part of a log is read. */
interface LogReading {
  source: LogSource
  /** Null for all time: the neighbours of a line may lie outside the searched window. */
  window: LogWindow | null
  search: string
  /** The centre of the first page; a line is shown with its neighbours. */
  around: LogPlace | LogHit
  /** Size of the first page around a place. */
  size: number
  /** Changing this number reloads. */
  readAt: number
}

type Turn = { order: 'ASC' | 'DESC'; after: LogPlace } | null

/** Shows the lines of one log in a window and a search, with buttons that load more. */
export function LogReader(props: {
  event: ServiceEvent
  log: LogChoice
  window: LogWindow
  search: string
  /** True until the user changes anything. */
  isOpening: boolean
  /** Line to show with its neighbours instead. */
  context: LogHit | null
  markedId: string | null
  onContext: (hit: LogHit) => void
  /** Called if the event lies outside the shown lines. */
  onEvent: () => void
  scroller: RefObject<HTMLDivElement | null>
}) {
  const { event, log, window, context, markedId, scroller } = props
  const moment = event.logGeneratedAt
  const search = context === null ? props.search : ''
  const [readAt, setReadAt] = useState(() => Date.now())
  const { query, page, isStale, name, isUpToDate } = useLogPages({
    source: { installedProductId: event.instrumentInstalledProductId, ...log },
    // The neighbours of a line may lie outside the searched window.
    window: context === null ? window : null,
    search,
    around: context ?? placeBefore(isWithin(window, moment) ? moment : window.to),
    size: props.isOpening ? OPENING_SIZE : RELOAD_SIZE,
    readAt,
  })
  const { copied, copy } = useCopied()
  const isMomentShown = context !== null || isWithin(window, moment)
  const rows = useMemo(
    () => (page === undefined ? [] : logRows(page, isMomentShown ? moment : null)),
    [page, isMomentShown, moment],
  )
  const columns = logColumns(log.logType)
  const [first] = page?.lines ?? []
  useLogScroll(scroller, { name: isStale ? null : name, firstId: first?._id ?? null, markedId })

  if (page === undefined && query.isError)
    return (
      <ErrorState title="Could not get logs" onRetry={() => void query.refetch()}>
        {query.error.message}
      </ErrorState>
    )
  if (page === undefined) return <LogLinesSkeleton />
  const missing = missingBefore(page)
  const reload = () => setReadAt(Date.now())
  if (page.lines.length === 0 && missing !== null && !isStale)
    return <ErrorState title={missingLines(missing)} onRetry={reload} />
  if (page.lines.length === 0 && !isStale)
    return (
      <EmptyState
        title="No logs found - Try a different timespan, text-search or log-type"
        action={{ label: 'Check again', onClick: () => void query.refetch() }}
      >
        Logs can take up to 20 minutes after the event to sync.
      </EmptyState>
    )

  const within = context === null ? ' in this timespan' : ''
  const isAllShown = !page.hasOlder && !page.hasNewer
  return (
    <>
      <div className={styles.bar}>
        <LoadButton
          icon={<IconArrowUp size={15} stroke={1.7} aria-hidden="true" />}
          isLoading={query.isFetchingPreviousPage}
          hasMore={page.hasOlder && !isStale}
          onLoad={() => void query.fetchPreviousPage()}
        >
          Load +5 older logs
        </LoadButton>
        {query.isFetchPreviousPageError ? (
          <RetryLine onRetry={() => void query.fetchPreviousPage()}>Could not get logs</RetryLine>
        ) : (
          <span className={styles.hint}>{!page.hasOlder && missing === null && `No older logs${within}`}</span>
        )}
        <span className={styles.count} role="status">
          {query.isFetching && isStale ? 'Loading…' : countLabel(page, search)}
        </span>
        <Button
          variant="default"
          className={styles.sign}
          leftSection={<IconFocusCentered size={15} stroke={1.7} aria-hidden="true" />}
          onClick={() => {
            const isThere = rows.some(({ kind }) => kind === 'moment')
            if (isThere && scroller.current !== null) bringIntoView(scroller.current, null)
            else props.onEvent()
          }}
        >
          <span className={styles.word}>To the event</span>
        </Button>
      </div>
      {isStale && query.isError && (
        <div className={styles.problem}>
          <RetryLine onRetry={() => void query.refetch()}>Could not get logs</RetryLine>
        </div>
      )}
      {missing !== null && (
        <div className={styles.problem}>
          <RetryLine onRetry={reload}>{missingLines(missing)}</RetryLine>
        </div>
      )}
      <LogLines
        name={logLabel(log)}
        rows={rows}
        columns={columns}
        event={event}
        markedId={markedId}
        isStale={isStale}
        onContext={search === '' ? null : props.onContext}
        scroller={scroller}
      />
      <div className={styles.bar}>
        <LoadButton
          icon={<IconArrowDown size={15} stroke={1.7} aria-hidden="true" />}
          isLoading={query.isFetchingNextPage}
          hasMore={query.hasNextPage && !isStale}
          onLoad={() => void query.fetchNextPage()}
        >
          Load +5 newer logs
        </LoadButton>
        {query.isFetchNextPageError ? (
          <RetryLine onRetry={() => void query.fetchNextPage()}>Could not get logs</RetryLine>
        ) : isAllShown && page.total > page.lines.length ? (
          <span className={styles.hint} role="status">
            More lines have arrived.{' '}
            <button type="button" className={styles.again} onClick={reload}>
              Reload
            </button>
          </span>
        ) : (
          <span className={styles.hint} role="status">
            {isUpToDate && isGoingOn(window, Date.now())
              ? 'No newer logs yet'
              : !query.hasNextPage && `No newer logs${within}`}
          </span>
        )}
        <span className={styles.order}>Oldest first</span>
        <Button
          variant="default"
          leftSection={
            copied === null ? (
              <IconCopy size={15} stroke={1.7} aria-hidden="true" />
            ) : (
              <IconCheck size={15} stroke={2} aria-hidden="true" />
            )
          }
          className={`${styles.sign} ${styles.copy}`}
          onClick={() => void copy('all', copiedLines(page.lines, columns))}
        >
          <span role="status" className={styles.word}>
            {copied === null ? 'Copy all shown' : 'Copied'}
          </span>
        </Button>
      </div>
    </>
  )
}

/** Keeps the focus while loading and when there is no more. */
function LoadButton(props: {
  icon: ReactNode
  isLoading: boolean
  hasMore: boolean
  onLoad: () => void
  children: ReactNode
}) {
  const isOff = !props.hasMore || props.isLoading
  return (
    <Button
      variant="default"
      leftSection={props.icon}
      aria-disabled={isOff || undefined}
      data-disabled={!props.hasMore || undefined}
      data-busy={props.isLoading || undefined}
      onClick={() => !isOff && props.onLoad()}
    >
      {props.children}
    </Button>
  )
}

/** Skeleton of log lines. */
function LogLinesSkeleton() {
  return (
    <div className={styles.lines} role="status" aria-label="Loading logs">
      {Array.from({ length: OPENING_SIZE }, (_, index) => (
        <div key={index} className={styles.line}>
          <SkeletonLine width="78px" />
          <SkeletonLine width="46px" />
          <SkeletonLine width={`${30 + ((index * 17) % 40)}%`} />
        </div>
      ))}
    </div>
  )
}

/**
 * Keeps the visible lines in place. A new view starts with its target in the middle: the marked line, else the moment
 * of the event, else the newest line. Older lines push nothing down; newer ones move nothing.
 *
 * `name` identifies the view; `firstId` is its first line.
 */
function useLogScroll(
  scroller: RefObject<HTMLDivElement | null>,
  { name, firstId, markedId }: { name: string | null; firstId: string | null; markedId: string | null },
): void {
  const shown = useRef<{ name: string | null; firstId: string | null }>({ name: null, firstId: null })
  // Read during render, while the screen still shows the previous state.
  const { current: before } = scroller
  const fromBottom = before === null ? 0 : before.scrollHeight - before.scrollTop

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null || name === null) return
    if (shown.current.name !== name) bringIntoView(element, markedId)
    else if (shown.current.firstId !== firstId) element.scrollTop = element.scrollHeight - fromBottom
    shown.current = { name, firstId }
    // Only what is shown moves the place; its distance from the bottom is that of the moment before.
    // oxlint-disable-next-line react/exhaustive-deps -- fromBottom changes with every drawing
  }, [scroller, name, firstId, markedId])
}

/** Scrolls the marked line, or the moment of the event, to the middle. */
function bringIntoView(element: HTMLElement, markedId: string | null): void {
  const marked = markedId === null ? null : element.querySelector<HTMLElement>(`[data-line="${CSS.escape(markedId)}"]`)
  const target = marked ?? element.querySelector<HTMLElement>('[data-moment]')
  element.scrollTop =
    target === null ? element.scrollHeight : target.offsetTop - (element.clientHeight - target.offsetHeight) / 2
}

/**
 * Returns the loaded lines and functions to load more. While other lines of the same log load, and if that fails, the
 * previous ones stay, marked stale.
 */
function useLogPages(reading: LogReading) {
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
    // Never stale: lines do not change, and loaded ones need not load again after the user looked elsewhere.
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
    /** Undefined until the first lines of this log have arrived. */
    page: pages === undefined ? undefined : joinPages(pages),
    isStale: query.data === undefined,
    /** Changes with the part that is read. */
    name: JSON.stringify(queryKey),
    /** True if the last request for newer lines found none. */
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
