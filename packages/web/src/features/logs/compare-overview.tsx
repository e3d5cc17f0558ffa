import { useMemo } from 'react'
import { densityOf, type TimeRange } from './compare-density.ts'
import styles from './compare-overview.module.css'
import type { PlacedLine } from './compare-stream.ts'
import { formatLineDay, formatLineTime } from './log-time.ts'

const BINS = 160

/** How busy both logs were over all that was read: the first log's lines upwards, the second's downwards. A slider leads there. */
export function CompareOverview(props: {
  lines: readonly PlacedLine[]
  eventAt: number | null
  /** What the table shows now. */
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
      <span className={styles.end}>{momentWords(from)}</span>
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
          aria-valuetext={momentWords(middle)}
          min={from}
          max={to}
          // Some hundred steps from end to end by the arrow keys.
          step={Math.max(1, (to - from) / 200)}
          value={middle}
          onChange={({ currentTarget }) => onMoment(Number(currentTarget.value))}
        />
      </div>
      <span className={styles.end}>{momentWords(to)}</span>
    </div>
  )
}

function momentWords(at: number): string {
  return `${formatLineDay(at).slice(4, -5)} ${formatLineTime(at).slice(0, 8)}`
}

/** Bars on the middle line of a drawing that is 100 high. */
function barsPath(heights: readonly number[], direction: 1 | -1): string {
  return heights
    .map((height, index) => (height === 0 ? '' : `M${index} 50h.8v${direction * height * 48}h-.8z`))
    .join('')
}
