import type { LogHit } from '@benchwatch/contract/logs'
import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCheck, IconCopy, IconFocusCentered } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useMemo, useState } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { RetryLine } from '../../ui/retry-line.tsx'
import { useCopied } from '../../ui/use-copied.ts'
import type { LogChoice } from './compare-address.ts'
import { logColumns } from './log-columns.ts'
import { copiedLines } from './log-copy.ts'
import { logLabel } from './log-labels.ts'
import { LogLines } from './log-lines.tsx'
import { LogLinesSkeleton } from './log-lines-skeleton.tsx'
import { OPENING_SIZE, placeBefore, RELOAD_SIZE } from './log-pages.ts'
import styles from './log-reader.module.css'
import { countWords, logRows } from './log-rows.ts'
import { isGoingOn, isWithin, type LogWindow } from './log-window.ts'
import { useLogPages } from './use-log-pages.ts'
import { bringIntoView, useLogScroll } from './use-log-scroll.ts'

/** The lines of one log within a time and a search, with what brings more of them. */
export function LogReader(props: {
  event: ServiceEvent
  log: LogChoice
  window: LogWindow
  search: string
  /** As the viewer opened, nothing chosen yet. */
  isOpening: boolean
  /** A line to show among its neighbours instead. */
  context: LogHit | null
  markedId: string | null
  onContext: (hit: LogHit) => void
  /** The event lies outside of what is shown. */
  onEvent: () => void
  scroller: RefObject<HTMLDivElement | null>
}) {
  const { event, log, window, context, markedId, scroller } = props
  const moment = event.logGeneratedAt
  const search = context === null ? props.search : ''
  const [readAt, setReadAt] = useState(() => Date.now())
  const { query, page, isStale, name, isUpToDate } = useLogPages({
    source: { installedProductId: event.instrumentInstalledProductId, ...log },
    // The neighbours of a line may lie beyond what was searched.
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
  if (page.lines.length === 0 && !isStale)
    return (
      <EmptyState
        title="No logs found - Try a different timespan, text-search or log-type"
        action={{ label: 'Look again', onClick: () => void query.refetch() }}
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
          <span className={styles.hint}>{!page.hasOlder && `No older logs${within}`}</span>
        )}
        <span className={styles.count} role="status">
          {query.isFetching && isStale ? 'Reading…' : countWords(page, search)}
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
            More lines came in meanwhile.{' '}
            <button type="button" className={styles.again} onClick={() => setReadAt(Date.now())}>
              Read again
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

/** Keeps the focus while it loads and when there is no more. */
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
