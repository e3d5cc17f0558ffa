import type { UsageHistory } from '@benchwatch/contract/instruments/usage'
import { describe, expect, it } from 'vitest'
import { addDays } from '../../../lib/time/zone-clock.ts'
import { forecastSentence, paceSentence } from './usage-history.tsx'
import {
  dayAt,
  expectedAt,
  freeSideOf,
  historyAxis,
  thresholdLines,
  trendLine,
  valueRows,
} from './usage-history-chart.tsx'

const today = '2026-11-20'

/** 400 to 590 of 1,000 at 10 a day up to today, so the limit is reached on 31-Dec-2026. */
const climbing: UsageHistory = {
  componentName: 'Pump A (P9-A)',
  metric: {
    metric: 'Seal',
    unit: 'strokes',
    value: 590,
    thresholdRule: 'MAXIMUM_USAGE',
    thresholdValues: [1000],
    usagePercentage: 59,
    usageColor: 'normal',
    forecastDate: '2026-12-31',
  },
  values: Array.from({ length: 20 }, (_, index) => ({ time: addDays(today, index - 19), value: 400 + index * 10 })),
  resets: [],
  trend: { from: '2026-11-01', days: 20, perDay: 10 },
}
const falling: UsageHistory = {
  ...climbing,
  metric: {
    metric: 'Electrode',
    unit: 'days',
    value: 27,
    thresholdRule: 'COUNT_DOWN',
    thresholdValues: [30, 7],
    usagePercentage: null,
    usageColor: 'high',
    forecastDate: '2026-12-10',
  },
  values: Array.from({ length: 20 }, (_, index) => ({ time: addDays(today, index - 19), value: 46 - index })),
  trend: { from: '2026-11-01', days: 20, perDay: -1 },
}
const without = (history: UsageHistory, metric: Partial<UsageHistory['metric']>): UsageHistory => ({
  ...history,
  metric: { ...history.metric, ...metric },
})

describe('the axis of a counter', () => {
  it('leads from the first value to the forecast, and from 0 to the maximum', () => {
    const axis = historyAxis(climbing, today)
    expect([axis.from, axis.today, dayAt(axis, axis.days - 1)]).toEqual(['2026-11-01', 19, '2027-01-02'])
    expect([axis.low, axis.high]).toEqual([0, 1000])
  })

  it('looks half as far again ahead as back, or 60 days where there is little behind', () => {
    const far = without(climbing, { forecastDate: '2030-01-01' })
    expect(historyAxis(far, today).days).toBe(20 + 60)
    const long = { ...far, values: [{ time: '2025-11-20', value: 1 }, ...far.values] }
    expect(historyAxis(long, today).days).toBe(366 + 548)
  })

  it('ends today without a forecast, also where the last value is old', () => {
    const silent = {
      ...climbing,
      metric: { ...climbing.metric, forecastDate: null },
      values: climbing.values.slice(0, 3),
    }
    const axis = historyAxis(silent, today)
    expect([axis.days, axis.today]).toEqual([20, 19])
  })

  it('goes below 0 with a count-down that is overdue', () => {
    const overdue = { ...falling, values: [{ time: today, value: -20 }] }
    expect(historyAxis(overdue, today).low).toBe(-20)
  })
})

it('thresholds have the names of their rule, and do not cover the counter', () => {
  expect(thresholdLines(climbing.metric)).toEqual([{ value: 1000, name: 'Maximum', isLimit: true }])
  expect(
    thresholdLines(without(climbing, { thresholdRule: 'HIGH_SAFE_USAGE', thresholdValues: [6, 9] }).metric),
  ).toEqual([
    { value: 6, name: 'Safety threshold', isLimit: false },
    { value: 9, name: 'Maximum', isLimit: true },
  ])
  expect(thresholdLines(falling.metric).map(({ name }) => name)).toEqual(['Change soon', 'Change now'])
  expect(thresholdLines(without(falling, { thresholdRule: 'UNKNOWN_THRESHOLD' }).metric)).toEqual([])
  expect(freeSideOf(climbing, 1000)).toBe('left')
  expect(freeSideOf(without(climbing, { forecastDate: null }), 400)).toBe('right')
})

it('a reset begins a new line, and a day alone is a line, too', () => {
  const changed = { ...climbing, resets: ['2026-11-10', today] }
  const rows = valueRows(changed, historyAxis(changed, today))
  expect(rows.filter(({ value }) => value === null).map(({ at }) => at)).toEqual([9, 19])
  expect(rows.slice(-2)).toEqual([
    { at: 19, value: 590 },
    { at: 19, value: 590 },
  ])
})

describe('the pace', () => {
  it('is drawn from its first day on to the limit', () => {
    const line = trendLine(climbing, historyAxis(climbing, today))
    expect(line?.past).toEqual([
      { x: 0, y: 400 },
      { x: 19, y: 590 },
    ])
    // 410 more at 10 a day: 41 days after today.
    expect(line?.ahead?.[1]).toEqual({ x: 60, y: 1000 })
    expect(line?.isReached).toBe(true)
  })

  it('leaves the picture where the limit lies beyond it, and leads nowhere without a forecast', () => {
    const far = without(climbing, { forecastDate: '2030-01-01', thresholdValues: [12_000] })
    const axis = historyAxis(far, today)
    const line = trendLine(far, axis)
    expect(line?.isReached).toBe(false)
    expect(line?.ahead?.[1].x).toBe(axis.days - 0.5)
    expect(trendLine(without(climbing, { forecastDate: null }), historyAxis(climbing, today))?.ahead).toBeNull()
    expect(trendLine({ ...climbing, trend: null }, historyAxis(climbing, today))).toBeNull()
  })

  it('gives the expected value of a future day, up to the limit', () => {
    expect(expectedAt(climbing, '2026-11-25')).toBe(640)
    expect(expectedAt(climbing, '2027-06-01')).toBe(1000)
    expect(expectedAt(falling, '2027-06-01')).toBe(7)
    expect(expectedAt(climbing, today)).toBeNull()
  })
})

describe('a forecast in words', () => {
  it('says when, of which limit, and at which pace since when', () => {
    expect(forecastSentence(climbing, today)).toBe(
      'At this pace, it reaches its maximum of 1,000 strokes on 31-Dec-2026, in 41 days.',
    )
    expect(paceSentence(climbing)).toBe(
      'Rises by 10 strokes a day: the median pace of 20 measured days since 01-Nov-2026.',
    )
    expect(forecastSentence(falling, today)).toBe('At this pace, it is due for a change on 10-Dec-2026, in 20 days.')
    expect(paceSentence(falling)).toBe('Falls by 1 a day: the median pace of 20 measured days since 01-Nov-2026.')
  })

  it('says tomorrow and today', () => {
    expect(forecastSentence(without(climbing, { forecastDate: '2026-11-21' }), today)).toContain(
      '21-Nov-2026, tomorrow.',
    )
    expect(forecastSentence(without(climbing, { forecastDate: today }), today)).toContain('20-Nov-2026, today.')
  })

  it('says why there is none', () => {
    const none = without(climbing, { forecastDate: null })
    expect(forecastSentence(none, today)).toBe('At this pace, the limit is more than five years away.')
    expect(forecastSentence({ ...none, trend: { ...climbing.trend, perDay: 0 } as UsageHistory['trend'] }, today)).toBe(
      'It is not approaching its limit.',
    )
    expect(forecastSentence({ ...none, trend: null }, today)).toMatch(/^No forecast yet/)
    expect(forecastSentence({ ...none, values: [{ time: today, value: 1000 }] }, today)).toBe(
      'It has reached its maximum.',
    )
    expect(forecastSentence({ ...falling, values: [{ time: today, value: 7 }] }, today)).toBe('It is due for a change.')
    expect(forecastSentence(without(none, { thresholdRule: 'UNKNOWN_THRESHOLD' }), today)).toMatch(
      /^No forecast: this counter has no known limit/,
    )
    expect(paceSentence({ ...none, trend: null })).toBeNull()
  })
})
