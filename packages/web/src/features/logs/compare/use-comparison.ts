import type { Severity } from '@benchwatch/contract/vocabulary'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { logLabel } from '../log-labels.ts'
import { type LogReading, useLogPages } from '../log-pages.ts'
import { formatLineTime } from '../log-time.ts'
import { availableLogsQuery } from '../logs.api.ts'
import { type CompareAddress, clockDifferenceLabel, correctedSide, type Side, sides } from './compare-address.ts'
import {
  type ComparePlace,
  compareRows,
  coversMoment,
  type Direction,
  lineKey,
  nextMatch,
  nextToRead,
  type PlacedLine,
  placedPair,
  rowAt,
  sharedLines,
  sharedSpan,
  withMatches,
} from './compare-lines.ts'

export interface ComparisonInput {
  installedProductId: string
  address: CompareAddress
  /** The event whose moment is marked. */
  event: { eventId: string; at: number; severity: Severity } | null
  /** IANA zone of the instrument, if known. */
  siteZone: string | null
  onAddress: (address: CompareAddress) => void
}

export type Comparison = ReturnType<typeof useComparison>

/** Loads both logs and keeps the page's place in time: where it opened, where it scrolls, how the address follows. */
export function useComparison(input: ComparisonInput) {
  const { address, event, onAddress } = input
  const available = useQuery(availableLogsQuery(input.installedProductId))
  const isPhone = useMediaQuery('(width < 720px)', false, { getInitialValueInEffect: false })
  /** The start of loading: a moment of the shared clock, with the clock difference at that time. */
  const [anchor, setAnchor] = useState(() => ({ at: address.at ?? event?.at ?? Date.now(), ahead: address.ahead }))
  /** The place to scroll to; another object scrolls again. */
  const [target, setTarget] = useState<ComparePlace>(anchor)
  /** Key of the match that was visited last. */
  const [current, setCurrent] = useState<string | null>(null)
  /** While the user picks two lines of the same moment: the first of them, if it is picked. */
  const [picking, setPicking] = useState<{ picked: PlacedLine | null } | null>(null)
  const [seeking, setSeeking] = useState<Direction | null>(null)
  const [said, say] = useState('')
  /** The visible part of the table, from top to bottom, by the shared clock. */
  const sight = useRef<{ from: number; to: number; middle: number } | null>(null)

  const term = address.search.trim()
  const compared = useComparedLogs(input, anchor, '')
  const found = useComparedLogs(input, anchor, term === '' ? null : term)
  const plain = useMemo(() => sharedLines(compared.pair), [compared.pair])
  const matches = useMemo(() => sharedLines(found.pair), [found.pair])
  const lines = useMemo(() => withMatches(plain, found.pair), [plain, found.pair])
  const eventAt = event !== null && coversMoment(compared.pair, event.at) ? event.at : null
  const rows = useMemo(() => compareRows(lines, { eventAt, isInterleaved: isPhone }), [lines, eventAt, isPhone])

  const corrected = correctedSide(address)
  const clock = address[corrected]
  const clockName = clock === null ? null : (clock.computerName ?? logLabel(clock))
  const middle = () => sight.current?.middle ?? target.at

  /** Scrolls there, or loads both logs from there if that part is missing. */
  function goTo(place: ComparePlace, next = address) {
    const pages = sides.map((side) => compared.logs[side].page)
    if (!coversMoment(placedPair(pages, { corrected, ahead: next.ahead }), place.at))
      setAnchor({ at: place.at, ahead: next.ahead })
    setTarget({ ...place })
    onAddress({ ...next, at: Math.round(place.at) })
  }

  function changeClock(ahead: number, place: ComparePlace = { at: middle() }) {
    if (ahead === address.ahead) return
    goTo(place, { ...address, ahead })
    say(`${clockName}: clock ${ahead === 0 ? 'not corrected' : `${clockDifferenceLabel(ahead)}, corrected`}`)
  }

  /** Goes to the next match in either log, and loads more as needed. */
  function seek(direction: Direction) {
    const visited = lines.find((line) => lineKey(line) === current)
    const { from, to } = sight.current ?? { from: 0, to: 0 }
    const isSeen = visited !== undefined && visited.at >= from && visited.at <= to
    const match = found.isLoading ? undefined : nextMatch(matches, isSeen ? visited : { at: middle() }, direction)
    const isOngoing = match === undefined && (found.isLoading || found.readOn(direction))
    setSeeking(isOngoing ? direction : null)
    if (match !== undefined) {
      setCurrent(lineKey(match))
      goTo(match)
      say(`${formatLineTime(match.at)} ${match.hit._source.message.slice(0, 120)}`)
    } else if (!isOngoing) say(direction === 'newer' ? 'No later match' : 'No earlier match')
  }

  /** Loads the matches of the visible part, so they are marked. */
  function markSeen() {
    if (sight.current === null || found.isLoading) return
    const span = sharedSpan(found.pair)
    if (span.from > sight.current.from) found.readOn('older')
    else if (span.to < sight.current.to) found.readOn('newer')
  }

  const goOn = useEffectEvent(() => {
    if (seeking !== null) seek(seeking)
    markSeen()
  })
  useEffect(() => goOn(), [matches, found.hasFailed, found.isLoading])

  return {
    ...input,
    available,
    isPhone,
    compared,
    found,
    lines,
    rows,
    eventAt,
    target,
    current,
    picking,
    said,
    clockName,
    middle,
    goTo,
    changeClock,
    /** How many ms a log's clock is ahead; 0 if it is not corrected. */
    aheadOf: (side: Side) => (side === corrected ? address.ahead : 0),
    /** Null without a search. */
    seek: term === '' ? null : seek,
    isSeeking: seeking !== null,
    goToEvent: event === null ? null : () => goTo({ at: event.at }),
    startPicking: () => setPicking({ picked: null }),
    stopPicking: () => setPicking(null),
    pick: (line: PlacedLine) => {
      const other = picking?.picked
      if (!other || other.side === line.side) {
        setPicking({ picked: line })
        return
      }
      const [wrong, right] = line.side === corrected ? [line, other] : [other, line]
      const at = right.hit.sort[0]
      setPicking(null)
      changeClock(wrong.hit.sort[0] - at, { ...right, at })
    },
    search: (search: string) => {
      setCurrent(null)
      onAddress({ ...address, search })
    },
    /** Shows other logs at the same moment; nothing of them is loaded yet. */
    changeLogs: (change: (address: CompareAddress) => CompareAddress) => {
      const next = change({ ...address, at: Math.round(middle()) })
      const at = next.at ?? middle()
      setAnchor({ at, ahead: next.ahead })
      setTarget({ at })
      setCurrent(null)
      setPicking(null)
      onAddress(next)
    },
    /** Reports the visible part of the table. */
    see: (seen: { from: number; to: number; middle: number }) => {
      sight.current = seen
      markSeen()
    },
    /** Called when the user has scrolled: the address follows, unless it names this row already. */
    settleAt: (at: number) => {
      const before = address.at ?? event?.at
      if (before === undefined || rowAt(rows, { at: before }) !== rowAt(rows, { at }))
        onAddress({ ...address, at: Math.round(at) })
    },
  }
}

export type ComparedLogs = ReturnType<typeof useComparedLogs>

/** Pages of the server's maximum size; one more line is requested than shown. */
const sizes = { first: 98, more: 99 }

/**
 * Loads both logs, or the lines that match a search, from an anchor. A clock difference other than the anchor's moves
 * loaded lines without loading again.
 */
function useComparedLogs(
  { installedProductId, address }: ComparisonInput,
  anchor: { at: number; ahead: number },
  /** Null loads nothing; the empty text loads all lines. */
  search: string | null,
) {
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
  const first = useLogPages(readingOf('first'))
  const second = useLogPages(readingOf('second'))
  const pair = useMemo(
    () => placedPair([first.page, second.page], { corrected, ahead }),
    [first.page, second.page, corrected, ahead],
  )
  const logs = { first, second }
  const isLoading = sides.some((side) => logs[side].status === 'loading')
  return {
    logs,
    /** The loaded parts of both, at the current difference. */
    pair,
    isLoading,
    hasFailed: sides.some((side) => logs[side].older.hasFailed || logs[side].newer.hasFailed),
    /** Loads more of the log that limits the shared span, after a failure only on request; false if there is none. */
    readOn: (direction: Direction): boolean => {
      const side = nextToRead(pair, direction)
      if (side === null || isLoading || logs[side][direction].hasFailed) return false
      logs[side][direction].read()
      return true
    },
  }
}
