import { severityLabels } from '@benchwatch/contract/vocabulary'
import { Anchor, Box, Button, Divider, Flex, Group, Paper, SimpleGrid, Text, VisuallyHidden } from '@mantine/core'
import { ApiError } from '../../../lib/http.ts'
import { EmptyState, ErrorState, Notice, RetryLine } from '../../../ui/text/notice.tsx'
import { SkeletonLine } from '../../../ui/text/skeleton.tsx'
import { logLabel } from '../log-labels.ts'
import { missingBefore } from '../log-pages.ts'
import { formatLineDay, formatLineTime, missingLines } from '../log-time.ts'
import { clockDifferenceLabel, type Side, sides } from './compare-address.ts'
import {
  type ComparePlace,
  type CompareRow,
  type Direction,
  densityOf,
  lineKey,
  nextToRead,
  type PlacedLine,
  rowAt,
} from './compare-lines.ts'
import { CompareHead, CompareTools, sideColors } from './compare-tools.tsx'
import { type ComparedLogs, type Comparison, type ComparisonInput, useComparison } from './use-comparison.ts'
import '@mantine/core/styles/Divider.layer.css'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { eventName } from '../../../lib/screen-name.ts'
import { formatSpan } from '../../../lib/time/duration.ts'
import { ChartReader } from '../../../ui/charts/chart-reader.tsx'
import {
  fieldLabels,
  foundElsewhere,
  LineTime,
  LogFieldText,
  LogMessage,
  logColumns,
  useOpenLines,
} from '../log-line.tsx'
import styles from './compare.module.css'

/**
 * Two logs of an instrument on one time axis, with the moment of an event marked across both. The state is in the
 * address; changes go out through `onAddress`.
 */
export function CompareLogs(props: ComparisonInput) {
  const comparison = useComparison(props)
  const { address, available, compared, picking, stopPicking } = comparison
  if (available.error instanceof ApiError && available.error.status === 404)
    return (
      <ErrorState title="Instrument could not be found.">
        It may have been removed, or it belongs to a customer that you can’t see. Check its id in the address.
      </ErrorState>
    )
  return (
    <>
      {address.problems.length > 0 && (
        <Notice tone="warning">
          {address.problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Notice>
      )}
      {available.isError && (
        <RetryLine onRetry={() => void available.refetch()}>Could not get the list of logs</RetryLine>
      )}
      <CompareTools of={comparison} />
      <Paper
        withBorder
        display="flex"
        style={{ flexDirection: 'column', overflow: 'hidden' }}
        flex={{ base: 'none', md: 1 }}
        h={{ base: 'calc(100dvh - var(--bw-header) - var(--bw-bottom, 0px) - 20px)', md: 'auto' }}
        mih={{ base: 420, md: 320 }}
      >
        {picking !== null && (
          <Group role="status" justify="space-between" gap="6px 16px" px={12} py={8} bg="var(--bw-accent-soft)">
            <Text>{pickingText(comparison, picking.picked)}</Text>
            <Button variant="default" size="compact-sm" onClick={stopPicking}>
              Cancel
            </Button>
          </Group>
        )}
        <CompareTable
          of={comparison}
          instead={insteadOfLines(comparison)}
          older={<LogEnd of={compared} direction="older" />}
          newer={<LogEnd of={compared} direction="newer" />}
        />
      </Paper>
      <VisuallyHidden role="status">{comparison.said}</VisuallyHidden>
    </>
  )
}

/** Says why there are no lines to show, and what to do; null if there are. */
function insteadOfLines({ compared, lines }: Comparison) {
  if (compared.isLoading) return <CompareSkeleton />
  if (lines.length > 0) return null
  const logs = sides.map((side) => compared.logs[side])
  const missing = missingOf(compared)
  if (missing !== null) return <ErrorState title={missing.sentence} onRetry={missing.retry} />
  if (logs.some(({ status }) => status === 'ready'))
    return <EmptyState title="No logs found - Try a different timespan, text-search or log-type" />
  if (logs.some(({ status }) => status === 'failed'))
    return <ErrorState title="Could not get logs" onRetry={() => logs.forEach(({ query }) => void query.refetch())} />
  return <EmptyState title="Choose two logs">Their lines are shown side by side in order of time.</EmptyState>
}

/** Instructions while the user picks two lines of the same moment. */
function pickingText({ address }: Comparison, picked: PlacedLine | null): string {
  if (picked === null)
    return 'Align: select the time of a line on either side, then the line of the same moment on the other.'
  const name = (side: Side) => (address[side] === null ? '' : logLabel(address[side]))
  const other = name(picked.side === 'first' ? 'second' : 'first')
  return `${name(picked.side)} ${formatLineTime(picked.at)} is selected. Now select the line of the same moment in ${other}.`
}

/** Text above the oldest row and below the newest. */
function LogEnd({ of: compared, direction }: { of: ComparedLogs; direction: Direction }) {
  const { logs, pair } = compared
  const readable = sides.map((side) => logs[side]).filter(({ status }) => status === 'ready')
  const failed = readable.filter((log) => log[direction].hasFailed)
  if (failed.length > 0)
    return <RetryLine onRetry={() => failed.forEach((log) => log[direction].read())}>Could not get logs</RetryLine>
  if (nextToRead(pair, direction) !== null || readable.some((log) => log[direction].isLoading))
    return `Loading ${direction} lines…`
  const missing = direction === 'older' ? missingOf(compared) : null
  if (missing !== null) return <RetryLine onRetry={missing.retry}>{missing.sentence}</RetryLine>
  if (direction === 'older') return 'No older lines'
  // An empty log has no line to continue from, so it is read again.
  const checkAgain = () =>
    readable.forEach(({ page, query, newer }) => void (page?.lines.length ? newer.read() : query.refetch()))
  return (
    <>
      No newer lines{' '}
      <Anchor component="button" type="button" fz={12} fw={600} mih={24} ml={6} onClick={checkAgain}>
        Check again
      </Anchor>
    </>
  )
}

/** Returns what to say and to do in place of older lines that cannot be read; null if all can. */
function missingOf({ logs }: ComparedLogs): { sentence: string; retry: () => void } | null {
  const affected = sides.map((side) => logs[side]).filter(({ page }) => page && missingBefore(page) !== null)
  const [latest] = affected
    .flatMap(({ page }) => page?.completeFrom ?? [])
    .sort()
    .reverse()
  if (latest === undefined) return null
  return { sentence: missingLines(latest), retry: () => affected.forEach(({ query }) => void query.refetch()) }
}

/** Lines of uneven width in both columns, so that it looks like two logs. */
export function CompareSkeleton() {
  return (
    <SimpleGrid cols={2} spacing={24} verticalSpacing={16} p={12} role="status" aria-label="Loading logs">
      {Array.from({ length: 32 }, (_, index) => (
        // The order never changes.
        <SkeletonLine key={index} width={`${30 + ((index * 37) % 60)}%`} />
      ))}
    </SimpleGrid>
  )
}

/** Loads more when fewer rows than this are left beyond the visible part. */
const NEAR_END_ROWS = 40
/** Milliseconds without scrolling before the address follows. */
const SETTLED_MS = 300
/** Space above and below all rows for the texts at the ends. */
const END_PX = 46
const end = { justify: 'center', flex: 'none', h: END_PX, fz: 12, c: 'dimmed' } as const
const noRows: readonly CompareRow[] = []

/** Rows of both logs in one scroll area; only visible rows are drawn. */
function CompareTable(props: {
  of: Comparison
  /** Shown instead of lines if there are none. */
  instead: ReactNode
  older: ReactNode
  newer: ReactNode
}) {
  const { of: comparison, instead, older, newer } = props
  const { target, isPhone, compared } = comparison
  const rows = instead === null ? comparison.rows : noRows
  const scroller = useRef<HTMLDivElement>(null)
  const [open, toggle] = useOpenLines()
  /** The target that the user has scrolled away from. */
  const leftTarget = useRef<ComparePlace>(null)
  const isMoved = leftTarget.current === target
  const move = () => {
    leftTarget.current = target
  }

  // Not by the shortcuts, which set another target.
  const moveByKey = (press: KeyboardEvent) => {
    if (!/^(?:Arrow|Page|Home|End| $)/.test(press.key)) return
    move()
    if (press.key !== 'End') return
    // The browser would go to where the end was before the rows in between were measured.
    press.preventDefault()
    virtualizer.scrollToEnd()
  }

  // oxlint-disable-next-line react/incompatible-library -- nothing here is compiled to keep what it once answered
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    // One line of text; the library makes up for the rest once a row above the visible part is measured.
    estimateSize: () => (isPhone ? 51 : 28),
    overscan: 12,
    paddingStart: END_PX,
    paddingEnd: END_PX,
    // Older lines push nothing down: the row at the top edge stays in place, found by its key.
    anchorTo: 'end',
    isScrollingResetDelay: SETTLED_MS,
  })

  // Until the user scrolls, the target stays in the middle, whatever loads above it and however high rows turn out to
  // be. The library's own method goes by the row's number, which changes with older lines.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = isMoved ? undefined : () => false
  const index = useMemo(() => rowAt(rows, target), [rows, target])
  useLayoutEffect(() => {
    const element = scroller.current
    const offset = isMoved || index === null ? undefined : virtualizer.getOffsetForIndex(index, 'center')?.[0]
    if (offset !== undefined && element !== null && Math.abs(element.scrollTop - offset) > 1) element.scrollTop = offset
  })

  const { range, isScrolling, scrollOffset } = virtualizer
  const drawn = virtualizer.getVirtualItems()
  const [top, height] = [scrollOffset ?? 0, scroller.current?.clientHeight ?? 0]
  const momentAt = (offset: number) => rows[virtualizer.getVirtualItemForOffset(offset)?.index ?? 0]?.at ?? 0
  const sight =
    rows.length === 0
      ? null
      : {
          from: momentAt(top),
          to: momentAt(top + height),
          middle: isMoved ? momentAt(top + height / 2) : target.at,
        }
  const report = useEffectEvent(() => {
    if (sight === null || range === null) return
    comparison.see(sight)
    if (range.startIndex < NEAR_END_ROWS) compared.readOn('older')
    if (range.endIndex > rows.length - NEAR_END_ROWS) compared.readOn('newer')
  })
  useEffect(() => report(), [sight?.from, sight?.to, range?.startIndex, range?.endIndex, rows, target])
  const settle = useEffectEvent(() => {
    if (isMoved && sight !== null) comparison.settleAt(sight.middle)
  })
  useEffect(() => {
    if (!isScrolling) settle()
  }, [isScrolling])

  return (
    <>
      {(compared.isLoading || rows.length > 0) && <CompareOverview of={comparison} inSight={sight} />}
      <Flex role="table" aria-label="Both logs by time" direction="column" flex={1} mih={0}>
        <div role="rowgroup" className={styles.head}>
          <div role="row" className={styles.row}>
            <CompareHead of={comparison} side="first" />
            <CompareHead of={comparison} side="second" />
          </div>
        </div>
        <div
          ref={scroller}
          role="rowgroup"
          aria-label="Lines"
          className={styles.scroller}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus, so that keys scroll it
          tabIndex={0}
          {...{ onWheel: move, onTouchMove: move, onPointerDown: move, onKeyDown: moveByKey }}
        >
          {instead !== null ? (
            <div role="row">
              <div role="cell">{instead}</div>
            </div>
          ) : (
            <Flex direction="column" className={styles.rows} h={virtualizer.getTotalSize()}>
              <Group role="row" {...end} mb={(drawn[0]?.start ?? END_PX) - END_PX}>
                <div role="cell">{older}</div>
              </Group>
              {drawn.map(({ index: place, key }) => {
                const row = rows[place]
                return (
                  row && (
                    <div
                      key={key}
                      ref={virtualizer.measureElement}
                      role="row"
                      data-index={place}
                      data-kind={row.kind}
                      className={styles.row}
                    >
                      <RowCells of={comparison} row={row} open={open} onToggle={toggle} />
                    </div>
                  )
                )
              })}
              <Group role="row" {...end} mt="auto">
                <div role="cell">{newer}</div>
              </Group>
            </Flex>
          )}
        </div>
      </Flex>
    </>
  )
}

function withoutLines(length: number): string {
  return `${formatSpan(length / 1000)} without lines`
}

/** Cells of one row, drawn again only if they change: scrolling draws the table many times a second. */
const RowCells = memo(function RowCells(props: {
  of: Comparison
  row: CompareRow
  open: ReadonlySet<string>
  onToggle: (key: string) => void
}) {
  const { of: comparison, row, open, onToggle } = props
  const { event, isPhone, siteZone } = comparison
  if (row.kind === 'lines') {
    const shown = isPhone ? sides.filter((side) => row[side] !== null) : sides
    return shown.map((side) => {
      const line = row[side]
      return (
        <div key={side} role="cell">
          {line === null ? (
            <Text h="100%" size="xs" c="var(--bw-ink-3)" px={12} py={4} bg="var(--bw-ground)">
              {row.silence !== null && withoutLines(row.silence)}
            </Text>
          ) : (
            <CompareLine of={comparison} line={line} isOpen={open.has(lineKey(line))} onToggle={onToggle} />
          )}
        </div>
      )
    })
  }
  if (row.kind === 'gap')
    return (
      <div role="cell">
        <Divider
          variant="dashed"
          color="var(--bw-line-strong)"
          label={withoutLines(row.length)}
          px={14}
          py={3}
          bg="var(--bw-ground)"
        />
      </div>
    )
  if (row.kind === 'day' || event === null)
    return (
      <Text role="cell" size="xs" fw={600} c="dimmed" px={12} py={7} bg="var(--bw-ground)">
        {formatLineDay(row.at)}
      </Text>
    )
  const color = `var(--bw-${event.severity}`
  const shadow = `inset 0 2px 0 ${color})`
  return (
    <Text role="cell" fw={620} px={12} py={7} c={`${color}-ink)`} bg={`${color}-soft)`} style={{ boxShadow: shadow }}>
      <LineTime at={event.at} siteZone={siteZone} /> {eventName(event)} was generated · {severityLabels[event.severity]}
    </Text>
  )
})

/** One line in half of the screen: its time, then its fields and the message as running text. */
function CompareLine(props: { of: Comparison; line: PlacedLine; isOpen: boolean; onToggle: (key: string) => void }) {
  const { of: comparison, line, isOpen, onToggle } = props
  const { picking, current, isPhone, siteZone, address } = comparison
  const { side, hit, at } = line
  const key = lineKey(line)
  const isPicked = picking?.picked ? lineKey(picking.picked) === key : false
  const log = address[side]
  if (log === null) return null
  const ahead = comparison.aheadOf(side)
  const columns = logColumns[log.logType].filter((field) => (hit._source[field] ?? '') !== '')
  const written = `Written as ${formatLineTime(hit._source['@timestamp'])} by a clock ${clockDifferenceLabel(ahead)}`
  const time = <LineTime at={at} siteZone={siteZone} note={ahead === 0 ? undefined : written} />
  return (
    <div
      className={styles.line}
      style={{ borderColor: sideColors[side] }}
      data-side={side}
      data-current={current === key || undefined}
    >
      <div className={styles.when}>
        {picking === null ? (
          time
        ) : (
          <Button
            variant={isPicked ? 'filled' : 'default'}
            h={isPhone ? 44 : 24}
            // No higher than the text that it stands for, so that rows stay in place.
            m={isPhone ? undefined : '-2.5px -6px'}
            style={{ verticalAlign: 'top' }}
            px={5}
            fz={13}
            fw={400}
            aria-pressed={isPicked}
            aria-label={`Same moment: ${logLabel(log)} at ${formatLineTime(at)}`}
            onClick={() => comparison.pick(line)}
          >
            {time}
          </Button>
        )}
        {isPhone && (
          <Text span fz={11} fw={700} c={sideColors[side]} ml={8}>
            {log.computerName ?? logLabel(log)}
          </Text>
        )}
      </div>
      <div className={styles.text}>
        {[...columns, ...foundElsewhere(hit, columns)].map((field) =>
          field === 'message' ? null : (
            <span key={field} title={fieldLabels[field]}>
              <LogFieldText hit={hit} field={field} />
            </span>
          ),
        )}
        <LogMessage hit={hit} isOpen={isOpen} onToggle={() => onToggle(key)} />
      </div>
    </div>
  )
}

const BINS = 160
const noMargins = { top: 0, right: 0, bottom: 0, left: 0 }

/** Shows how busy both logs were in everything loaded: the first log upwards, the second downwards. A press goes there. */
function CompareOverview(props: { of: Comparison; inSight: { from: number; to: number; middle: number } | null }) {
  const { of: comparison, inSight } = props
  const { lines, eventAt, target, goTo } = comparison
  const density = useMemo(() => densityOf(lines, { eventAt, bins: BINS }), [lines, eventAt])
  if (density === null) return <Box h={68} className={styles.overview} />
  const { from, to } = density
  const place = (at: number) => Math.min(1, Math.max(0, (at - from) / (to - from))) * BINS
  const startOf = (bin: number) => Math.round(from + ((to - from) * bin) / BINS)
  /** Draws bars from the middle line of a drawing 100 units high. */
  const bars = (heights: readonly number[], height: number) =>
    heights.map((part, bin) => (part === 0 ? '' : `M${bin} 50h.8v${part * height}h-.8z`)).join('')
  return (
    <Box px={14} py={6} className={styles.overview}>
      <ChartReader
        label="Lines over time. Enter shows the lines of a time"
        count={BINS}
        start={Math.min(BINS - 1, Math.floor(place(inSight?.middle ?? target.at)))}
        read={(bin) => spanLabel(startOf(bin), startOf(bin + 1))}
        onPress={(bin) => goTo({ at: startOf(bin) })}
        plot={noMargins}
      >
        <svg
          viewBox={`0 0 ${BINS} 100`}
          width="100%"
          height={34}
          display="block"
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path fill={sideColors.first} d={bars(density.first, -48)} />
          <path fill={sideColors.second} d={bars(density.second, 48)} />
          {inSight !== null && (
            <rect
              x={place(inSight.from)}
              width={Math.max(0.5, place(inSight.to) - place(inSight.from))}
              height={100}
              fill="color-mix(in srgb, var(--bw-ink-1) 9%, transparent)"
              stroke="var(--bw-ink-3)"
              vectorEffect="non-scaling-stroke"
            />
          )}
          {eventAt !== null && (
            <path
              d={`M${place(eventAt)} 0v100`}
              stroke="var(--bw-high)"
              strokeWidth={2}
              vectorEffect="non-scaling-stroke"
            />
          )}
        </svg>
      </ChartReader>
    </Box>
  )
}

/** Returns `Fri 20-Nov-2026 13:55:01–13:55:03`, with both days if they differ. */
function spanLabel(from: number, to: number): string {
  const [begin, end] = [from, to].map((at) => formatLineTime(at).slice(0, 8))
  const [day, next] = [formatLineDay(from), formatLineDay(to)]
  return `${day} ${begin}–${day === next ? end : `${next} ${end}`}`
}
