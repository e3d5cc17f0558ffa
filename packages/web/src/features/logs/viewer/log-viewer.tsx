import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { InstrumentRun } from '@benchwatch/contract/instruments/instruments'
import type { LogHit } from '@benchwatch/contract/instruments/logs'
import { Anchor, Box, Button, Flex, Group, Modal, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowUp,
  IconCheck,
  IconCopy,
  IconFocusCentered,
  type TablerIcon,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { eventName } from '../../../lib/screen-name.ts'
import { endOfDay, formatInstrumentTime } from '../../../lib/time/dates.ts'
import { NativeSelect } from '../../../ui/form/native-select.tsx'
import { SearchBox } from '../../../ui/list/filters/search-box.tsx'
import { useCopied } from '../../../ui/text/copy-button.tsx'
import { EmptyState, ErrorState, FailedQuery, RetryLine } from '../../../ui/text/notice.tsx'
import { SkeletonLine } from '../../../ui/text/skeleton.tsx'
import { DateRangePicker } from '../../../ui/time/date-range.tsx'
import { type LogChoice, logLabel, writeLog } from '../log-labels.ts'
import { LogSelect, logColumns } from '../log-line.tsx'
import {
  type EventPlace,
  isGoingOn,
  isWithin,
  type LogPage,
  type LogWindow,
  missingBefore,
  totalLabel,
  useLogPages,
  windowOfEvent,
} from '../log-pages.ts'
import { missingLines } from '../log-time.ts'
import { availableLogsQuery, SEARCH_LENGTH } from '../logs.api.ts'
import { copiedLines, LogLines, logRows } from './log-lines.tsx'
import { LogStrip } from './log-strip.tsx'
import styles from './viewer.module.css'

/** Lines shown when the viewer opens, and after a change of time or search. */
const OPENING_SIZE = 6
const RELOAD_SIZE = 10
/** Lines that 'Load +5 older logs' adds. */
const STEP_SIZE = 5
/** Lines that are read at once to fill the viewer, and when one scrolls near an end. */
const FILL_SIZE = 50
/** Pixels that an arrow key scrolls. */
const ARROW_STEP = 60

/** One log of an event's instrument: read around the event, searched, and loaded in both directions. */
export function LogViewer(props: {
  event: ServiceEvent
  place: EventPlace
  log: LogChoice
  onLog: (log: LogChoice) => void
  onClose: () => void
}) {
  const { event, log } = props
  const opening = windowOfEvent(event.logGeneratedAt, props.place)
  const [window, setWindow] = useState<LogWindow>(opening)
  const [search, setSearch] = useState('')
  /** The line shown with its neighbours, instead of the search. */
  const [context, setContext] = useState<LogHit | null>(null)
  const [cameFrom, setCameFrom] = useState<string | null>(null)
  /** The time pressed in the strip, in ms since 1970. */
  const [sought, setSought] = useState<number | null>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const isPhone = useMediaQuery('(width < 720px)', false, { getInitialValueInEffect: false })
  const available = useQuery(availableLogsQuery(event.instrumentInstalledProductId))

  function lookAt(next: Partial<{ window: LogWindow; search: string }>) {
    setContext(null)
    setCameFrom(null)
    setSought(null)
    if (next.window !== undefined) setWindow(next.window)
    if (next.search !== undefined) setSearch(next.search)
  }

  /** The pressed button is gone, so focus moves to the lines. */
  function showContext(line: LogHit | null) {
    if (line === null && context !== null) setCameFrom(context._id)
    setContext(line)
    scroller.current?.focus()
  }

  function handleKey(key: KeyboardEvent<HTMLElement>) {
    const { target, currentTarget } = key
    // The calendar above the viewer has its own keys.
    if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return
    // Escape empties a search before it closes the viewer.
    const isEmpty = !(target instanceof HTMLInputElement) || target.value === ''
    if (key.key === 'Escape' && isEmpty && !key.nativeEvent.isComposing) props.onClose()
    const element = scroller.current
    if (!(target instanceof HTMLInputElement) || element === null) return
    // Lines can be scrolled from the search box, too.
    const page = element.clientHeight * 0.85
    const steps: Record<string, number> = { ArrowUp: -ARROW_STEP, ArrowDown: ARROW_STEP, PageUp: -page, PageDown: page }
    const step = steps[key.key]
    if (step === undefined) return
    key.preventDefault()
    element.scrollTop += step
  }

  const name = event.instrumentDefinedSystemName ?? event.instrumentProductDescription
  return (
    <Modal
      opened
      onClose={props.onClose}
      // Otherwise Escape would close the viewer together with an open calendar.
      closeOnEscape={false}
      returnFocus={false}
      fullScreen={isPhone}
      size={1240}
      xOffset={24}
      yOffset={24}
      title={
        <Group component="span" gap="0 12px" align="baseline">
          <bdi>{logLabel(log)}</bdi>
          <Text span c="dimmed" fw={450}>
            {name !== null && (
              <>
                <bdi>{name}</bdi> ·{' '}
              </>
            )}
            {event.instrumentInstalledProductId} · {eventName(event)}
          </Text>
        </Group>
      }
      classNames={{ content: styles.content ?? '', body: styles.content ?? '' }}
      styles={isPhone ? { content: { border: 0 } } : undefined}
      onKeyDown={handleKey}
    >
      <Group gap={8} px={14} pt={4} pb={12}>
        <LogSelect
          label="Log"
          logs={available.data?.values ?? []}
          chosen={log}
          onChoose={(next) => {
            lookAt({})
            props.onLog(next)
          }}
        />
        <Flex flex={{ base: '1 0 100%', md: '0 1 300px' }} style={{ order: isPhone ? 1 : 0 }}>
          <SearchBox
            label="Search logs"
            keyword={search}
            maxLength={SEARCH_LENGTH}
            // On a phone, the on-screen keyboard would cover the lines.
            isFirst={!matchMedia('(pointer: coarse)').matches}
            onChange={(text) => lookAt({ search: text.trim() })}
          />
        </Flex>
        <DateRangePicker
          start={window.from}
          stop={window.to}
          onChange={({ start, stop }) => lookAt({ window: { from: start, to: stop } })}
        />
        {(available.data?.runs.length ?? 0) > 0 && (
          <NativeSelect
            style={{ textOverflow: 'ellipsis' }}
            aria-label="Run"
            value={
              isSameWindow(opening, window)
                ? ''
                : (available.data?.runs.find((run) => isSameWindow(windowOfRun(run), window))?.from ?? OTHER_TIME)
            }
            onChange={({ target }) => {
              const run = available.data?.runs.find(({ from }) => from === target.value)
              lookAt({ window: run ? windowOfRun(run) : opening })
            }}
          >
            <option value="">Around the event</option>
            <option value={OTHER_TIME} hidden>
              Other time
            </option>
            {available.data?.runs.map((run) => (
              <option key={run.from} value={run.from}>
                {`Run ${run.run}, ${formatInstrumentTime(run.from)}`}
              </option>
            ))}
          </NativeSelect>
        )}
        {context !== null && (
          <Button
            variant="default"
            style={{ order: 2 }}
            leftSection={<IconArrowLeft size={15} stroke={1.7} aria-hidden="true" />}
            onClick={() => showContext(null)}
          >
            Back to search
          </Button>
        )}
      </Group>
      <LogStrip
        source={{ installedProductId: event.instrumentInstalledProductId, ...log }}
        window={window}
        search={search}
        moment={event.logGeneratedAt}
        onGo={(at) => {
          lookAt({})
          setSought(at)
        }}
      />
      <LogReader
        // A different log starts with fresh state.
        key={writeLog(log)}
        event={event}
        log={log}
        window={window}
        search={context === null ? search : ''}
        size={search === '' && window.from === opening.from && window.to === opening.to ? OPENING_SIZE : RELOAD_SIZE}
        context={context}
        sought={sought}
        markedId={context?._id ?? cameFrom}
        isPhone={isPhone}
        onContext={showContext}
        onEvent={() => lookAt({ window: opening })}
        scroller={scroller}
      />
    </Modal>
  )
}

const OTHER_TIME = 'other'

/** Returns the window of the lines of a run; while it is on, the end of today. */
function windowOfRun({ from, to }: InstrumentRun): LogWindow {
  return { from, to: to ?? endOfDay(new Date()).toISOString() }
}

function isSameWindow(one: LogWindow, other: LogWindow): boolean {
  return one.from === other.from && one.to === other.to
}

/** Shows the lines of one log in a window and a search, with buttons that load more. */
function LogReader(props: {
  event: ServiceEvent
  log: LogChoice
  window: LogWindow
  search: string
  /** Number of lines of the first page. */
  size: number
  /** Line to show with its neighbours instead. */
  context: LogHit | null
  /** Time to show instead of the event, in ms since 1970. */
  sought: number | null
  markedId: string | null
  isPhone: boolean
  onContext: (hit: LogHit) => void
  /** Called if the event lies outside the shown lines. */
  onEvent: () => void
  scroller: RefObject<HTMLDivElement | null>
}) {
  const { event, log, window, search, context, sought, markedId, isPhone, scroller } = props
  const moment = event.logGeneratedAt
  const [readAt, setReadAt] = useState(() => Date.now())
  const { query, older, newer, ...read } = useLogPages({
    source: { installedProductId: event.instrumentInstalledProductId, ...log },
    // The neighbours of a line may lie outside the searched window.
    window: context === null ? window : null,
    search,
    around: context ?? sought ?? Date.parse(isWithin(window, moment) ? moment : window.to),
    sizes: { first: props.size, more: STEP_SIZE },
    readAt,
  })
  // While other lines load, and if that fails, the previous ones stay.
  const kept = useRef<LogPage | undefined>(undefined)
  if (read.page !== undefined) kept.current = read.page
  const page = read.page ?? kept.current
  const isStale = read.page === undefined
  const { copied, copy } = useCopied()
  const isMomentShown = context !== null || isWithin(window, moment)
  const rows = useMemo(
    () => (page === undefined ? [] : logRows(page, isMomentShown ? moment : null)),
    [page, isMomentShown, moment],
  )
  const columns = logColumns[log.logType]
  const view = JSON.stringify([window, search, context?._id, sought, readAt])
  const found = sought === null ? undefined : page?.lines.find(({ sort }) => sort[0] >= sought)
  useLogScroll(scroller, {
    view: isStale ? null : view,
    firstId: page?.lines[0]?._id ?? null,
    lastId: page?.lines.at(-1)?._id ?? null,
    targetId: markedId ?? found?._id ?? null,
  })

  /** Reads on at the end that comes near, so that there are always lines to scroll to. */
  function fill() {
    const element = scroller.current
    if (element === null || page === undefined || isStale || query.isFetching) return
    const { scrollTop, clientHeight, scrollHeight } = element
    if (page.hasOlder && !older.hasFailed && scrollTop < clientHeight) older.read(FILL_SIZE)
    else if (page.hasNewer && !newer.hasFailed && scrollHeight - scrollTop < 2 * clientHeight) newer.read(FILL_SIZE)
  }
  const fillAfterReading = useEffectEvent(() => {
    // The neighbours of a line are three on either side, until one scrolls.
    if (context === null) fill()
  })
  useEffect(() => fillAfterReading(), [page, query.isFetching])

  if (page === undefined && query.isError) return <FailedQuery title="Could not get logs" query={query} />
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
  const isOpenEnded = context === null && isGoingOn(window, Date.now())
  const hasFoundNone = isOpenEnded && query.data !== undefined && query.data.pages.at(-1)?.lines.length === 0
  const isMore = !page.hasOlder && !page.hasNewer && page.total > page.lines.length
  const mayCome = page.hasNewer || isOpenEnded
  return (
    <>
      <Group {...bar}>
        <LoadButton icon={IconArrowUp} log={older} hasMore={page.hasOlder && !isStale}>
          Load +5 older logs
        </LoadButton>
        {older.hasFailed ? (
          <RetryLine onRetry={() => older.read()}>Could not get logs</RetryLine>
        ) : (
          !page.hasOlder && missing === null && !isPhone && <Text c="dimmed">No older logs{within}</Text>
        )}
        <Text role="status" c="dimmed" ml="auto" ta="end" hidden={isPhone && older.hasFailed}>
          {query.isFetching && isStale ? 'Loading…' : countLabel(page, search)}
        </Text>
        <BarButton
          icon={IconFocusCentered}
          isPhone={isPhone}
          onClick={() => {
            const isThere = rows.some(({ kind }) => kind === 'moment')
            if (isThere && scroller.current !== null) bringIntoView(scroller.current, null)
            else props.onEvent()
          }}
        >
          To the event
        </BarButton>
      </Group>
      {isStale && query.isError && (
        <Box px={14} pb={8}>
          <RetryLine onRetry={() => void query.refetch()}>Could not get logs</RetryLine>
        </Box>
      )}
      {missing !== null && (
        <Box px={14} pb={8}>
          <RetryLine onRetry={reload}>{missingLines(missing)}</RetryLine>
        </Box>
      )}
      <LogLines
        name={logLabel(log)}
        rows={rows}
        columns={columns}
        event={event}
        markedId={markedId}
        isStale={isStale}
        onContext={search === '' ? null : props.onContext}
        onScroll={fill}
        scroller={scroller}
      />
      <Group {...bar}>
        <LoadButton icon={IconArrowDown} log={newer} hasMore={mayCome && !isStale}>
          Load +5 newer logs
        </LoadButton>
        {newer.hasFailed ? (
          <RetryLine onRetry={() => newer.read()}>Could not get logs</RetryLine>
        ) : (
          <Text role="status" c="dimmed" hidden={isPhone && !isMore}>
            {isMore ? (
              <>
                More lines have arrived.{' '}
                <Anchor component="button" type="button" inherit onClick={reload}>
                  Reload
                </Anchor>
              </>
            ) : hasFoundNone ? (
              'No newer logs yet'
            ) : (
              !mayCome && `No newer logs${within}`
            )}
          </Text>
        )}
        <Text c="dimmed" ml="auto" ta="end" hidden={isPhone && (isMore || newer.hasFailed)}>
          Oldest first
        </Text>
        <BarButton
          icon={copied === null ? IconCopy : IconCheck}
          isPhone={isPhone}
          onClick={() => void copy('all', copiedLines(page.lines, columns))}
        >
          <span role="status">{copied === null ? 'Copy all shown' : 'Copied'}</span>
        </BarButton>
      </Group>
    </>
  )
}

const bar = { gap: '6px 12px', px: 14, py: 8, className: styles.bar ?? '' }

/** Returns `6 of 128 log lines`, `2 matches`; `6 of at least 128 log lines` while older lines cannot be read. */
export function countLabel({ lines, total, completeFrom }: LogPage, search: string): string {
  const all = totalLabel(total, search === '' ? ['log line', 'log lines'] : ['match', 'matches'])
  if (completeFrom) return `${lines.length.toLocaleString('en')} of at least ${all}`
  return lines.length === total ? all : `${lines.length.toLocaleString('en')} of ${all}`
}

/** Keeps the focus while loading and when there is no more. */
function LoadButton(props: {
  icon: TablerIcon
  log: { isLoading: boolean; read: () => void }
  hasMore: boolean
  children: ReactNode
}) {
  const { icon: Icon, log, hasMore } = props
  const isOff = !hasMore || log.isLoading
  return (
    <Button
      variant="default"
      flex="none"
      leftSection={<Icon size={15} stroke={1.7} aria-hidden="true" />}
      aria-disabled={isOff || undefined}
      data-disabled={!hasMore || undefined}
      data-busy={log.isLoading || undefined}
      onClick={() => !isOff && log.read()}
    >
      {props.children}
    </Button>
  )
}

/** A button at the end of a bar; on a phone only its icon is visible. */
function BarButton(props: { icon: TablerIcon; isPhone: boolean; onClick: () => void; children: ReactNode }) {
  const { icon: Icon, isPhone } = props
  const icon = <Icon size={15} stroke={1.7} aria-hidden="true" />
  return (
    <Button
      variant="default"
      flex="none"
      miw={44}
      px={isPhone ? 0 : undefined}
      leftSection={isPhone ? undefined : icon}
      onClick={props.onClick}
    >
      {isPhone && icon}
      {isPhone ? <VisuallyHidden>{props.children}</VisuallyHidden> : props.children}
    </Button>
  )
}

/** Skeleton of log lines. */
function LogLinesSkeleton() {
  return (
    <Box flex={1} pt={110} role="status" aria-label="Loading logs" className={styles.bar}>
      {Array.from({ length: OPENING_SIZE }, (_, index) => (
        <Group key={index} gap={26} h={30} px={14} wrap="nowrap">
          <SkeletonLine width="78px" />
          <SkeletonLine width="46px" />
          <SkeletonLine width={`${30 + ((index * 17) % 40)}%`} />
        </Group>
      ))}
    </Box>
  )
}

/**
 * Keeps the visible lines in place. A new view starts with its target in the middle, and keeps it there until the user
 * scrolls: a line, else the moment of the event, else the newest line. After that, older lines push nothing down, and
 * newer ones move nothing.
 */
function useLogScroll(
  scroller: RefObject<HTMLDivElement | null>,
  /** `view` identifies what is read, null while it loads; `firstId` and `lastId` are its first and last line. */
  shown: { view: string | null; firstId: string | null; lastId: string | null; targetId: string | null },
): void {
  const { view, firstId, lastId, targetId } = shown
  const before = useRef<{ view: string | null; firstId: string | null; scrollTop: number }>({
    view: null,
    firstId: null,
    scrollTop: 0,
  })
  // Read during render, while the screen still shows the previous state.
  const { current: element } = scroller
  const fromBottom = element === null ? 0 : element.scrollHeight - element.scrollTop

  // biome-ignore lint/correctness/useExhaustiveDependencies: newer lines make room for the target in the middle.
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null || view === null) return
    const last = before.current
    if (last.view !== view || last.scrollTop === element.scrollTop) {
      bringIntoView(element, targetId)
      before.current = { view, firstId, scrollTop: element.scrollTop }
    } else {
      if (last.firstId !== firstId) element.scrollTop = element.scrollHeight - fromBottom
      // No place equals this one, so the target stays free.
      before.current = { view, firstId, scrollTop: Number.NaN }
    }
    // Only what is shown moves the place; its distance from the bottom is that of the moment before.
    // oxlint-disable-next-line react/exhaustive-deps -- fromBottom changes with every drawing
  }, [scroller, view, firstId, lastId, targetId])
}

/** Scrolls the marked line, or the moment of the event, to the middle. */
function bringIntoView(element: HTMLElement, targetId: string | null): void {
  const line = targetId === null ? null : element.querySelector<HTMLElement>(`[data-line="${CSS.escape(targetId)}"]`)
  const target = line ?? element.querySelector<HTMLElement>('[data-moment]')
  element.scrollTop =
    target === null ? element.scrollHeight : target.offsetTop - (element.clientHeight - target.offsetHeight) / 2
}
