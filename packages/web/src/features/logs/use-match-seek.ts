import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { sides } from './compare-clock.ts'
import { nextMatch } from './compare-matches.ts'
import type { ComparePlace, Direction, Sight } from './compare-place.ts'
import { nextToRead, type PlacedLine, sharedLines, sharedSpan } from './compare-stream.ts'
import type { Compared } from './use-compared-logs.ts'

/**
 * Goes from match to match through both logs, and reads on where none was read yet. Also reads the matches of whatever
 * comes into sight, so that they are marked there.
 */
export function useMatchSeek(props: {
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
