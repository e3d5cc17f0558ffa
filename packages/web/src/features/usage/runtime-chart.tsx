import { useElementSize } from '@mantine/hooks'
import { useId, useState } from 'react'
import { ChartReader } from './chart-reader.tsx'
import {
  dayLabels,
  dayWords,
  formatHours,
  HOURS_A_DAY,
  heightOf,
  hourTicks,
  MOST_BARS,
  type Plot,
  type RuntimeDay,
  runtimeAreas,
  runtimeBars,
  runtimeGaps,
} from './runtime-axis.ts'
import styles from './runtime-chart.module.css'

/** Before the first measurement, and where nothing is laid out. */
const USUAL_WIDTH = 560
const HEIGHT = 168
/** Room for `24 h` beside the axis. */
const LEFT = 34
/** A label below the axis, and the space that it needs to the next one. */
const LABEL_WIDTH = 56

/** Run times of days on an axis from 0 to 24 hours, with what is pointed at in words below. */
export function RuntimeChart({ days, label }: { days: readonly RuntimeDay[]; label: string }) {
  const { ref, width: measured } = useElementSize()
  const [at, setAt] = useState<number | null>(null)
  const plot = { width: Math.max(120, (measured || USUAL_WIDTH) - LEFT), height: HEIGHT }
  const today = days.at(-1)
  const read = (at === null ? today : days[at]) ?? today
  const words = read === undefined ? '' : dayWords(read)

  return (
    <div ref={ref}>
      <div className={styles.axis}>
        {hourTicks.map((hours) => (
          <span key={hours} style={{ bottom: heightOf(hours, plot) }}>
            {hours}
          </span>
        ))}
      </div>
      <div className={styles.plot}>
        <ChartReader label={label} count={days.length} at={at} words={words} onRead={setAt}>
          <Drawing days={days} plot={plot} at={at} />
        </ChartReader>
        <div className={styles.labels} aria-hidden="true">
          {dayLabels(days, { most: Math.floor(plot.width / LABEL_WIDTH), width: plot.width }).map(
            ({ day, text, x }) => (
              <span key={day} style={{ left: `clamp(16px, ${x}px, ${plot.width - 16}px)` }}>
                {text}
              </span>
            ),
          )}
        </div>
      </div>
      <p className={styles.reading} aria-hidden="true">
        {words}
      </p>
    </div>
  )
}

function Drawing({ days, plot, at }: { days: readonly RuntimeDay[]; plot: Plot; at: number | null }) {
  const hatch = useId()
  const { width, height } = plot
  const stride = width / days.length
  return (
    <svg className={styles.drawing} viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
      <defs>
        <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path className={styles.hatch} d="M0 0V6" />
        </pattern>
      </defs>
      {hourTicks.map((hours) => (
        <path
          key={hours}
          className={hours === 0 ? styles.ground : styles.grid}
          d={`M0 ${height - heightOf(hours, plot)}H${width}`}
        />
      ))}
      {runtimeGaps(days, plot).map((gap) => (
        <rect key={gap.from} x={gap.x} width={gap.width} y={0} height={height} fill={`url(#${hatch})`} />
      ))}
      {at !== null && (
        <rect className={styles.cursor} x={at * stride} width={Math.max(1, stride)} y={0} height={height} />
      )}
      {days.length > MOST_BARS ? <Areas days={days} plot={plot} /> : <Bars days={days} plot={plot} />}
    </svg>
  )
}

/** A day without running is a line on the ground, so that it is not taken for one without data. */
const LEAST_HEIGHT = 2

function Bars({ days, plot }: { days: readonly RuntimeDay[]; plot: Plot }) {
  return runtimeBars(days, plot).map(({ day, x, width, height, isToday }) => {
    const shown = Math.max(LEAST_HEIGHT, height)
    return (
      <rect
        key={day}
        className={styles.bar}
        data-today={isToday || undefined}
        x={x}
        width={width}
        y={plot.height - shown}
        height={shown}
        rx={Math.min(2, shown / 2)}
      />
    )
  })
}

function Areas({ days, plot }: { days: readonly RuntimeDay[]; plot: Plot }) {
  return runtimeAreas(days, plot).map(({ line, area }) => (
    <g key={line}>
      <path className={styles.area} d={area} />
      <path className={styles.line} d={line} />
    </g>
  ))
}

/** The same for those who would rather read than look, newest first. */
export function RuntimeTable({ days }: { days: readonly RuntimeDay[] }) {
  return (
    // What scrolls has to be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled table without controls is out of reach otherwise
    <div className={styles.tableFrame} tabIndex={0} role="group" aria-label="Daily run times as a table">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Hours of {HOURS_A_DAY}</th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.day}>
              <th scope="row">{dayWords(day).split(':')[0]}</th>
              <td>{day.hours === null ? 'No data' : `${formatHours(day.hours)}${day.isToday ? ' so far' : ''}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
