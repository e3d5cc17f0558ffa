import type { UsageHistory } from '@benchwatch/contract/instruments/usage'
import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatInstrumentDate } from '../../../lib/time/dates.ts'
import { daysBetween } from '../../../lib/time/zone-clock.ts'
import { Band, Chart, Dot, Rule, roundTicks, ValueLine } from '../../../ui/charts/chart.tsx'
import { dayNames } from '../runtime/runtime-axis.ts'
import { formatCount, withUnit } from '../usage-judgement.ts'
import {
  dayAt,
  expectedAt,
  freeSideOf,
  type HistoryAxis,
  historyAxis,
  thresholdLines,
  trendLine,
  valueRows,
} from './usage-history-axis.ts'

/** With less space per day the line has no dots. */
const LEAST_DOT_SPACE = 5
const HEIGHT = 230
/** Names closer to each other than this would overlap. */
const NAME_HEIGHT = 17

const looks = {
  measured: { stroke: 'var(--bw-accent)', strokeWidth: 1.8 },
  trend: { stroke: 'var(--bw-ink-2)', strokeWidth: 1.5, strokeDasharray: '5 4' },
  reset: { stroke: 'var(--bw-progress)', strokeWidth: 1.4, strokeDasharray: '2 3' },
  today: { stroke: 'var(--bw-line-strong)', strokeWidth: 1 },
}

/** The days of a counter with thresholds, resets and the trend up to the forecast. */
export function UsageHistoryChart({ history, today }: { history: UsageHistory; today: string }) {
  const axis = historyAxis(history, today)
  const ticks = roundTicks(axis.low, axis.high)
  const pixels = HEIGHT / ((ticks.at(-1) ?? 1) - (ticks[0] ?? 0))
  const levels = thresholdLines(history.metric)
  const trend = trendLine(history, axis)
  const at = (day: string) => daysBetween(axis.from, day)
  const end = trend?.isReached ? trend.ahead?.[1] : undefined
  return (
    <Chart
      label={`${history.metric.metric}, day by day`}
      count={axis.days}
      rows={valueRows(history, axis)}
      height={HEIGHT}
      room={20}
      ticks={ticks}
      formatTick={formatCount}
      scaleWidth={66}
      names={(most) =>
        dayNames(
          Array.from({ length: axis.days }, (_, place) => dayAt(axis, place)),
          most,
        )
      }
      nameWidth={72}
      start={lastMeasured(history, axis)}
      read={(place) => readingOf(history, dayAt(axis, place))}
      legend={<Legend history={history} />}
    >
      {(step) => (
        <>
          <Band from={axis.today + 0.5} to={axis.days - 1} fill="var(--bw-ground)" />
          {history.resets.map((day) => (
            <Rule key={day} x={at(day)} {...looks.reset} />
          ))}
          {levels.map(({ name, value, isLimit }) => (
            <Rule
              key={name}
              y={value}
              name={name}
              side={freeSideOf(history, value) === 'left' ? 'Left' : 'Right'}
              isBelow={levels.some((other) => other.value > value && (other.value - value) * pixels < NAME_HEIGHT)}
              stroke={`var(--bw-status-${isLimit ? 'red' : 'darkgreen'})`}
              strokeWidth={1.4}
            />
          ))}
          {trend !== null && <Rule segment={trend.past} {...looks.trend} opacity={0.55} />}
          <ValueLine
            dataKey="value"
            {...looks.measured}
            strokeLinecap="round"
            dot={step > LEAST_DOT_SPACE && { r: 2.2, fill: looks.measured.stroke, stroke: 'none' }}
          />
          {trend?.ahead && <Rule segment={trend.ahead} {...looks.trend} />}
          {end && <Dot {...end} r={4.5} fill="var(--bw-panel)" stroke="var(--bw-ink-1)" strokeWidth={1.8} />}
          <Rule x={axis.today} {...looks.today} />
        </>
      )}
    </Chart>
  )
}

/** Returns the day that is read out by default. */
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

function Legend({ history }: { history: UsageHistory }) {
  const { resets, trend, metric } = history
  return (
    <Group
      component="ul"
      aria-label="Key"
      gap="2px 16px"
      m={0}
      mt={8}
      p={0}
      fz="xs"
      c="dimmed"
      style={{ listStyle: 'none' }}
    >
      <Key look="measured">Measured</Key>
      {trend !== null && <Key look="trend">Trend{metric.forecastDate !== null && ' and forecast'}</Key>}
      {resets.length > 0 && <Key look="reset">Part changed, counter reset</Key>}
      <Key look="today">Today</Key>
    </Group>
  )
}

function Key({ look, children }: { look: keyof typeof looks; children: ReactNode }) {
  const isUpright = look === 'reset' || look === 'today'
  return (
    <Group component="li" gap={6}>
      <svg width={isUpright ? 2 : 18} height="12" aria-hidden="true">
        <path d={isUpright ? 'M1 0V12' : 'M0 6H18'} {...looks[look]} />
      </svg>
      {children}
    </Group>
  )
}
