import { describe, expect, it } from 'vitest'
import { seededRandom } from './seeded-random.ts'

const draw = (seed: string, count: number) => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => random.next())
}

describe('seeded random numbers', () => {
  it('are the same for the same seed and others for another', () => {
    expect(draw('a', 5)).toEqual(draw('a', 5))
    expect(draw('a', 5)).not.toEqual(draw('b', 5))
  })

  it('stay the same in all versions, so that every demo is the same', () => {
    expect(draw('benchwatch', 2)).toMatchInlineSnapshot(`
      [
        0.6899816563818604,
        0.2629863580223173,
      ]
    `)
  })

  it('are spread evenly', () => {
    const tenths = Array.from({ length: 10 }, () => 0)
    for (const number of draw('spread', 20_000)) {
      const tenth = Math.floor(number * 10)
      tenths[tenth] = (tenths[tenth] ?? 0) + 1
    }
    for (const count of tenths) expect(Math.abs(count - 2_000)).toBeLessThan(200)
  })

  it('fork into streams that do not depend on how much was drawn before', () => {
    const [fresh, used] = [seededRandom('a'), seededRandom('a')]
    used.next()
    expect(used.fork('x').next()).toBe(fresh.fork('x').next())
    expect(fresh.fork('x').next()).not.toBe(fresh.fork('y').next())
  })

  it('reach both ends of a whole-number range and nothing beyond', () => {
    const random = seededRandom('ends')
    const seen = new Set(Array.from({ length: 200 }, () => random.integer(3, 6)))
    expect(seen).toEqual(new Set([3, 4, 5, 6]))
  })

  it('choose by weight, never what weighs nothing', () => {
    const random = seededRandom('weights')
    const counts = { none: 0, one: 0, three: 0 }
    const weights = { none: 0, one: 1, three: 3 }
    for (let index = 0; index < 4_000; index++)
      counts[random.weighted(['none', 'one', 'three'] as const, (name) => weights[name])]++
    expect(counts.none).toBe(0)
    expect(counts.three / counts.one).toBeGreaterThan(2.6)
    expect(counts.three / counts.one).toBeLessThan(3.4)
  })

  it('refuse to choose from nothing', () => {
    expect(() => seededRandom('a').pick([])).toThrow('nothing to choose from')
  })
})
