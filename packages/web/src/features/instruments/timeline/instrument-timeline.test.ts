import { describe, expect, it } from 'vitest'
import { readSpan, spanOf, writeSpan } from './instrument-timeline.tsx'

const now = Date.parse('2026-11-20T14:02:00.000Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('a preset', () => {
  it.each([
    ['24h', 1],
    ['7d', 7],
    ['30d', 30],
    ['90d', 90],
  ] as const)('%s ends a little after now, for what begins soon', (key, days) => {
    const { from, to } = spanOf(key, now)
    expect(to).toBeGreaterThan(now + 0.03 * days * DAY)
    expect(from).toBeLessThanOrEqual(now - 0.998 * days * DAY)
    expect(from).toBeGreaterThanOrEqual(now - days * DAY)
  })

  it('of a year asks for no more than the server answers at once', () => {
    const { from, to } = spanOf('1y', now)
    expect(to - from).toBeLessThanOrEqual(366 * DAY)
    expect(to).toBeGreaterThan(now)
  })

  it('is the same question for a while, so that a tick of the clock asks for nothing', () => {
    expect(spanOf('7d', now)).toEqual(spanOf('7d', now + 30_000))
    expect(spanOf('7d', now)).not.toEqual(spanOf('7d', now + HOUR))
  })
})

describe('in the address', () => {
  it.each(['24h', '30d', '90d', '1y'] as const)('%s stands by its name', (key) => {
    expect(writeSpan(key)).toBe(key)
    expect(readSpan(key)).toBe(key)
  })

  it('the usual span is left out', () => {
    expect(writeSpan('7d')).toBeUndefined()
    expect(readSpan(undefined)).toBe('7d')
  })

  it('a span of its own comes back to the second', () => {
    const span = { from: now - DAY - 321, to: now + 499 }
    const text = writeSpan(span) ?? ''
    expect(text).toBe('2026-11-19T14:02:00Z~2026-11-20T14:02:00Z')
    expect(readSpan(text)).toEqual({ from: now - DAY, to: now })
  })

  it.each([
    'yesterday',
    '~',
    '2026-11-20T14:02:00Z~2026-11-19T14:02:00Z',
    '2026-11-20T14:02:00Z~2026-11-20T14:03:00Z',
    '2020-01-01T00:00:00Z~2026-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z~2026-01-01T00:00:00Z',
    7,
  ])('%s is the usual span', (text) => {
    expect(readSpan(text)).toBe('7d')
  })
})
