import { describe, expect, it } from 'vitest'
import { feedSummary, replicaLabel, secondsLabel, worstFirst } from './feed-state.tsx'

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

  it.each([
    ['none', null, null],
    ['used', 0.004, 'In use It has all changes.'],
    ['used', 2.34, 'In use It is 2.3 s behind.'],
    [
      'behind',
      75,
      'Behind Lag 1 min 15 s, limit 10 s. Key figures, reports and exports are read from the primary database.',
    ],
    ['away', null, 'Not available Key figures, reports and exports are read from the primary database.'],
  ] as const)('a replica that is %s with a lag of %d seconds reads %s', (state, lagSeconds, words) => {
    const label = replicaLabel({ state, lagSeconds, maxLagSeconds: 10 })
    expect(label && `${label.word} ${label.text}`).toBe(words)
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
