import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { marked, marksOf, moved, placed, placeOf, stretchesOf, ticksOf, zoomed } from './time-axis.tsx'

const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('ticks', () => {
  /** The clocks there change on 25-Oct-2026 at 03:00 and on 28-Mar-2027 at 02:00. */
  beforeAll(() => void vi.stubEnv('TZ', 'Europe/Stockholm'))
  afterAll(() => void vi.unstubAllEnvs())

  const at = (text: string) => new Date(text).getTime()
  const labels = (from: string, to: string, width: number, line?: number) =>
    ticksOf({ from: at(from), to: at(to) }, width, line).map(({ label }) => label)

  it.each([
    ['stand at even hours, midnight bears the date', '2026-11-19T20:00', '2026-11-20T15:30', '20 Nov'],
    ['stay even across the hour that comes twice', '2026-10-24T21:00', '2026-10-25T15:30', '25 Oct'],
    ['stay even across the hour that is skipped', '2027-03-27T21:00', '2027-03-28T15:30', '28 Mar'],
  ])('%s', (_, from, to, day) => {
    expect(labels(from, to, 440)).toEqual(['21:00', day, '03:00', '06:00', '09:00', '12:00', ''])
  })

  it('show the hour that comes twice once where every second hour is shown', () => {
    const ticks = ticksOf({ from: at('2026-10-24T23:00'), to: at('2026-10-25T09:30') }, 420)
    expect(ticks.map(({ label }) => label)).toEqual(['25 Oct', '02:00', '04:00', '06:00', '08:00'])
  })

  it('stand at the beginning of a day whose midnight is skipped, and at midnight afterwards', () => {
    vi.stubEnv('TZ', 'Africa/Cairo')
    expect(labels('2027-04-29T14:00', '2027-04-30T17:00', 440)).toEqual(['18:00', '30 Apr', '06:00', '12:00'])
    const week = ['28 Apr', '29 Apr', '30 Apr', '1 May', '2 May']
    expect(labels('2027-04-28T00:00', '2027-05-03T00:00', 330)).toEqual(week)
    vi.stubEnv('TZ', 'Europe/Stockholm')
  })

  it('are days in a week and months in a year', () => {
    const week = ['14 Nov', '15 Nov', '16 Nov', '17 Nov', '18 Nov', '19 Nov', '20 Nov']
    expect(labels('2026-11-13T10:00:00', '2026-11-20T20:00:00', 700)).toEqual(week)
    expect(labels('2025-11-20T00:00:00', '2026-11-20T00:00:00', 900)).toContain('Jan 2026')
  })

  it.each([320, 700, 1300])('leave room for their labels on %i pixels, from ten minutes to a year', (width) => {
    for (const length of [HOUR / 6, HOUR, 12 * HOUR, DAY, 7 * DAY, 30 * DAY, 90 * DAY, 366 * DAY]) {
      const from = at('2026-10-20T11:07:31')
      const ticks = ticksOf({ from, to: from + length }, width)
      const gaps = ticks.slice(1).map(({ left }, index) => ((left - (ticks[index]?.left ?? 0)) / 100) * width)
      expect(ticks.length).toBeGreaterThan(0)
      expect(Math.min(width, ...gaps)).toBeGreaterThan(43.9)
    }
  })

  it('have no label that would touch the label of a line, also where that is moved inwards at the end', () => {
    const around = (line: string) => labels('2026-11-20T08:00', '2026-11-20T20:00', 420, at(line))
    expect(around('2026-11-20T14:00')).toEqual(['08:00', '10:00', '12:00', '', '16:00', '18:00'])
    expect(around('2026-11-20T13:10')).toEqual(['08:00', '10:00', '', '14:00', '16:00', '18:00'])
    expect(around('2026-11-20T19:58').slice(-2)).toEqual(['16:00', ''])
    expect(around('2026-11-20T08:01').slice(0, 2)).toEqual(['', '10:00'])
  })
})

describe('the scale', () => {
  const span = { from: 0, to: 1000 }

  it('reaches from start to end, and holds what lies outside at its ends', () => {
    expect([0, 250, 1000, -500, 2000].map((at) => placeOf(at, span))).toEqual([0, 25, 100, 0, 100])
  })

  it('places something as far as it touches the axis', () => {
    expect(placed({ from: -100, to: 100 }, span)).toEqual({ left: '0%', width: '10%' })
    expect(placed({ from: 900, to: null }, span)).toEqual({ left: '90%', width: '10%' })
    expect(placed({ from: 1000, to: null }, span)).toBeNull()
    expect(placed({ from: -100, to: 0 }, span)).toBeNull()
  })
})

describe('stretches', () => {
  it('last until the next one; the last one still lasts', () => {
    const begins = [
      { value: 'ready', from: 5 },
      { value: 'wash', from: 11 },
    ]
    expect(stretchesOf(begins)).toEqual([
      { value: 'ready', from: 5, to: 11 },
      { value: 'wash', from: 11, to: null },
    ])
    expect(stretchesOf([])).toEqual([])
  })

  it('that held for no time at all are left out', () => {
    const begins = ['wash', 'hold'].map((value) => ({ value, from: 11 }))
    expect(stretchesOf(begins)).toEqual([{ value: 'hold', from: 11, to: null }])
  })
})

describe('marks', () => {
  const marks = (instants: readonly number[], width: number, pinned?: number) =>
    marksOf(instants, { at: (instant) => instant, span: { from: 0, to: 1000 }, width, pinned })
  const items = (instants: readonly number[], width: number, pinned?: number) =>
    marks(instants, width, pinned).map((mark) => [mark.items, mark.left, mark.isPinned])

  it('stand at the time at which they happened, in order', () => {
    expect(items([750, 250, 500], 720)).toEqual([
      [[250], 25, false],
      [[500], 50, false],
      [[750], 75, false],
    ])
  })

  it('too close to be told apart are one, on a narrow screen sooner', () => {
    expect(marks([160, 180, 250, 500], 720).map((mark) => mark.items)).toEqual([[160, 180], [250], [500]])
    expect(marks([160, 180, 250, 500], 180).map((mark) => mark.items)).toEqual([[160, 180, 250], [500]])
  })

  it('beside the pinned one join its mark, which stays at its instant', () => {
    expect(items([485, 500, 515, 540], 720, 500)).toEqual([
      [[485, 500, 515], 50, true],
      [[540], 54, false],
    ])
  })

  it.each([undefined, 500])('have no mark on another, however many they are (pinned: %s)', (pinned) => {
    const many = Array.from({ length: 1000 }, (_, index) => index)
    const drawn = marks(many, 500, pinned)
    const gaps = drawn.slice(1).map(({ left }, index) => (left - (drawn[index]?.left ?? 0)) * 5)
    expect(drawn.flatMap((mark) => mark.items)).toHaveLength(1000)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(24)
  })
})

describe('zoom and pan', () => {
  const now = Date.parse('2026-11-20T14:02:00.000Z')
  const limits = { shortest: HOUR, longest: 366 * DAY, latest: now + 92 * DAY }
  const span = { from: now - 10 * DAY, to: now }

  it('keep the point under the pointer in place', () => {
    const around = now - 2 * DAY
    const closer = zoomed(span, 0.25, around, limits)
    expect(closer.to - closer.from).toBe(2.5 * DAY)
    expect(placeOf(around, closer)).toBeCloseTo(placeOf(around, span))
  })

  it('end at the limits', () => {
    const closest = zoomed(span, 0, now, limits)
    expect(closest.to - closest.from).toBe(HOUR)
    const farthest = zoomed(span, 1e6, now, limits)
    expect(farthest.to - farthest.from).toBe(366 * DAY)
    expect(moved(span, 1000, limits)).toEqual({ from: limits.latest - 10 * DAY, to: limits.latest })
    expect(moved({ from: 1000, to: DAY }, -1, limits).from).toBe(0)
  })

  it('move by a share of the length', () => {
    expect(moved(span, -0.5, limits)).toEqual({ from: now - 15 * DAY, to: now - 5 * DAY })
  })

  it('select in either direction, never too short to be drawn', () => {
    expect(marked(now, now - DAY, limits)).toEqual({ from: now - DAY, to: now })
    const { from, to } = marked(now, now + 1000, limits)
    expect(to - from).toBe(HOUR)
  })
})
