import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { logLabel } from '../log-labels.ts'
import { formatLineTime } from '../log-time.ts'
import {
  type CompareAddress,
  type ComparePlace,
  correctedLog,
  type Destination,
  type LineName,
  type Sight,
  swapped,
  withLog,
} from './compare-address.ts'
import { clockDifferenceLabel, correctedSide } from './compare-clock.ts'
import { type CompareRow, rowAt } from './compare-rows.ts'
import { coversMoment, type PlacedLine, type StreamPair } from './compare-stream.ts'
import type { Anchor } from './use-log-stream.ts'

/** Keeps the page's place in time: where it opened, where it scrolls, and how the address follows. */
export function useComparison(props: {
  address: CompareAddress
  eventAt: number | null
  onAddress: (address: CompareAddress) => void
}) {
  const { address, eventAt, onAddress } = props
  const [start] = useState(() => address.at ?? eventAt ?? Date.now())
  const [anchor, setAnchor] = useState<Anchor>({ at: start, ahead: address.ahead })
  const [destination, setDestination] = useState<Destination>({ at: start, turn: 0 })
  const [current, setCurrent] = useState<LineName | null>(null)
  const [picking, setPicking] = useState<{ picked: PlacedLine | null } | null>(null)
  const [said, say] = useState('')
  const sight = useRef<Sight | null>(null)
  const shown = useRef<{ pair: StreamPair; rows: readonly CompareRow[] } | null>(null)
  // Addresses written by this page itself do not scroll it.
  const known = useRef({ at: address.at, ahead: address.ahead })

  const middle = () => sight.current?.middle ?? destination.at

  function write(next: CompareAddress) {
    known.current = { at: next.at, ahead: next.ahead }
    onAddress({ ...next, problems: [] })
  }

  /** Scrolls there, or loads both logs from there if that part is missing. */
  function bringTo(place: ComparePlace, ahead = address.ahead) {
    const isRead = shown.current !== null && shown.current.rows.length > 0 && coversMoment(shown.current.pair, place.at)
    if (!isRead) setAnchor({ at: place.at, ahead })
    setDestination(({ turn }) => ({ ...place, turn: turn + 1 }))
  }

  function goTo(place: ComparePlace) {
    bringTo(place)
    write({ ...address, at: Math.round(place.at) })
  }

  function changeLogs(next: CompareAddress) {
    // Nothing of the new logs is loaded yet.
    setAnchor({ at: next.at ?? middle(), ahead: next.ahead })
    setDestination(({ turn }) => ({ at: next.at ?? middle(), turn: turn + 1 }))
    setCurrent(null)
    setPicking(null)
    write(next)
  }

  const followAddress = useEffectEvent(() => {
    const { at, ahead } = known.current
    const isElsewhere = address.at !== at && address.at !== null
    known.current = { at: address.at, ahead: address.ahead }
    if (isElsewhere || address.ahead !== ahead) bringTo({ at: isElsewhere ? (address.at ?? middle()) : middle() })
  })
  useEffect(() => followAddress(), [address.at, address.ahead])

  function changeClock(ahead: number, place: ComparePlace = { at: middle() }) {
    if (ahead === address.ahead) return
    // Decided by the covered span after the lines have moved.
    const covers = shown.current !== null && coversMoment(shiftedBy(shown.current.pair, address, ahead), place.at)
    if (!covers) setAnchor({ at: place.at, ahead })
    setDestination(({ turn }) => ({ ...place, turn: turn + 1 }))
    write({ ...address, ahead })
    const log = correctedLog(address)
    if (log !== null) {
      const clock = log.computerName ?? logLabel(log)
      say(ahead === 0 ? `${clock}: clock not corrected` : `${clock}: clock ${clockDifferenceLabel(ahead)}, corrected`)
    }
  }

  function pick(line: PlacedLine) {
    const other = picking?.picked ?? null
    if (other === null || other.side === line.side) {
      setPicking({ picked: line })
      return
    }
    const corrected = correctedSide(address.first)
    const [wrong, right] = line.side === corrected ? [line, other] : [other, line]
    setPicking(null)
    changeClock(wrong.hit.sort[0] - right.hit.sort[0], {
      at: right.hit.sort[0],
      line: { side: right.side, id: right.hit._id },
    })
  }

  return {
    anchor,
    destination,
    current,
    picking,
    said,
    say,
    middle,
    sightNow: () => sight.current,
    /** Reports the visible part of the table. */
    see: (next: Sight) => {
      sight.current = next
    },
    /** Reports the loaded lines and their rows. */
    show: (next: { pair: StreamPair; rows: readonly CompareRow[] }) => {
      shown.current = next
    },
    goTo,
    pick,
    changeClock,
    startPicking: () => setPicking({ picked: null }),
    stopPicking: () => setPicking(null),
    chooseLog: (...[side, log]: Parameters<typeof chosenLog>) => changeLogs(chosenLog(side, log)),
    swap: () => changeLogs(swapped({ ...address, at: middle() })),
    search: (search: string) => {
      setCurrent(null)
      write({ ...address, search })
    },
    goToMatch: (match: PlacedLine) => {
      const line = { side: match.side, id: match.hit._id }
      setCurrent(line)
      goTo({ at: match.at, line })
      say(`${formatLineTime(match.at)} ${match.hit._source.message.slice(0, 120)}`)
    },
    /** Called when the user has scrolled: the address follows, unless it names this row already. */
    settleAt: (at: number) => {
      const rows = shown.current?.rows ?? []
      const before = address.at ?? eventAt
      if (before === null || rowAt(rows, { at: before }) !== rowAt(rows, { at }))
        write({ ...address, at: Math.round(at) })
    },
  }

  function chosenLog(side: Parameters<typeof withLog>[1], log: Parameters<typeof withLog>[2]) {
    return withLog({ ...address, at: Math.round(middle()) }, side, log)
  }
}

/** Moves the covered spans to another clock difference. */
function shiftedBy(pair: StreamPair, address: CompareAddress, ahead: number): StreamPair {
  const side = correctedSide(address.first)
  const one = pair[side]
  return one === null ? pair : { ...pair, [side]: { ...one, ahead } }
}
