import { aFleet } from '@benchwatch/samples/fleet'
import { simulateHistory } from '@benchwatch/samples/simulator/history'
import { livelyOutages } from '@benchwatch/samples/simulator/outages'
import { postingsOf } from '@benchwatch/samples/simulator/postings'
import { dayAt, midnight } from '@benchwatch/samples/simulator/working-hours'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Line, type Report } from '../report.ts'
import type { SourceContext } from '../source.ts'
import { MemoryOutbox } from '../testing/memory-outbox.ts'
import { loseLine, simulator } from './simulator.ts'

const HOUR = 3_600_000
const seed = 'restarts'
const start = Date.parse('2026-11-20T14:00:00.000Z')
const fleet = aFleet({ seed, customers: 2, instruments: 60 })
const postings = postingsOf(fleet)
const gateways = [...new Set(postings.map(({ gateway }) => gateway))]

/** The server's view: open alarms, and all reports in order. */
class ServerView {
  readonly reports: Report[] = []
  readonly notes = new Map<string, string>()
  readonly open = new Set<string>()
  readonly raised = new Map<string, number>()

  take(report: Report): void {
    this.reports.push(report)
    if (report.type === 'benchwatch.alarm.raised') {
      this.open.add(report.data.alertId)
      this.raised.set(report.data.alertId, (this.raised.get(report.data.alertId) ?? 0) + 1)
    }
    if (report.type === 'benchwatch.alarm.cleared') this.open.delete(report.data.alertId)
  }
}

/** The demo history up to the first start of the program. */
function afterHistory(): ServerView {
  const server = new ServerView()
  const from = new Date(start - 8 * 24 * HOUR)
  for (const { item } of simulateHistory({ fleet, seed, from, to: new Date(start) })) {
    if (item.type === 'benchwatch.alarm.raised') server.open.add(item.data.alertId)
    if (item.type === 'benchwatch.alarm.cleared') server.open.delete(item.data.alertId)
  }
  return server
}

function aContext(server: ServerView, given: Pick<SourceContext, 'name' | 'notes'>): SourceContext {
  return new MemoryOutbox().context({
    ...given,
    report: async (report, note) => {
      server.take(report)
      if (note?.value) server.notes.set(note.name, note.value)
    },
  })
}

/** Runs the program for this many milliseconds of simulated time; stores reports and notes as the outbox does. */
async function live(server: ServerView, milliseconds: number): Promise<void> {
  const source = simulator({ postings, seed, speed: 1 })
  const notes = new Map(server.notes)
  const running = await Promise.all(gateways.map((name) => source(aContext(server, { name, notes }))))
  vi.advanceTimersByTime(milliseconds)
  await Promise.all(running.map((one) => one.stop()))
}

beforeEach(() => {
  vi.useFakeTimers({ now: start })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('pretended instruments after a restart', () => {
  it('clear alarms that are over, and leave none open that they have not reported', async () => {
    const server = afterHistory()
    const before = new Set(server.open)
    expect(before.size).toBeGreaterThan(5)
    await live(server, 5 * HOUR)
    const raisedLive = [...server.open].filter((alertId) => !before.has(alertId))
    expect(raisedLive.length).toBeGreaterThan(0)
    vi.setSystemTime(Date.now() + 40 * HOUR)
    const restart = server.reports.length
    await live(server, 1)
    const cleared = server.reports
      .slice(restart)
      .flatMap((report) => (report.type === 'benchwatch.alarm.cleared' ? [report.data.alertId] : []))
    expect(raisedLive.filter((alertId) => !cleared.includes(alertId))).toEqual([])
    const noted = [...server.notes.values()].flatMap(
      (note) => (JSON.parse(note) as { openAlerts: string[] }).openAlerts,
    )
    expect(new Set(noted)).toEqual(server.open)
  })

  it('raise no alarm again that is cleared, however often they are started', async () => {
    const server = afterHistory()
    for (let life = 0; life < 4; life++) {
      const gone = new Set([...server.raised.keys()].filter((alertId) => !server.open.has(alertId)))
      const from = server.reports.length
      await live(server, 2 * HOUR)
      const again = server.reports
        .slice(from)
        .filter((report) => report.type === 'benchwatch.alarm.raised' && gone.has(report.data.alertId))
      expect(again).toEqual([])
      vi.setSystemTime(Date.now() + 10 * 60_000)
    }
  })

  it('continue counting the run time of the day', async () => {
    const server = afterHistory()
    await live(server, 3 * HOUR)
    vi.setSystemTime(Date.now() + 60_000)
    await live(server, 3 * HOUR)
    const days = new Map<string, number[]>()
    for (const report of server.reports) {
      if (report.type !== 'benchwatch.runtime.measured') continue
      const key = `${report.subject} ${report.data.day}`
      days.set(key, [...(days.get(key) ?? []), report.data.seconds])
    }
    expect(days.size).toBeGreaterThanOrEqual(postings.length)
    for (const seconds of days.values()) {
      expect(seconds).toEqual([...seconds].sort((a, b) => a - b))
      expect(seconds.at(-1)).toBeLessThanOrEqual(86_400)
    }
  })
})

it('reports the run time of a day that ended while it was off, as far as it was measured', async () => {
  const server = new ServerView()
  await live(server, 2 * HOUR)
  const seen = new Map(
    [...server.notes].map(([name, note]) => [name, JSON.parse(note) as { day: string; workedMs: number }]),
  )
  vi.setSystemTime(Date.now() + 30 * HOUR)
  const restart = server.reports.length
  await live(server, HOUR / 2)
  const days = server.reports.slice(restart).flatMap((report) => {
    const before = seen.get(report.subject)
    if (report.type !== 'benchwatch.runtime.measured' || report.data.day !== before?.day) return []
    return [report.data.seconds - Math.round(before.workedMs / 1000)]
  })
  expect(days).toEqual(postings.map(() => 0))
})

it('reports usage every four hours and run time every hour, each instrument at its own minute', async () => {
  const server = new ServerView()
  await live(server, 8 * HOUR)
  const count = (type: Report['type']) => server.reports.filter((report) => report.type === type).length
  expect(count('benchwatch.usage.sampled')).toBe(2 * postings.length)
  expect(count('benchwatch.runtime.measured')).toBeGreaterThanOrEqual(8 * postings.length)
  expect(count('benchwatch.clients.changed')).toBeGreaterThanOrEqual(postings.length)
  const minutes = new Set(
    server.reports.flatMap(({ type, time }) => (type === 'benchwatch.usage.sampled' ? [time.getUTCMinutes()] : [])),
  )
  expect(minutes.size).toBeGreaterThan(15)
})

it('invents nothing for the time in which the computer slept', async () => {
  const server = new ServerView()
  const source = simulator({ postings, seed, speed: 1 })
  const notes = new Map()
  const running = await Promise.all(gateways.map((name) => source(aContext(server, { name, notes }))))
  vi.advanceTimersByTime(HOUR)
  const before = server.reports.length
  vi.setSystemTime(Date.now() + 30 * HOUR)
  vi.advanceTimersByTime(60_000)
  expect(server.reports.length - before).toBeLessThan(before)
  const late = server.reports.slice(before).filter(({ time }) => time.getTime() < start + 30 * HOUR)
  expect(late.filter(({ type }) => type === 'benchwatch.status.changed')).toEqual([])
  const zones = new Map(postings.map(({ installedProductId, timeZone }) => [installedProductId, timeZone]))
  let ofThatDay = 0
  for (const report of server.reports) {
    const zone = zones.get(report.subject) ?? 'UTC'
    if (report.type !== 'benchwatch.runtime.measured' || report.data.day !== dayAt(zone, start)) continue
    // Awake until an hour after the start; work in progress counts as continuing for the next step.
    const awake = (start + HOUR - midnight(zone, start, 'begins')) / 1000
    expect(report.data.seconds).toBeLessThanOrEqual(awake + 1_300)
    ofThatDay++
  }
  expect(ofThatDay).toBeGreaterThan(postings.length)
  await Promise.all(running.map((one) => one.stop()))
})

describe('lost line', () => {
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
    const stop = loseLine(line, outages.values())
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
    const stop = loseLine(line, [{ from: start, to: start + MINUTE }].values())
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
})
