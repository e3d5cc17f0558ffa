import { aLogHit } from '@benchwatch/samples/log-hit'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { formatZone } from '../../../lib/time/dates.ts'
import { isGoingOn, isWithin, type LogPage, windowOfEvent } from '../log-pages.ts'
import { logRows } from './log-lines.tsx'
import { countLabel } from './log-viewer.tsx'

const local = (...parts: [number, number, number, number?, number?, number?]) => new Date(...parts).toISOString()

const line = (at: string, id: number) => aLogHit({ id, at })

const page = (times: string[], over: Partial<LogPage> = {}): LogPage => ({
  lines: times.map(line),
  hasOlder: false,
  hasNewer: false,
  total: times.length,
  ...over,
})

const words = (rows: ReturnType<typeof logRows>) =>
  rows.map((row) => (row.kind === 'line' ? row.hit._source.message : `${row.kind} ${new Date(row.at).getDate()}`))

describe('rows of the viewer', () => {
  it('name the day above its first line, and the moment of the event between two lines', () => {
    const times = [local(2026, 10, 19, 23, 59), local(2026, 10, 20, 0, 1), local(2026, 10, 20, 14)]
    expect(words(logRows(page(times), local(2026, 10, 20, 12)))).toEqual([
      ...['day 19', 'line 0', 'day 20', 'line 1', 'moment 20', 'line 2'],
    ])
  })

  it('put the moment into its own day', () => {
    const times = [local(2026, 10, 19, 23, 59), local(2026, 10, 20, 14)]
    expect(words(logRows(page(times), local(2026, 10, 20, 0, 0, 1)))).toEqual([
      ...['day 19', 'line 0', 'day 20', 'moment 20', 'line 1'],
    ])
  })

  it('name the day again where its clocks change, each time with the offset of the lines below', () => {
    vi.stubEnv('TZ', 'Europe/Stockholm')
    onTestFinished(() => void vi.unstubAllEnvs())
    const times = ['2026-10-25T00:10:00Z', '2026-10-25T00:50:00Z', '2026-10-25T01:10:00Z', '2026-10-25T09:00:00Z']
    const rows = logRows(page(times), null)
    expect(words(rows)).toEqual(['day 25', 'line 0', 'line 1', 'day 25', 'line 2', 'line 3'])
    const zones = rows.filter(({ kind }) => kind === 'day').map(({ at }) => formatZone(new Date(at)))
    expect(zones).toEqual(['Europe/Stockholm (UTC+2)', 'Europe/Stockholm (UTC+1)'])
  })

  it('put it before the lines of its very instant, and leave it out where lines in between are not read', () => {
    const at = local(2026, 10, 20, 14)
    expect(words(logRows(page([at, at]), at))).toEqual(['day 20', 'moment 20', 'line 0', 'line 1'])
    expect(words(logRows(page([at, at], { hasOlder: true }), at))).toEqual(['day 20', 'line 0', 'line 1'])
    expect(words(logRows(page([at]), null))).toEqual(['day 20', 'line 0'])
    expect(words(logRows(page([]), null))).toEqual([])
  })
})

describe('how many there are', () => {
  const at = local(2026, 10, 20)

  it('is told with what is shown of them', () => {
    expect(countLabel(page([at, at], { total: 128 }), '')).toBe('2 of 128 log lines')
    expect(countLabel(page([at]), '')).toBe('1 log line')
    expect(countLabel(page([at, at]), 'pump')).toBe('2 matches')
    expect(countLabel(page([at], { total: 10_000 }), 'pump')).toBe('1 of 10,000+ matches')
  })
})

describe('log window', () => {
  const local = (...parts: [number, number, number, number?, number?, number?]) => new Date(...parts).toISOString()
  const moment = local(2026, 10, 20, 14, 2, 7)

  describe('the time with which logs of an event open', () => {
    it('is the whole day on the page of the event', () => {
      expect(windowOfEvent(moment, 'details')).toEqual({ from: local(2026, 10, 20), to: local(2026, 10, 21) })
    })

    it('is the previous day to two seconds after the event otherwise', () => {
      expect(windowOfEvent(moment, 'row')).toEqual({ from: local(2026, 10, 19), to: local(2026, 10, 20, 14, 2, 9) })
    })

    it('holds its beginning and not its end', () => {
      const window = windowOfEvent(moment, 'details')
      expect([window.from, moment, window.to].map((instant) => isWithin(window, instant))).toEqual([true, true, false])
    })

    it('goes on as long as its end has not come', () => {
      const window = windowOfEvent(moment, 'details')
      expect(isGoingOn(window, Date.parse(moment))).toBe(true)
      expect(isGoingOn(window, Date.parse(window.to))).toBe(false)
    })
  })
})
