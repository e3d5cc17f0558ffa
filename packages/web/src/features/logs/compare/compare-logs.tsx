import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { ApiError } from '../../../lib/http.ts'
import { useShortcuts } from '../../../ui/overlay/use-shortcuts.ts'
import { EmptyState, ErrorState, Notice, RetryLine } from '../../../ui/text/notice.tsx'
import { logLabel } from '../log-labels.ts'
import { formatLineTime, missingLines } from '../log-time.ts'
import { availableLogsQuery } from '../logs.api.ts'
import { totalLabel } from '../viewer/log-pages.ts'
import {
  type CompareAddress,
  type ComparedEvent,
  type ComparePlace,
  correctedLog,
  type Direction,
  type LogChoice,
  lineKey,
  type Sight,
} from './compare-address.ts'
import { correctedSide, type Side, sides } from './compare-clock.ts'
import { CompareHead, type HeadSide } from './compare-head.tsx'
import type { LineDrawing } from './compare-line.tsx'
import styles from './compare-logs.module.css'
import { type CompareRow, compareRows } from './compare-rows.ts'
import { CompareSkeleton } from './compare-skeleton.tsx'
import {
  coversMoment,
  nextToRead,
  type PlacedLine,
  type StreamPair,
  sharedLines,
  sharedSpan,
} from './compare-stream.ts'
import { CompareTable } from './compare-table.tsx'
import { CompareTools } from './compare-tools.tsx'
import { useComparison } from './use-comparison.ts'
import { type Compared, useComparedLogs } from './use-log-stream.ts'

/**
 * Two logs of an instrument on one time axis, with the moment of an event marked across both. The state is in the
 * address; changes go out through `onAddress`.
 */
export function CompareLogs(props: {
  installedProductId: string
  address: CompareAddress
  event: ComparedEvent | null
  /** IANA zone of the instrument, if known. */
  siteZone: string | null
  onAddress: (address: CompareAddress) => void
}) {
  const { installedProductId, address, event, siteZone } = props
  const available = useQuery(availableLogsQuery(installedProductId))
  const isPhone = useMediaQuery('(width < 720px)', false, { getInitialValueInEffect: false })
  const searchBox = useRef<HTMLInputElement>(null)
  const comparison = useComparison({ address, eventAt: event?.at ?? null, onAddress: props.onAddress })
  const { anchor, current, picking } = comparison

  const input = { installedProductId, ...pairOf(address), ahead: address.ahead, anchor }
  const compared = useComparedLogs({ ...input, search: '' })
  const term = address.search.trim()
  const matches = useComparedLogs({ ...input, search: term === '' ? null : term })
  const { lines, rows, isEventRead } = useComparedLines(compared.pair, matches.pair, {
    eventAt: event?.at ?? null,
    isInterleaved: isPhone,
  })
  const reportShown = useEffectEvent(() => comparison.show({ pair: compared.pair, rows }))
  useLayoutEffect(() => reportShown(), [compared.pair, rows])

  const seeking = useMatchSeek({
    matches,
    place: () => {
      const at = current === null ? undefined : lineOf(current)?.at
      const inSight = comparison.sightNow()
      const isSeen = at !== undefined && inSight !== null && at >= inSight.from && at <= inSight.to
      return isSeen && current !== null ? { at, line: current } : { at: comparison.middle() }
    },
    sight: comparison.sightNow,
    onFound: comparison.goToMatch,
    onNone: (direction) => comparison.say(direction === 'newer' ? 'No later match' : 'No earlier match'),
  })

  function lineOf({ side, id }: NonNullable<typeof current>) {
    return lines.find((line) => line.side === side && line.hit._id === id)
  }

  const onEvent = event === null ? null : () => comparison.goTo({ at: event.at })
  useShortcuts({
    '/': () => searchBox.current?.focus(),
    ...(term !== '' && { n: () => seeking.seek('newer'), N: () => seeking.seek('older') }),
    ...(onEvent !== null && { e: onEvent }),
    ...(picking !== null && { Escape: comparison.stopPicking }),
  })

  const isPicking = picking !== null
  const { pick } = comparison
  const drawing = useMemo(() => {
    const of = (side: Side): LineDrawing | null => {
      const log = address[side]
      const isCorrected = side === correctedSide(address.first)
      return log === null
        ? null
        : {
            log,
            side,
            siteZone,
            ahead: isCorrected ? address.ahead : 0,
            onPick: isPicking ? pick : null,
            isTagged: isPhone,
          }
    }
    return { first: of('first'), second: of('second') }
  }, [address, siteZone, isPicking, pick, isPhone])

  if (available.error instanceof ApiError && available.error.status === 404)
    return (
      <ErrorState title="Instrument could not be found.">
        It may have been removed, or it belongs to a customer that you can’t see. Check its id in the address.
      </ErrorState>
    )

  const headSide = (side: Side): HeadSide => {
    const reading = compared.readings[side]
    const found = matches.readings[side]
    return {
      log: address[side],
      ahead: drawing[side]?.ahead ?? 0,
      matches: found.status === 'ready' ? matchCount(found.total) : null,
      onRetry: reading.status === 'failed' ? reading.retry : found.status === 'failed' ? found.retry : null,
      isEmpty: reading.stream?.lines.length === 0,
    }
  }
  const clockOf = correctedLog(address)
  const statuses = sides.map((side) => compared.readings[side].status)
  const isLoading = statuses.includes('loading')
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
      <CompareTools
        search={address.search}
        searchBox={searchBox}
        onSearch={comparison.search}
        onSeek={term === '' ? null : seeking.seek}
        isSeeking={seeking.isSeeking}
        middle={comparison.middle}
        onMoment={(at) => comparison.goTo({ at })}
        onEvent={onEvent}
        clock={
          clockOf && {
            name: clockOf.computerName ?? logLabel(clockOf),
            ahead: address.ahead,
            canAlign: compared.pair.first !== null && compared.pair.second !== null,
            onChange: comparison.changeClock,
            onAlign: comparison.startPicking,
          }
        }
      />
      <CompareTable
        rows={rows}
        drawing={drawing}
        event={event}
        siteZone={siteZone}
        isInterleaved={isPhone}
        overview={
          isLoading || lines.length > 0 ? { lines, eventAt: isEventRead && event !== null ? event.at : null } : null
        }
        destination={comparison.destination}
        current={current}
        picked={picking?.picked ? { side: picking.picked.side, id: picking.picked.hit._id } : null}
        request={
          picking !== null && (
            <ComparePicking picked={picking.picked} logs={pairOf(address)} onCancel={comparison.stopPicking} />
          )
        }
        head={
          <CompareHead
            sides={{ first: headSide('first'), second: headSide('second') }}
            logs={available.data?.values ?? []}
            onChoose={comparison.chooseLog}
            onSwap={comparison.swap}
          />
        }
        ends={{
          older: <CompareEnd compared={compared} direction="older" />,
          newer: <CompareEnd compared={compared} direction="newer" />,
        }}
        instead={
          isLoading ? (
            <CompareSkeleton />
          ) : (
            insteadOfLines(statuses, { hasLines: lines.length > 0, missing: missingOf(compared.readings), retry })
          )
        }
        onNearEnd={(direction) => readOn(compared, direction)}
        onSight={(next) => {
          comparison.see(next)
          seeking.followSight(next)
        }}
        onSettled={comparison.settleAt}
        onMoment={(at) => comparison.goTo({ at })}
      />
      <p role="status" className={styles.said}>
        {comparison.said}
      </p>
    </>
  )

  function retry() {
    for (const side of sides) compared.readings[side].retry()
  }
}

function pairOf({ first, second }: CompareAddress) {
  return { first, second }
}

/** Says why there are no lines to show, and what to do. */
function insteadOfLines(
  statuses: readonly string[],
  { hasLines, missing, retry }: { hasLines: boolean; missing: ReturnType<typeof missingOf>; retry: () => void },
) {
  if (hasLines) return null
  if (missing !== null) return <ErrorState title={missing.sentence} onRetry={missing.retry} />
  if (statuses.includes('ready'))
    return <EmptyState title="No logs found - Try a different timespan, text-search or log-type" />
  if (statuses.includes('failed')) return <ErrorState title="Could not get logs" onRetry={retry} />
  return <EmptyState title="Choose two logs">Their lines are shown side by side in order of time.</EmptyState>
}

/** Instructions while the user picks two lines of the same moment. */
function ComparePicking(props: {
  picked: PlacedLine | null
  logs: Readonly<Record<Side, LogChoice | null>>
  onCancel: () => void
}) {
  const { picked, logs } = props
  const other = picked === null ? null : logs[picked.side === 'first' ? 'second' : 'first']
  const own = picked === null ? null : logs[picked.side]
  return (
    <div className={styles.picking} role="status">
      <p>
        {picked === null || other === null || own === null
          ? 'Align: select the time of a line on either side, then the line of the same moment on the other.'
          : `${logLabel(own)} ${formatLineTime(picked.at)} is selected. Now select the line of the same moment in ${logLabel(other)}.`}
      </p>
      <Button variant="default" size="compact-sm" onClick={props.onCancel}>
        Cancel
      </Button>
    </div>
  )
}

/** Merges the lines of two logs by time, marks matches, and adds the event between rows. */
function useComparedLines(
  pair: StreamPair,
  matched: StreamPair,
  { eventAt, isInterleaved }: { eventAt: number | null; isInterleaved: boolean },
): { lines: readonly PlacedLine[]; rows: readonly CompareRow[]; isEventRead: boolean } {
  const plain = useMemo(() => sharedLines(pair), [pair])
  const lines = useMemo(() => withMatches(plain, matched), [plain, matched])
  const isEventRead = eventAt !== null && coversMoment(pair, eventAt)
  const rows = useMemo(
    () => compareRows(lines, { eventAt: isEventRead ? eventAt : null, isInterleaved }),
    [lines, isEventRead, eventAt, isInterleaved],
  )
  return { lines, rows, isEventRead }
}

/** Replaces lines by their copies from the search, which have the matches marked. */
function withMatches(lines: readonly PlacedLine[], matched: StreamPair): readonly PlacedLine[] {
  const found = new Map(
    sides.flatMap((side) =>
      (matched[side]?.stream.lines ?? []).map((hit) => [lineKey({ side, id: hit._id }), hit] as const),
    ),
  )
  if (found.size === 0) return lines
  return lines.map((line) => {
    const hit = found.get(lineKey({ side: line.side, id: line.hit._id }))
    return hit === undefined ? line : { ...line, hit }
  })
}

/** Text above the oldest row and below the newest. */
function CompareEnd({ compared, direction }: { compared: Compared; direction: Direction }) {
  const { readings, pair } = compared
  const readable = sides.filter((side) => readings[side].status === 'ready')
  const failed = readable.filter((side) => readings[side][direction].hasFailed)
  if (failed.length > 0)
    return (
      <RetryLine onRetry={() => failed.forEach((side) => readings[side][direction].read())}>
        Could not get logs
      </RetryLine>
    )
  if (nextToRead(pair, direction) !== null || readable.some((side) => readings[side][direction].isReading))
    return <span>{direction === 'older' ? 'Loading older lines…' : 'Loading newer lines…'}</span>
  const missing = direction === 'older' ? missingOf(readings) : null
  if (missing !== null) return <RetryLine onRetry={missing.retry}>{missing.sentence}</RetryLine>
  if (direction === 'older') return <span>No older lines</span>
  return (
    <span>
      No newer lines{' '}
      <button
        type="button"
        className={styles.again}
        onClick={() => {
          for (const side of readable) {
            const { stream, newer, retry } = readings[side]
            // An empty log has no line to continue from, so it is read again.
            if (stream?.lines.length === 0) retry()
            else newer.read()
          }
        }}
      >
        Check again
      </button>
    </span>
  )
}

/** Returns what to say and to do in place of older lines that cannot be read; null if all can. */
function missingOf(readings: Compared['readings']): { sentence: string; retry: () => void } | null {
  const affected = sides.filter((side) => readings[side].stream?.completeFrom)
  const [latest] = affected
    .flatMap((side) => readings[side].stream?.completeFrom ?? [])
    .sort()
    .reverse()
  if (latest === undefined) return null
  return { sentence: missingLines(latest), retry: () => affected.forEach((side) => readings[side].retry()) }
}

/** Loads more of the log that limits the shared span; after a failure only on request. */
function readOn({ readings, pair }: Compared, direction: Direction): void {
  const side = nextToRead(pair, direction)
  if (side === null || sides.some((one) => readings[one].status === 'loading')) return
  const onward = readings[side][direction]
  if (!onward.hasFailed) onward.read()
}

/**
 * Steps through the matches in both logs and loads more as needed. Also loads the matches of the visible part, so they
 * are marked.
 */
function useMatchSeek(props: {
  matches: Compared
  place: () => ComparePlace
  sight: () => Sight | null
  onFound: (match: PlacedLine) => void
  onNone: (direction: Direction) => void
}): { seek: (direction: Direction) => void; isSeeking: boolean; followSight: (sight: Sight) => void } {
  const { readings, pair } = props.matches
  const found = useMemo(() => sharedLines(pair), [pair])
  const [seeking, setSeeking] = useState<Direction | null>(null)

  function readOn(direction: Direction): boolean {
    const side = nextToRead(pair, direction)
    if (side === null || readings[side][direction].hasFailed) return false
    readings[side][direction].read()
    return true
  }

  function isLoading() {
    return readings.first.status === 'loading' || readings.second.status === 'loading'
  }

  function seek(direction: Direction) {
    if (isLoading()) {
      setSeeking(direction)
      return
    }
    const match = nextMatch(found, props.place(), direction)
    if (match !== null) {
      setSeeking(null)
      props.onFound(match)
    } else if (readOn(direction)) {
      setSeeking(direction)
    } else {
      setSeeking(null)
      props.onNone(direction)
    }
  }

  function followSight({ from, to }: Sight) {
    const span = sharedSpan(pair)
    if (isLoading() || (pair.first === null && pair.second === null)) return
    if (span.from > from) readOn('older')
    else if (span.to < to) readOn('newer')
  }

  const goOn = useEffectEvent(() => {
    if (seeking !== null) seek(seeking)
    const sight = props.sight()
    if (sight !== null) followSight(sight)
  })
  const failed = sides.some((side) => readings[side].older.hasFailed || readings[side].newer.hasFailed)
  useEffect(() => goOn(), [found, failed, readings.first.status, readings.second.status])

  return { seek, isSeeking: seeking !== null, followSight }
}

/** Returns the next match from there, in either log; null if none is loaded, or if there is none. */
export function nextMatch(
  matches: readonly PlacedLine[],
  { at, line }: ComparePlace,
  direction: Direction,
): PlacedLine | null {
  const index =
    line === undefined ? -1 : matches.findIndex(({ side, hit }) => side === line.side && hit._id === line.id)
  if (index !== -1) return matches[direction === 'newer' ? index + 1 : index - 1] ?? null
  return (
    (direction === 'newer' ? matches.find((match) => match.at >= at) : matches.findLast((match) => match.at <= at)) ??
    null
  )
}

/** Returns `1 match`, `37 matches`, `10,000+ matches`. */
export function matchCount(total: number): string {
  return `${totalLabel(total)} ${total === 1 ? 'match' : 'matches'}`
}
