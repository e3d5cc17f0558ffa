import { Anchor, Button, Group, Paper, SimpleGrid, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { ApiError } from '../../../lib/http.ts'
import { useShortcuts } from '../../../ui/overlay/use-shortcuts.ts'
import { EmptyState, ErrorState, Notice, RetryLine } from '../../../ui/text/notice.tsx'
import { SkeletonLine } from '../../../ui/text/skeleton.tsx'
import { logLabel } from '../log-labels.ts'
import { type LogReading, totalLabel, useLogPages } from '../log-pages.ts'
import { formatLineTime } from '../log-time.ts'
import { availableLogsQuery } from '../logs.api.ts'
import styles from './compare.module.css'
import {
  type CompareAddress,
  clockDifferenceLabel,
  correctedSide,
  type Side,
  sides,
  swapped,
  withLogs,
} from './compare-address.ts'
import {
  type ComparePlace,
  compareRows,
  coversMoment,
  type Direction,
  type LineName,
  nextMatch,
  nextToRead,
  type PlacedLine,
  placedPair,
  rowAt,
  sharedLines,
  sharedSpan,
  withMatches,
} from './compare-lines.ts'
import { type ComparedEvent, CompareTable, type Sight } from './compare-table.tsx'
import { CompareHead, CompareTools } from './compare-tools.tsx'

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
  const sight = useRef<Sight | null>(null)
  const [start] = useState(() => address.at ?? event?.at ?? Date.now())
  /** Where loading began: a moment of the shared clock, with the clock difference at that time. */
  const [anchor, setAnchor] = useState({ at: start, ahead: address.ahead })
  const [target, setTarget] = useState<ComparePlace>({ at: start })
  const [current, setCurrent] = useState<LineName | null>(null)
  const [picking, setPicking] = useState<{ picked: PlacedLine | null } | null>(null)
  const [said, say] = useState('')
  const [seeking, setSeeking] = useState<Direction | null>(null)

  const term = address.search.trim()
  const compared = useComparedLogs({ installedProductId, address, anchor, search: '' })
  const found = useComparedLogs({ installedProductId, address, anchor, search: term === '' ? null : term })
  const plain = useMemo(() => sharedLines(compared.pair), [compared.pair])
  const matches = useMemo(() => sharedLines(found.pair), [found.pair])
  const lines = useMemo(() => withMatches(plain, found.pair), [plain, found.pair])
  const eventAt = event !== null && coversMoment(compared.pair, event.at) ? event.at : null
  const rows = useMemo(() => compareRows(lines, { eventAt, isInterleaved: isPhone }), [lines, eventAt, isPhone])

  const corrected = correctedSide(address)
  const middle = () => sight.current?.middle ?? target.at

  /** Scrolls there, or loads both logs from there if that part is missing. */
  function goTo(place: ComparePlace, next = address) {
    const pages = sides.map((side) => compared.logs[side].page)
    const pair = placedPair(pages, { corrected: correctedSide(next), ahead: next.ahead })
    if (!coversMoment(pair, place.at)) setAnchor({ at: place.at, ahead: next.ahead })
    setTarget(place)
    props.onAddress({ ...next, at: Math.round(place.at), problems: [] })
  }

  function changeLogs(next: CompareAddress) {
    const at = next.at ?? middle()
    // Nothing of the new logs is loaded yet.
    setAnchor({ at, ahead: next.ahead })
    setTarget({ at })
    setCurrent(null)
    setPicking(null)
    props.onAddress(next)
  }

  function changeClock(ahead: number, place: ComparePlace = { at: middle() }) {
    if (ahead === address.ahead) return
    goTo(place, { ...address, ahead })
    say(`${clockName}: clock ${ahead === 0 ? 'not corrected' : `${clockDifferenceLabel(ahead)}, corrected`}`)
  }

  function pick(line: PlacedLine) {
    const other = picking?.picked
    if (!other || other.side === line.side) {
      setPicking({ picked: line })
      return
    }
    const [wrong, right] = line.side === corrected ? [line, other] : [other, line]
    setPicking(null)
    const at = right.hit.sort[0]
    changeClock(wrong.hit.sort[0] - at, { at, line: { side: right.side, id: right.hit._id } })
  }

  /** Goes to the next match in either log, and loads more as needed. */
  function seek(direction: Direction) {
    const seen = sight.current
    const visited = lines.find(({ side, hit }) => side === current?.side && hit._id === current.id)
    const isSeen = seen !== null && visited !== undefined && visited.at >= seen.from && visited.at <= seen.to
    const place = isSeen && current !== null ? { at: visited.at, line: current } : { at: middle() }
    const match = found.isLoading ? undefined : nextMatch(matches, place, direction)
    if (match !== undefined) {
      const line = { side: match.side, id: match.hit._id }
      setSeeking(null)
      setCurrent(line)
      goTo({ at: match.at, line })
      say(`${formatLineTime(match.at)} ${match.hit._source.message.slice(0, 120)}`)
    } else if (found.isLoading || found.readOn(direction)) {
      setSeeking(direction)
    } else {
      setSeeking(null)
      say(direction === 'newer' ? 'No later match' : 'No earlier match')
    }
  }

  /** Loads the matches of the visible part, so they are marked. */
  function markSeen(seen: Sight | null) {
    if (seen === null || found.isLoading) return
    const span = sharedSpan(found.pair)
    if (span.from > seen.from) found.readOn('older')
    else if (span.to < seen.to) found.readOn('newer')
  }

  const goOn = useEffectEvent(() => {
    if (seeking !== null) seek(seeking)
    markSeen(sight.current)
  })
  useEffect(() => goOn(), [matches, found.hasFailed, found.isLoading])

  const onEvent = event === null ? null : () => goTo({ at: event.at })
  useShortcuts({
    '/': () => searchBox.current?.focus(),
    ...(term !== '' && { n: () => seek('newer'), N: () => seek('older') }),
    ...(onEvent !== null && { e: onEvent }),
    ...(picking !== null && { Escape: () => setPicking(null) }),
  })

  if (available.error instanceof ApiError && available.error.status === 404)
    return (
      <ErrorState title="Instrument could not be found.">
        It may have been removed, or it belongs to a customer that you can’t see. Check its id in the address.
      </ErrorState>
    )

  const clockLog = address[corrected]
  const clockName = clockLog?.computerName ?? (clockLog && logLabel(clockLog)) ?? ''
  const nameOf = (side: Side) => (address[side] === null ? '' : logLabel(address[side]))
  const statuses = sides.map((side) => compared.logs[side].status)
  const retry = () => sides.forEach((side) => void compared.logs[side].query.refetch())
  const instead = compared.isLoading ? (
    <CompareSkeleton />
  ) : lines.length > 0 ? null : statuses.includes('ready') ? (
    <EmptyState title="No logs found - Try a different timespan, text-search or log-type" />
  ) : statuses.includes('failed') ? (
    <ErrorState title="Could not get logs" onRetry={retry} />
  ) : (
    <EmptyState title="Choose two logs">Their lines are shown side by side in order of time.</EmptyState>
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
      <CompareTools
        search={address.search}
        searchBox={searchBox}
        onSearch={(search) => {
          setCurrent(null)
          props.onAddress({ ...address, search, problems: [] })
        }}
        onSeek={term === '' ? null : seek}
        isSeeking={seeking !== null}
        middle={middle}
        onMoment={(at) => goTo({ at })}
        onEvent={onEvent}
        clock={
          clockLog && {
            name: clockName,
            ahead: address.ahead,
            canAlign: compared.pair.first !== null && compared.pair.second !== null,
            onChange: changeClock,
            onAlign: () => setPicking({ picked: null }),
          }
        }
      />
      <Paper
        withBorder
        className={styles.panel}
        flex={{ base: 'none', md: 1 }}
        h={{ base: 'calc(100dvh - var(--bw-header) - var(--bw-bottom, 0px) - 20px)', md: 'auto' }}
        mih={{ base: 420, md: 320 }}
      >
        {picking !== null && (
          <Group role="status" justify="space-between" gap="6px 16px" px={12} py={8} bg="var(--bw-accent-soft)">
            <Text>
              {picking.picked === null
                ? 'Align: select the time of a line on either side, then the line of the same moment on the other.'
                : `${nameOf(picking.picked.side)} ${formatLineTime(picking.picked.at)} is selected. Now select the line of the same moment in ${nameOf(otherSide[picking.picked.side])}.`}
            </Text>
            <Button variant="default" size="compact-sm" onClick={() => setPicking(null)}>
              Cancel
            </Button>
          </Group>
        )}
        <CompareTable
          address={address}
          rows={instead === null ? rows : noRows}
          overview={compared.isLoading || lines.length > 0 ? { lines, eventAt } : null}
          event={event}
          siteZone={siteZone}
          isInterleaved={isPhone}
          target={target}
          current={current}
          picked={picking?.picked ?? null}
          onPick={picking === null ? null : pick}
          head={
            <div role="row">
              {sides.map((side) => (
                <CompareHead
                  key={side}
                  side={side}
                  log={address[side]}
                  other={address[otherSide[side]]}
                  logs={available.data?.values ?? []}
                  ahead={side === corrected ? address.ahead : 0}
                  matches={found.logs[side].page && totalLabel(found.logs[side].page.total, ['match', 'matches'])}
                  failed={[compared.logs[side], found.logs[side]].find(({ status }) => status === 'failed')}
                  isEmpty={compared.logs[side].page?.lines.length === 0}
                  onChoose={(log) => changeLogs(withLogs({ ...address, at: Math.round(middle()) }, { [side]: log }))}
                  onSwap={side === 'first' ? null : () => changeLogs(swapped({ ...address, at: Math.round(middle()) }))}
                />
              ))}
            </div>
          }
          ends={{
            older: <LogEnd of={compared} direction="older" />,
            newer: <LogEnd of={compared} direction="newer" />,
          }}
          instead={instead}
          onNearEnd={compared.readOn}
          onSight={(next) => {
            sight.current = next
            markSeen(next)
          }}
          onSettled={(at) => {
            const before = address.at ?? event?.at
            // Unless the address names this row already.
            if (before === undefined || rowAt(rows, { at: before }) !== rowAt(rows, { at }))
              props.onAddress({ ...address, at: Math.round(at), problems: [] })
          }}
          onMoment={(at) => goTo({ at })}
        />
      </Paper>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  )
}

const noRows: readonly never[] = []
const otherSide: Record<Side, Side> = { first: 'second', second: 'first' }
/** Pages of the server's maximum size; one more line is requested than shown. */
const sizes = { first: 98, more: 99 }

type Compared = ReturnType<typeof useComparedLogs>

/**
 * Loads both logs, or the lines that match a search, from an anchor. A clock difference other than the anchor's moves
 * loaded lines without loading again.
 */
function useComparedLogs(props: {
  installedProductId: string
  address: CompareAddress
  anchor: { at: number; ahead: number }
  /** Null loads nothing; the empty text loads all lines. */
  search: string | null
}) {
  const { installedProductId, address, search, anchor } = props
  const { ahead } = address
  const corrected = correctedSide(address)
  const readingOf = (side: Side): LogReading => {
    const log = address[side]
    return {
      source: log === null || search === null ? null : { installedProductId, ...log },
      window: null,
      search: search ?? '',
      around: anchor.at + (side === corrected ? anchor.ahead : 0),
      sizes,
    }
  }
  const logs = { first: useLogPages(readingOf('first')), second: useLogPages(readingOf('second')) }
  const [first, second] = [logs.first.page, logs.second.page]
  const pair = useMemo(() => placedPair([first, second], { corrected, ahead }), [first, second, corrected, ahead])
  const all = [logs.first, logs.second]
  const isLoading = all.some(({ status }) => status === 'loading')
  return {
    logs,
    /** The loaded parts of both, at the current difference. */
    pair,
    isLoading,
    hasFailed: all.some(({ older, newer }) => older.hasFailed || newer.hasFailed),
    /** Loads more of the log that limits the shared span, after a failure only on request; false if there is none. */
    readOn: (direction: Direction): boolean => {
      const side = nextToRead(pair, direction)
      if (side === null || isLoading || logs[side][direction].hasFailed) return false
      logs[side][direction].read()
      return true
    },
  }
}

/** Text above the oldest row and below the newest. */
function LogEnd({ of: { logs, pair }, direction }: { of: Compared; direction: Direction }) {
  const readable = sides.map((side) => logs[side]).filter(({ status }) => status === 'ready')
  const failed = readable.filter((log) => log[direction].hasFailed)
  if (failed.length > 0)
    return <RetryLine onRetry={() => failed.forEach((log) => log[direction].read())}>Could not get logs</RetryLine>
  if (nextToRead(pair, direction) !== null || readable.some((log) => log[direction].isLoading))
    return `Loading ${direction} lines…`
  if (direction === 'older') return 'No older lines'
  return (
    <>
      No newer lines{' '}
      <Anchor
        component="button"
        type="button"
        fz={12}
        fw={600}
        mih={24}
        ml={6}
        // An empty log has no line to continue from, so it is read again.
        onClick={() =>
          readable.forEach(({ page, query, newer }) => void (page?.lines.length ? newer.read() : query.refetch()))
        }
      >
        Check again
      </Anchor>
    </>
  )
}

/** Widths of the lines of both columns in turn, uneven so that the skeleton looks like a log. */
const widths = [72, 48, 0, 81, 55, 0, 64, 90, 38, 0, 70, 52, 84, 0, 46, 66]

export function CompareSkeleton() {
  return (
    <SimpleGrid cols={2} spacing={24} verticalSpacing={16} p={12} role="status" aria-label="Loading logs">
      {[...widths, ...widths].map((width, index) => (
        // The order never changes.
        <SkeletonLine key={index} width={`${width}%`} />
      ))}
    </SimpleGrid>
  )
}
