import type { UsageHistory } from '@benchwatch/contract/usage'
import { useElementSize } from '@mantine/hooks'
import { useState } from 'react'
import { formatInstrumentDate } from '../../../lib/time/dates.ts'
import { daysBetween } from '../../../lib/time/zone-clock.ts'
import { type DayLabel, dayLabels, type Plot } from '../runtime/runtime-axis.ts'
import { UsageChart } from '../usage-chart.tsx'
import { formatCount, withUnit } from '../usage-judgement.ts'
import {
  dayAt,
  expectedAt,
  freeSideOf,
  type HistoryAxis,
  historyAxis,
  thresholdLines,
  trendLine,
  valueLines,
  valueTicks,
  xOf,
  yOf,
} from './usage-history-axis.ts'
import styles from './usage-history-chart.module.css'

/** Width before the first measurement and in environments without layout. */
const USUAL_WIDTH = 700
const HEIGHT = 230
/** Width of an axis label including the space to the next one. */
const LABEL_WIDTH = 72
/** With less space per day the line has no dots. */
const LEAST_DOT_SPACE = 5

/**
 * The days of a counter with thresholds, resets and the trend up to the forecast. The value under the pointer is read
 * out below.
 */
export function UsageHistoryChart({ history, today }: { history: UsageHistory; today: string }) {
  const { ref, width: measured } = useElementSize()
  const [at, setAt] = useState<number | null>(null)
  const axis = historyAxis(history, today)
  const plot = { width: Math.max(120, measured || USUAL_WIDTH), height: HEIGHT }
  const ticks = valueTicks(axis, 4)
  const start = lastMeasured(history, axis)
  const reading = readingOf(history, dayAt(axis, at ?? start))

  return (
    <UsageChart
      label={`${history.metric.metric}, day by day`}
      plot={plot}
      plotRef={ref}
      room={18}
      scaleWidth={58}
      scale={ticks.map((value) => ({ value, text: formatCount(value), top: yOf(value, axis, plot) }))}
      days={historyLabels(axis, { most: Math.floor(plot.width / LABEL_WIDTH), width: plot.width })}
      dayMargin={24}
      count={axis.days}
      start={start}
      at={at}
      words={reading}
      onRead={setAt}
      legend={<Legend history={history} />}
    >
      <Drawing history={history} axis={axis} plot={plot} ticks={ticks} at={at} />
    </UsageChart>
  )
}

/** Returns the index that is read out by default. */
function lastMeasured({ values }: UsageHistory, axis: HistoryAxis): number {
  const last = values.at(-1)
  return last === undefined ? axis.today : daysBetween(axis.from, last.time)
}

function readingOf(history: UsageHistory, day: string): string {
  const { values, resets, metric } = history
  const measured = values.find(({ time }) => time === day)
  const amount = (value: number) => withUnit(formatCount(value), metric.unit)
  if (measured !== undefined)
    return `${formatInstrumentDate(day)}: ${amount(measured.value)}${resets.includes(day) ? ', counter reset' : ''}`
  const expected = expectedAt(history, day)
  return `${formatInstrumentDate(day)}: ${expected === null ? 'not measured' : `about ${amount(expected)} at this pace`}`
}

interface DrawingProps {
  history: UsageHistory
  axis: HistoryAxis
  plot: Plot
  ticks: readonly number[]
  at: number | null
}

function Drawing({ history, axis, plot, ticks, at }: DrawingProps) {
  const { width, height } = plot
  const trend = trendLine(history, axis, plot)
  const todayX = ((axis.today + 0.5) / axis.days) * width
  return (
    <svg className={styles.drawing} viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
      <rect className={styles.future} x={todayX} width={Math.max(0, width - todayX)} y={0} height={height} />
      {ticks.map((value) => (
        <path key={value} className={styles.grid} d={`M0 ${yOf(value, axis, plot)}H${width}`} />
      ))}
      {history.resets.map((day) => (
        <path key={day} className={styles.reset} d={`M${xOf(day, axis, plot)} 0V${height}`} />
      ))}
      {thresholdLines(history.metric).map(({ name, value, isLimit }) => (
        <path
          key={name}
          className={styles.threshold}
          data-limit={isLimit || undefined}
          d={`M0 ${yOf(value, axis, plot)}H${width}`}
        />
      ))}
      {at !== null && <path className={styles.cursor} d={`M${((at + 0.5) / axis.days) * width} 0V${height}`} />}
      {trend !== null && <path className={styles.past} d={trend.past} />}
      {valueLines(history, axis, plot).map((line) => (
        <path key={line} className={styles.line} d={line} />
      ))}
      {width / axis.days > LEAST_DOT_SPACE &&
        history.values.map(({ time, value }) => (
          <circle key={time} className={styles.dot} cx={xOf(time, axis, plot)} cy={yOf(value, axis, plot)} r={2.2} />
        ))}
      {trend?.ahead && <path className={styles.ahead} d={trend.ahead} />}
      <ThresholdNames history={history} axis={axis} plot={plot} />
      {trend?.end && <circle className={styles.end} cx={trend.end.x} cy={trend.end.y} r={4.5} />}
      <path className={styles.today} d={`M${todayX} 0V${height}`} />
    </svg>
  )
}

/** Names closer to each other than this would overlap. */
const NAME_HEIGHT = 17

/** Drawn above the counter so that they stay readable. */
function ThresholdNames({ history, axis, plot }: Pick<DrawingProps, 'history' | 'axis' | 'plot'>) {
  const lines = thresholdLines(history.metric).map((line) => ({ ...line, y: yOf(line.value, axis, plot) }))
  return lines.map(({ name, value, y }) => {
    const isCrowded = lines.some((other) => other.y < y && y - other.y < NAME_HEIGHT)
    return (
      <text
        key={name}
        className={styles.name}
        {...(freeSideOf(history, value) === 'left' ? { x: 6 } : { x: plot.width - 6, textAnchor: 'end' })}
        y={isCrowded ? y + 13 : y - 5}
      >
        {name}
      </text>
    )
  })
}

function Legend({ history }: { history: UsageHistory }) {
  const { resets, trend, metric } = history
  return (
    <ul className={styles.legend} aria-label="Key">
      <li data-key="line">Measured</li>
      {trend !== null && <li data-key="trend">Trend{metric.forecastDate !== null && ' and forecast'}</li>}
      {resets.length > 0 && <li data-key="reset">Part changed, counter reset</li>}
      <li data-key="today">Today</li>
    </ul>
  )
}

/** Returns at most `most` labels of days or months below the axis. */
function historyLabels(axis: HistoryAxis, room: { most: number; width: number }): DayLabel[] {
  return dayLabels(
    Array.from({ length: axis.days }, (_, place) => ({ day: dayAt(axis, place) })),
    room,
  )
}
