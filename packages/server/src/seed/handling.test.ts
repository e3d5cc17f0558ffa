import { seededRandom } from '@benchwatch/samples/seeded-random'
import { describe, expect, it } from 'vitest'
import type { Colleague } from './demo-people.ts'
import { type HandlingStep, handle } from './handling.ts'

const DAY = 86_400_000
const createdAt = new Date('2026-09-01T08:00:00.000Z')
const colleagues: Colleague[] = [
  { id: 1, name: 'Support', role: 'support', customerIds: null },
  { id: 2, name: 'Service', role: 'service', customerIds: null },
  { id: 3, name: 'Own customer', role: 'customer', customerIds: [7] },
  { id: 4, name: 'Other customer', role: 'customer', customerIds: [8] },
]

/** Returns the handling of 3,000 events of customer 7 up to this many days later. */
function handled(days: number): HandlingStep[][] {
  const until = new Date(createdAt.getTime() + days * DAY)
  return Array.from({ length: 3000 }, (_, index) =>
    handle(
      { createdAt, severity: (['low', 'medium', 'high'] as const)[index % 3] ?? 'low', customerId: 7 },
      { random: seededRandom(`event ${index}`), colleagues, until },
    ),
  )
}

const openShare = (days: number) =>
  handled(days).filter((steps) => steps.at(-1)?.state.alertStatus !== '3_CLOSED').length / 3000

describe('what people do about events', () => {
  it('closes most in days, and what was left lying in weeks', () => {
    expect(openShare(0.05)).toBeGreaterThan(0.9)
    expect(openShare(7)).toBeGreaterThan(0.01)
    expect(openShare(7)).toBeLessThan(0.1)
    expect(openShare(60)).toBeGreaterThan(0.001)
    expect(openShare(60)).toBeLessThan(0.01)
  })

  it('happens after the event, in order, and never after the end', () => {
    for (const steps of handled(30)) {
      const times = [createdAt, ...steps.map(({ at }) => at), new Date(createdAt.getTime() + 30 * DAY)]
      expect(times).toEqual([...times].sort((a, b) => a.getTime() - b.getTime()))
    }
  })

  it('is done by those who see the customer', () => {
    const owners = new Set(handled(60).flatMap((steps) => steps.map(({ state }) => state.claimedBy)))
    expect(owners).toEqual(new Set([1, 2, 3]))
  })
})
