import { aServiceEvent } from '@benchwatch/samples/service-event'
import { describe, expect, it } from 'vitest'
import {
  clockBeside,
  eventMarks,
  hourTicks,
  isStillGrowing,
  lasted,
  placeOf,
  statusStretches,
  stretchLabel,
} from './event-axis.ts'

/** Times on the viewer's day of an event at 14:00, whatever time zone the tests run in. */
const at = (hours: number, minutes = 0) => new Date(2026, 10, 20, hours, minutes).getTime()
const iso = (hours: number, minutes = 0) => new Date(at(hours, minutes)).toISOString()
const whole = { start: iso(8), stop: iso(20) }
const event = (id: string, hours: number, minutes = 0) => ({
  alarm: aServiceEvent({ id, eventId: id, logGeneratedAt: iso(hours, minutes) }),
})
const severe = (id: string, hours: number, severity: 'high' | 'medium' | 'low') => ({
  alarm: aServiceEvent({ id, severity, logGeneratedAt: iso(hours) }),
})

describe('the axis', () => {
  it('reaches from start to stop, and holds what lies outside at its ends', () => {
    expect([8, 11, 14, 20, 2, 23].map((hours) => placeOf(at(hours), whole))).toEqual([0, 25, 50, 100, 0, 100])
  })

  it('grows until the six hours after the event are over', () => {
    expect(isStillGrowing({ start: iso(8), stop: iso(19, 59) })).toBe(true)
    expect(isStillGrowing(whole)).toBe(false)
  })

  it('has every even hour, but for those that would touch the event’s own time', () => {
    const labels = (eventAt: number) => hourTicks(whole, eventAt).map(({ label }) => label)
    expect(labels(at(11))).toEqual(['08:00', '14:00', '16:00', '18:00', '20:00'])
    expect(labels(at(14))).toEqual(['08:00', '10:00', '12:00', '16:00', '18:00', '20:00'])
  })

  it('keeps clear of the event’s label where that is moved inwards, at the end', () => {
    expect(hourTicks({ start: iso(8), stop: iso(14) }, at(13, 58)).map(({ label }) => label)).not.toContain('14:00')
    const untilNow = { start: new Date(at(6, 51)).toISOString(), stop: new Date(at(12, 53)).toISOString() }
    expect(hourTicks(untilNow, at(12, 51)).map(({ label }) => label)).toEqual(['08:00', '10:00'])
  })

  it('names the day at midnight', () => {
    const night = { start: new Date(at(20, 30)).toISOString(), stop: new Date(at(32, 30)).toISOString() }
    expect(hourTicks(night, at(27)).map(({ label }) => label)).toEqual(['22:00', '21-Nov', '06:00', '08:00'])
  })
})

describe('statuses', () => {
  const told = (...spans: [number, 'ready' | 'wash' | 'hold'][]) =>
    statusStretches({
      ...whole,
      statuses: spans.map(([hours, instrumentStatus]) => ({ from: iso(hours), instrumentStatus })),
    })

  it('last until the next one; the last to the end', () => {
    expect(told([5, 'ready'], [11, 'wash'], [14, 'hold'])).toEqual([
      { status: 'ready', from: at(5), to: at(11), left: 0, width: 25 },
      { status: 'wash', from: at(11), to: at(14), left: 25, width: 25 },
      { status: 'hold', from: at(14), to: null, left: 50, width: 50 },
    ])
  })

  it('leave open what is not known', () => {
    expect(told([11, 'wash'])).toEqual([{ status: 'wash', from: at(11), to: null, left: 25, width: 75 }])
    expect(told()).toEqual([])
  })

  it('that held for no time at all are not drawn', () => {
    expect(told([11, 'wash'], [11, 'hold']).map(({ status }) => status)).toEqual(['hold'])
  })

  it('are told with their time and length', () => {
    const around = { stop: whole.stop, eventAt: at(14) }
    const [ready, wash] = told([5, 'ready'], [11, 'wash'])
    expect(ready && stretchLabel(ready, around)).toBe('ready, 05:00 to 11:00 (6 h)')
    expect(wash && stretchLabel(wash, around)).toBe('wash, since 11:00 (9 h until 20:00)')
  })

  it('of another day name it', () => {
    expect(clockBeside(at(8), at(14))).toBe('08:00')
    expect(clockBeside(at(-2), at(14))).toBe('19-Nov 22:00')
  })

  it.each([
    [400, '0 s'],
    [40_000, '40 s'],
    [12 * 60_000, '12 min'],
    [59.6 * 60_000, '1 h'],
    [238 * 60_000, '3 h 58 min'],
  ])('last %i ms in words: %s', (milliseconds, words) => {
    expect(lasted(milliseconds)).toBe(words)
  })
})

describe('events', () => {
  const marks = (values: { alarm: ReturnType<typeof aServiceEvent> }[], width = 720) =>
    eventMarks({ ...whole, values }, { id: '1', width }).map(({ events, left, isThis }) => [
      events.map(({ id }) => id).join(' '),
      Math.round(left * 10) / 10,
      isThis,
    ])

  it('stand at the time at which they happened', () => {
    expect(marks([event('2', 11), event('1', 14), event('3', 17)])).toEqual([
      ['2', 25, false],
      ['1', 50, true],
      ['3', 75, false],
    ])
  })

  it('too close to be told apart share a mark, on a narrow screen sooner', () => {
    const values = [event('2', 10), event('3', 10, 15), event('4', 11), event('1', 14)]
    expect(marks(values)).toEqual([
      ['2 3', 16.7, false],
      ['4', 25, false],
      ['1', 50, true],
    ])
    expect(marks(values, 180)).toEqual([
      ['2 3 4', 16.7, false],
      ['1', 50, true],
    ])
  })

  it('beside the one that is looked at join its mark, which stays at its instant', () => {
    expect(marks([event('2', 13, 50), event('1', 14), event('3', 14, 10), event('4', 14, 30)])).toEqual([
      ['2 1 3', 50, true],
      ['4', 54.2, false],
    ])
  })

  it('of one instant share a mark', () => {
    expect(marks([event('1', 14), event('2', 14), event('3', 14)])).toEqual([['1 2 3', 50, true]])
  })

  it('have no mark on another, however many they are', () => {
    const many = Array.from({ length: 100 }, (_, index) => event(String(index), 8, index * 7))
    const places = eventMarks({ ...whole, values: many }, { id: '50', width: 300 }).map(({ left }) => left * 3)
    const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(24)
  })

  it('take the worst severity of their mark, the one that is looked at its own', () => {
    const severities = (values: { alarm: ReturnType<typeof aServiceEvent> }[]) =>
      eventMarks({ ...whole, values }, { id: '1', width: 400 }).map(({ severity }) => severity)
    expect(
      severities([severe('2', 10, 'low'), severe('3', 10, 'medium'), severe('1', 14, 'low'), severe('4', 14, 'high')]),
    ).toEqual(['medium', 'low'])
  })
})
