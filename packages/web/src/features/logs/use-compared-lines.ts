import { useMemo } from 'react'
import { sides } from './compare-clock.ts'
import { lineKey } from './compare-place.ts'
import { type CompareRow, compareRows } from './compare-rows.ts'
import { coversMoment, type PlacedLine, type StreamPair, sharedLines } from './compare-stream.ts'

/** What is drawn of two logs: their lines by one time, those with a match marked, as rows with the event between them. */
export function useComparedLines(
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

/** The search answers the lines that it found anew, with what it found in them. */
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
