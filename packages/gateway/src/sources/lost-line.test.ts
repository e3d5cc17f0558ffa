import { livelyOutages } from '@benchwatch/samples/simulator/outages'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Line } from '../line.ts'
import { loseLine } from './lost-line.ts'

const MINUTE = 60_000
const start = Date.parse('2026-11-20T14:00:00.000Z')

beforeEach(() => {
  vi.useFakeTimers({ now: start })
})
afterEach(() => {
  vi.useRealTimers()
})

it('is cut and restored at the instants of its outages, and never when they were slept through', () => {
  const line = new Line()
  const outages = [
    { from: start - 10 * MINUTE, to: start - 5 * MINUTE },
    { from: start + 10 * MINUTE, to: start + 15 * MINUTE },
    { from: start + 30 * MINUTE, to: start + 33 * MINUTE },
  ]
  const stop = loseLine(line, outages.values(), Date.now)
  const states = Array.from({ length: 40 }, () => {
    vi.advanceTimersByTime(MINUTE)
    return line.isUp ? '.' : 'x'
  }).join('')
  expect([...states].filter((state) => state === 'x')).toHaveLength(8)
  expect(states.indexOf('x')).toBe(9)
  expect(states.lastIndexOf('x')).toBe(31)
  stop()
})

it('is up again when its source stops', () => {
  const line = new Line()
  const stop = loseLine(line, [{ from: start, to: start + MINUTE }].values(), Date.now)
  vi.advanceTimersByTime(10)
  expect(line.isUp).toBe(false)
  stop()
  expect(line.isUp).toBe(true)
})

it('is lost by one gateway of the fleet every two hours for 3 to 8 minutes, faster at a higher speed', () => {
  const gateways = ['GW-1', 'GW-2', 'GW-3']
  const day = 24 * 60 * MINUTE
  for (const speed of [1, 4]) {
    const all = gateways.flatMap((gateway) => {
      const outages = livelyOutages({ seed: 's', gateway, gateways, speed }, start)
      const mine = []
      for (let next = outages.next().value; next.from < start + day; next = outages.next().value) mine.push(next)
      return mine
    })
    expect(all.length).toBeGreaterThanOrEqual(12 * speed - 1)
    expect(all.length).toBeLessThanOrEqual(12 * speed + 1)
    for (const { from, to } of all) {
      expect(from).toBeGreaterThanOrEqual(start)
      expect((to - from) * speed).toBeGreaterThanOrEqual(3 * MINUTE)
      expect((to - from) * speed).toBeLessThanOrEqual(8 * MINUTE)
    }
    all.sort((a, b) => a.from - b.from)
    for (const [index, { from }] of all.entries()) expect(from).toBeGreaterThanOrEqual(all[index - 1]?.to ?? 0)
  }
})
