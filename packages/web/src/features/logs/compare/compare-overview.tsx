import { useMemo } from 'react'
import { formatLineDay, formatLineTime } from '../log-time.ts'
import styles from './compare-overview.module.css'
import type { PlacedLine } from './compare-stream.ts'

interface TimeRange {
  from: number
  to: number
}

/** Number of lines over time in each log, as heights from 0 to 1 in equal intervals. */
interface Density extends TimeRange {
  first: number[]
  second: number[]
}

const BINS = 160

/**
 * Shows how busy both logs were in everything loaded: the first log upwards, the second downwards. A slider navigates.
 */
export function CompareOverview(props: {
  lines: readonly PlacedLine[]
  eventAt: number | null
  /** The visible part of the table. */
  inSight: TimeRange | null
  middle: number
  onMoment: (at: number) => void
}) {
  const { lines, eventAt, inSight, onMoment } = props
  const density = useMemo(() => densityOf(lines, { eventAt, bins: BINS }), [lines, eventAt])
  if (density === null) return <div className={styles.strip} aria-hidden="true" />
  const { from, to, first, second } = density
  const place = (at: number) => Math.min(100, Math.max(0, ((at - from) / (to - from)) * 100))
  const middle = Math.min(to, Math.max(from, props.middle))
  return (
    <div className={styles.strip}>
      <span className={styles.end}>{momentLabel(from)}</span>
      <div className={styles.track}>
        <svg viewBox={`0 0 ${BINS} 100`} preserveAspectRatio="none" aria-hidden="true">
          <path className={styles.first} d={barsPath(first, -1)} />
          <path className={styles.second} d={barsPath(second, 1)} />
        </svg>
        {inSight !== null && (
          <span
            className={styles.sight}
            style={{ left: `${place(inSight.from)}%`, width: `${place(inSight.to) - place(inSight.from)}%` }}
          />
        )}
        {eventAt !== null && <span className={styles.event} style={{ left: `${place(eventAt)}%` }} />}
        <input
          type="range"
          className={styles.slider}
          aria-label="Moment"
          aria-valuetext={momentLabel(middle)}
          min={from}
          max={to}
          // A few hundred arrow key presses from end to end.
          step={Math.max(1, (to - from) / 200)}
          value={middle}
          onChange={({ currentTarget }) => onMoment(Number(currentTarget.value))}
        />
      </div>
      <span className={styles.end}>{momentLabel(to)}</span>
    </div>
  )
}

function momentLabel(at: number): string {
  return `${formatLineDay(at).slice(4, -5)} ${formatLineTime(at).slice(0, 8)}`
}

/** Draws bars from the middle line of a drawing 100 units high. */
function barsPath(heights: readonly number[], direction: 1 | -1): string {
  return heights
    .map((height, index) => (height === 0 ? '' : `M${index} 50h.8v${direction * height * 48}h-.8z`))
    .join('')
}

/** Covers all lines, and the event if its moment is loaded. Null without any extent. */
export function densityOf(
  lines: readonly PlacedLine[],
  { eventAt, bins }: { eventAt: number | null; bins: number },
): Density | null {
  const ends = [lines.at(0)?.at, lines.at(-1)?.at, eventAt].filter((at) => typeof at === 'number')
  const [from, to] = [Math.min(...ends), Math.max(...ends)]
  if (!(to > from)) return null
  const counts = { first: nothing(bins), second: nothing(bins) }
  for (const { side, at } of lines) {
    const bin = Math.min(bins - 1, Math.floor(((at - from) / (to - from)) * bins))
    counts[side][bin] = (counts[side][bin] ?? 0) + 1
  }
  const most = Math.max(1, ...counts.first, ...counts.second)
  // Square root, so that a single line stays visible beside a burst of hundreds.
  const heights = (numbers: number[]) => numbers.map((count) => Math.sqrt(count / most))
  return { from, to, first: heights(counts.first), second: heights(counts.second) }
}

function nothing(bins: number): number[] {
  return Array.from({ length: bins }, () => 0)
}
