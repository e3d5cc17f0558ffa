import { describe, expect, test } from 'vitest'
import {
  countLabel,
  countStep,
  markSize,
  noBounds,
  noCounts,
  placesLabel,
  shortCount,
  widen,
  worstOpenSeverity,
} from './locations.ts'

const counts = (high: number, medium: number, low: number) => ({
  ...noCounts(),
  ...{ high, medium, low, total: high + medium + low },
})

const open = (openHigh: number, openMedium: number, openLow: number) => ({
  ...counts(900, 900, 900),
  ...{ openHigh, openMedium, openLow },
})

describe('a mark', () => {
  test.each([
    [1, 10],
    [9, 10],
    [10, 20],
    [99, 20],
    [100, 30],
    [26_335, 30],
  ])('of %i events has %i pixels: 10, 20 or 30 by child count', (events, size) => {
    expect(markSize(events)).toBe(size)
  })

  test.each([
    [open(1, 900, 900), 'high'],
    [open(0, 1, 900), 'medium'],
    [open(0, 0, 3), 'low'],
    [open(0, 0, 0), null],
  ])('has the colour of its worst open severity, and none without open events', (all, severity) => {
    expect(worstOpenSeverity(all)).toBe(severity)
  })

  test.each([
    [999, '999'],
    [1000, '1k'],
    [1240, '1.2k'],
    [9940, '9.9k'],
    [9960, '10k'],
    [13_499, '13k'],
    [999_499, '999k'],
    [999_500, '1M'],
    [2_140_000, '2.1M'],
  ])('says %i as %s', (events, text) => {
    expect(shortCount(events)).toBe(text)
  })

  test('is also described in words', () => {
    expect(countLabel(counts(2, 0, 12))).toBe('14 events: 2 HIGH, 12 LOW; none open')
    expect(countLabel(counts(0, 1, 0))).toBe('1 event: 1 MED; none open')
    expect(countLabel(counts(1000, 0, 881), 5)).toBe('1,881 events at 5 places: 1,000 HIGH, 881 LOW; none open')
    expect(countLabel({ ...counts(2, 0, 12), openHigh: 1, openLow: 2 })).toBe(
      '14 events: 2 HIGH, 12 LOW; 3 open: 1 HIGH, 2 LOW',
    )
    expect(placesLabel(counts(0, 0, 2), 1)).toBe('2 events')
  })
})

test('shades of countries have the steps of marks; none is no shade', () => {
  expect([0, 1, 9, 10, 99, 100].map(countStep)).toEqual([0, 1, 1, 2, 2, 3])
})

test('bounds grow around each place, up to the poles and the date line', () => {
  const bounds = noBounds()
  widen(bounds, 59.86, 17.64)
  expect(bounds).toEqual({ south: 59.86, north: 59.86, west: 17.64, east: 17.64 })
  widen(bounds, 90, 180)
  widen(bounds, -90, -180)
  expect(bounds).toEqual({ south: -90, north: 90, west: -180, east: 180 })
})
