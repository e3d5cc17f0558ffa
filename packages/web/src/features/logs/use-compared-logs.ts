import { useMemo } from 'react'
import type { LogChoice } from './compare-address.ts'
import { correctedSide, type Side, stampAt } from './compare-clock.ts'
import type { StreamPair } from './compare-stream.ts'
import { type StreamReading, useLogStream } from './use-log-stream.ts'

/** Where reading begins: a moment of the shared clock, with the difference of clocks that was stated then. */
export interface Anchor {
  at: number
  ahead: number
}

export interface Compared {
  readings: Readonly<Record<Side, StreamReading>>
  /** What can be shown of both, at the difference that is stated now. */
  pair: StreamPair
}

/**
 * Reads both logs, or with a search the lines of them that hold it, from an anchor on. Another difference of clocks than
 * the anchor's moves what was read and reads nothing anew.
 */
export function useComparedLogs(props: {
  installedProductId: string
  first: LogChoice | null
  second: LogChoice | null
  ahead: number
  anchor: Anchor
  /** Null reads nothing; the empty text, all lines. */
  search: string | null
}): Compared {
  const { installedProductId, search, anchor, ahead } = props
  const corrected = correctedSide(props.first)
  const sourceOf = (log: LogChoice | null) => (log === null || search === null ? null : { installedProductId, ...log })
  const from = (side: Side) => stampAt(anchor.at, side === corrected ? anchor.ahead : 0)
  const first = useLogStream(sourceOf(props.first), { from: from('first'), search: search ?? '' })
  const second = useLogStream(sourceOf(props.second), { from: from('second'), search: search ?? '' })
  const pair = useMemo(
    () => ({
      first: first.stream && { stream: first.stream, ahead: corrected === 'first' ? ahead : 0 },
      second: second.stream && { stream: second.stream, ahead: corrected === 'second' ? ahead : 0 },
    }),
    [first.stream, second.stream, corrected, ahead],
  )
  return { readings: { first, second }, pair }
}
