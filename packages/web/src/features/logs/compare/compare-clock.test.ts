import { describe, expect, it } from 'vitest'
import { clockDifferenceLabel, correctedSide, parseClockDifference, writeClockDifference } from './compare-address.ts'

describe('a stated difference of clocks', () => {
  it.each([
    ['90', 90_000],
    ['+90 s', 90_000],
    ['-90', -90_000],
    ['−1:30', -90_000],
    ['1:30', 90_000],
    ['- 1:00:00.5', -3_600_500],
    ['1 min 30 s', 90_000],
    ['2 days 4 h', 187_200_000],
    ['1.5 h', 5_400_000],
    ['250 ms', 250],
    ['2 Minutes', 120_000],
    ['0', 0],
    ['-0', 0],
  ])('is read from %s', (text, ahead) => {
    expect(parseClockDifference(text)).toBe(ahead)
  })

  it.each(['', 'soon', '1:75', '1:75:00', '90 x', '1e3', '--5', '4000000000', '90 s and more', 's'])(
    'is not read from “%s”',
    (text) => {
      expect(parseClockDifference(text)).toBeNull()
    },
  )

  it.each([90_000, -1500, 0, 60_250])('of %i ms is read back as it was written', (ahead) => {
    expect(parseClockDifference(writeClockDifference(ahead))).toBe(ahead)
  })

  it.each([
    [90_000, '1 min 30 s ahead'],
    [-400, '0.4 s behind'],
    [-3_600_000, '1 h behind'],
    [61_234, '1 min 1 s ahead'],
  ])('of %i ms is told as %s', (ahead, words) => {
    expect(clockDifferenceLabel(ahead)).toBe(words)
  })
})

it('is the clock of the client’s PC, else of the second log', () => {
  expect(correctedSide({ first: { logType: 'UNICORNCLIENT', computerName: null } })).toBe('first')
  expect(correctedSide({ first: { logType: 'VID', computerName: null } })).toBe('second')
  expect(correctedSide({ first: null })).toBe('second')
})
