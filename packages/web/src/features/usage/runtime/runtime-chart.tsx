import { useElementSize } from '@mantine/hooks'
import { useId, useState } from 'react'
import { formatInstrumentDate } from '../../../lib/time/dates.ts'
import { ReadingTable } from '../reading-table.tsx'
import { UsageChart } from '../usage-chart.tsx'
import {
  dayLabel,
  dayLabels,
  HOURS_A_DAY,
  heightOf,
  hoursLabel,
  hourTicks,
  MOST_BARS,
  type Plot,
  type RuntimeDay,
  runtimeAreas,
  runtimeBars,
  runtimeGaps,
} from './runtime-axis.ts'
import styles from './runtime-chart.module.css'

/** Width before the first measurement and in environments without layout. */
const USUAL_WIDTH = 560
const HEIGHT = 168
/** Width of an axis label including the space to the next one. */
const LABEL_WIDTH = 56
/** A narrower gap has no space for its name. */
const LEAST_NAMED_GAP = 64

/** Run times of days on an axis from 0 to 24 hours. The day under the pointer is read out below. */
export function RuntimeChart({ days, label }: { days: readonly RuntimeDay[]; label: string }) {
  const { ref, width: measured } = useElementSize()
  const [at, setAt] = useState<number | null>(null)
  const plot = { width: Math.max(120, measured || USUAL_WIDTH), height: HEIGHT }
  const today = days.at(-1)
  const read = (at === null ? today : days[at]) ?? today
  const words = read === undefined ? '' : dayLabel(read)

  return (
    <UsageChart
      label={label}
      plot={plot}
      plotRef={ref}
      room={8}
      scaleWidth={26}
      scale={hourTicks.map((hours) => ({
        value: hours,
        text: hours === HOURS_A_DAY ? `${hours} h` : String(hours),
        top: plot.height - heightOf(hours, plot),
      }))}
      days={dayLabels(days, { most: Math.floor(plot.width / LABEL_WIDTH), width: plot.width })}
      dayMargin={18}
      count={days.length}
      start={days.length - 1}
      at={at}
      words={words}
      onRead={setAt}
    >
      <Drawing days={days} plot={plot} at={at} />
    </UsageChart>
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
      {runtimeGaps(days, plot).map(({ from, x, width: gap }) => (
        <g key={from}>
          <rect x={x} width={gap} y={0} height={height} fill={`url(#${hatch})`} />
          {gap >= LEAST_NAMED_GAP && (
            <text className={styles.gapName} x={x + gap / 2} y={height / 2}>
              No data
            </text>
          )}
        </g>
      ))}
      {at !== null && (
        <rect className={styles.cursor} x={at * stride} width={Math.max(1, stride)} y={0} height={height} />
      )}
      {days.length > MOST_BARS ? <Areas days={days} plot={plot} /> : <Bars days={days} plot={plot} />}
    </svg>
  )
}

/** A day without running is a line on the baseline, to distinguish it from a day without data. */
const LEAST_HEIGHT = 2

function Bars({ days, plot }: { days: readonly RuntimeDay[]; plot: Plot }) {
  return runtimeBars(days, plot).map(({ day, x, width, height, isToday }) => {
    const shown = Math.max(LEAST_HEIGHT, height)
    return (
      <rect
        key={day}
        data-bar
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
    <g key={line} data-area>
      <path className={styles.area} d={area} />
      <path className={styles.line} d={line} />
    </g>
  ))
}

/** The run times as a table, newest first. */
export function RuntimeTable({ days }: { days: readonly RuntimeDay[] }) {
  return (
    <ReadingTable
      label="Run time of each day"
      columns={['Day', 'Run time']}
      rows={days.toReversed().map((one) => ({
        key: one.day,
        name: formatInstrumentDate(one.day),
        value: hoursLabel(one),
        remark: null,
      }))}
    />
  )
}
