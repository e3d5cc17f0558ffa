import { describe, expect, it } from 'vitest'
import { timeAxis } from './chart-rows.tsx'

const labels = (times: number[]) => timeAxis(times).ticks.map(({ label }) => label)

describe('an axis of lengths of time', () => {
  it('goes from the mark below the shortest to the one above the longest', () => {
    expect(labels([5686, 36_723])).toEqual(['1 h', '6 h', '1 day'])
    expect(labels([3600, 86_400])).toEqual(['1 h', '6 h', '1 day'])
    expect(labels([3600])).toEqual(['1 h', '6 h'])
    expect(labels([])).toEqual(['1 h', '6 h', '1 day'])
  })

  it('keeps values beyond all marks at its edges', () => {
    const axis = timeAxis([0, 10 ** 9])
    expect([axis.ticks.at(0)?.label, axis.ticks.at(-1)?.label]).toEqual(['1 min', '720 days'])
    expect([axis.place(0), axis.place(10 ** 9)]).toEqual([0, 1])
  })

  it('gives equal room to equal multiples', () => {
    const { place } = timeAxis([60, 86_400])
    expect(place(60)).toBe(0)
    expect(place(86_400)).toBe(1)
    expect(place(120) - place(60)).toBeCloseTo(place(7200) - place(3600))
  })
})
