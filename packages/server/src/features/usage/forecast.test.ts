import { describe, expect, it } from 'vitest'
import { forecastOf, resetsOf, trendOf } from './forecast.ts'

const today = '2026-11-20'
const day = (ago: number) => new Date(Date.parse(`${today}T00:00:00Z`) - ago * 86_400_000).toISOString().slice(0, 10)
/** One value per day up to today, the oldest first. */
const daily = (values: readonly number[]) =>
  values.map((value, index) => ({ day: day(values.length - 1 - index), value }))
const climbing = (count: number, from: number, step: number) =>
  daily(Array.from({ length: count }, (_, index) => from + index * step))

const maximum = { rule: 'MAXIMUM_USAGE', values: [1000] } as const
const countDown = { rule: 'COUNT_DOWN', values: [30, 7] } as const
const forecast = (
  values: ReturnType<typeof daily>,
  threshold: Parameters<typeof forecastOf>[1]['threshold'] = maximum,
) => forecastOf(values, { threshold, today })

describe('a forecast', () => {
  it('is the day on which the maximum is reached at the pace so far', () => {
    // 10 a day, 590 today: 41 more days.
    expect(forecast(climbing(20, 400, 10))).toBe('2026-12-31')
  })

  it('of a count-down is the day of its second value', () => {
    expect(forecast(climbing(20, 46, -1), countDown)).toBe(day(-20))
  })

  it('is not moved by some days that were measured wrongly', () => {
    const values = climbing(30, 400, 10).map((one, index) =>
      index % 5 === 2 ? { ...one, value: one.value * 0.95 } : one,
    )
    expect(trendOf(values, { threshold: maximum, today })?.perDay).toBeCloseTo(10, 0)
  })

  it('takes days that were measured now and then as what they are', () => {
    const weekly = [0, 7, 14, 21, 28, 35].map((ago) => ({ day: day(ago), value: 500 - ago * 2 })).reverse()
    expect(trendOf(weekly, { threshold: maximum, today })).toEqual({ from: day(35), days: 6, perDay: 2 })
    expect(forecast(weekly)).toBe(day(-250))
  })

  it('begins anew where the part was changed', () => {
    const values = [
      ...climbing(40, 500, 10).slice(0, 20),
      ...daily(Array.from({ length: 20 }, (_, index) => index * 20)),
    ]
    expect(resetsOf(values, maximum)).toEqual([day(19)])
    expect(trendOf(values, { threshold: maximum, today })).toEqual({ from: day(19), days: 20, perDay: 20 })
    expect(forecast(values)).toBe(day(-31))
  })

  it('of a count-down begins anew where it was wound up', () => {
    const values = daily([12, 11, 10, 9, 180, 179, 178, 177, 176, 175, 174, 173])
    expect(resetsOf(values, countDown)).toEqual([day(7)])
    expect(forecast(values, countDown)).toBe(day(-166))
  })

  it('takes a small step back for a correction', () => {
    expect(resetsOf(daily([500, 510, 505, 520]), maximum)).toEqual([])
  })

  it.each([
    ['stands still', climbing(30, 400, 0), maximum],
    ['goes away from its limit', climbing(30, 400, -1), maximum],
    ['is due already', climbing(30, 990, 10), maximum],
    ['was measured on too few days', climbing(4, 400, 10), maximum],
    ['was measured for too short', climbing(7, 400, 10), maximum],
    ['will be due in a lifetime', climbing(30, 0, 0.1), maximum],
    ['has no limit', climbing(30, 0, 10), { rule: 'UNKNOWN_THRESHOLD', values: [] } as const],
    ['was not measured at all', [], maximum],
    ['winds up', climbing(30, 40, 1), countDown],
  ])('is none for what %s', (_name, values, threshold) => expect(forecast(values, threshold)).toBeNull())

  it('does not look back further than 90 days', () => {
    const old = climbing(30, 100, 30).map(({ value }, index) => ({ day: day(200 - index), value }))
    const young = climbing(30, 950, 0.5)
    expect(trendOf([...old, ...young], { threshold: maximum, today })).toMatchObject({ days: 30, perDay: 0.5 })
  })

  it('counts from the last day that was measured, and never lies in the past', () => {
    const silent = climbing(20, 400, 10).map(({ value }, index) => ({ day: day(70 - index), value }))
    expect(forecast(silent)).toBe(today)
  })
})
