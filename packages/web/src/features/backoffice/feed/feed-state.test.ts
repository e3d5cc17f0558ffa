import { describe, expect, it } from 'vitest'
import { feedSummary, linkNotes, replicaLabel, secondsLabel, worstFirst } from './feed-state.tsx'

const down = {
  name: 'skids',
  kind: 'mqtt',
  state: 'down' as const,
  since: '2026-11-20T13:00:00.000Z',
  reason: 'The broker is away.',
  unmatched: 2,
  faulty: 1,
  lastFault: 'This is not JSON.',
}

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
    expect(feedSummary([{ state: 'heard', links: [{ ...down, state: 'up' }] }])).toBeNull()
    const states = ['silent', 'late', 'late', 'heard'] as const
    expect(feedSummary(states.map((state) => ({ state, links: [] })))).toBe('2 late, 1 silent')
    expect(feedSummary([{ state: 'heard', links: [down] }])).toBe('1 link down')
  })

  it('says why a link is down and which messages became no report', () => {
    expect(linkNotes(down)).toEqual([
      'The broker is away.',
      '2 messages matched no rule.',
      '1 message could not be read. Last: This is not JSON.',
    ])
    expect(linkNotes({ ...down, reason: null, unmatched: 0, faulty: 0 })).toEqual([])
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

  it('what needs attention comes first', () => {
    const states = ['heard', 'never', 'late', 'silent'] as const
    expect(worstFirst(states.map((state) => ({ state, parked: 0, links: [] }))).map(({ state }) => state)).toEqual([
      'silent',
      'late',
      'never',
      'heard',
    ])
    expect(
      worstFirst([
        { state: 'heard', parked: 0, links: [] },
        { state: 'heard', parked: 2, links: [] },
        { state: 'heard', parked: 1, links: [down] },
      ]).map(({ parked }) => parked),
    ).toEqual([1, 2, 0])
  })
})
