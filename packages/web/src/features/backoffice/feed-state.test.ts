import { describe, expect, it } from 'vitest'
import { feedSummary, secondsLabel, worstFirst } from './feed-state.tsx'

describe('the state of the feed in words', () => {
  it.each([
    [0, '0 s'],
    [0.84, '0.8 s'],
    [-2.5, '−2.5 s'],
    [42.4, '42 s'],
    [59.7, '1 min'],
    [200, '3 min 20 s'],
    [7500, '2 h 5 min'],
  ])('a lag of %d seconds reads %s', (seconds, words) => {
    expect(secondsLabel(seconds)).toBe(words)
  })

  it('names what is not as it should be, the worst last', () => {
    expect(feedSummary([{ state: 'heard' }])).toBeNull()
    expect(feedSummary([{ state: 'silent' }, { state: 'late' }, { state: 'late' }, { state: 'heard' }])).toBe(
      '2 late, 1 silent',
    )
  })

  it('what somebody should look at stands first', () => {
    const states = ['heard', 'never', 'late', 'silent'] as const
    expect(worstFirst(states.map((state) => ({ state, parked: 0 }))).map(({ state }) => state)).toEqual([
      'silent',
      'late',
      'never',
      'heard',
    ])
    expect(
      worstFirst([
        { state: 'heard', parked: 0 },
        { state: 'heard', parked: 2 },
      ]).map(({ parked }) => parked),
    ).toEqual([2, 0])
  })
})
