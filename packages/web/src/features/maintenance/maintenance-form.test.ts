import type { Maintenance } from '@benchwatch/contract/instruments/maintenance'
import { describe, expect, it } from 'vitest'
import {
  changeOf,
  firstWindow,
  formProblems,
  type MaintenanceForm,
  maintenanceForm,
  replacedBy,
  withDays,
} from './maintenance-form.ts'
import { noRepeat } from './repeat-rule.ts'

const ZONE = 'Europe/Stockholm'
/** 15:00 on a Friday in Stockholm. */
const now = new Date('2026-11-20T14:00:00.000Z')
const START_OF_TODAY = '2026-11-19T23:00:00.000Z'

function maintenance(more: Partial<Maintenance>): Maintenance {
  return { id: '7', start: '2026-11-20T13:12:45.000Z', end: null, reason: null, rrule: null, timeZone: null, ...more }
}

const ON = maintenance({})
const ON_UNTIL_SUNDAY = maintenance({ end: '2026-11-22T23:00:00.000Z' })
const SATURDAYS = maintenance({
  start: '2026-11-21T21:00:00.000Z',
  end: '2026-11-22T03:00:00.000Z',
  rrule: 'FREQ=WEEKLY;BYDAY=SA;COUNT=5',
  timeZone: ZONE,
})

/** Returns the request after these edits of the form for `edited`. */
function sent(edits: Partial<MaintenanceForm>, edited: Maintenance | null = null) {
  const opened = maintenanceForm(edited, { zone: ZONE, now })
  return changeOf({ ...opened, ...edits }, { edited, opened, now })
}
function problems(edits: Partial<MaintenanceForm>, edited: Maintenance | null = null) {
  const opened = maintenanceForm(edited, { zone: ZONE, now })
  return formProblems({ ...opened, ...edits }, { edited, opened, now })
}

const ranged = { isOn: true, isRange: true, firstDay: '2026-11-21', lastDay: '2026-11-22' }

describe('maintenance mode', () => {
  it('on starts now, which the server takes by its own clock from the start of today, without an end', () => {
    expect(sent({ isOn: true, reason: ' Seals ' })).toEqual({
      start: START_OF_TODAY,
      end: null,
      reason: 'Seals',
      timeZone: ZONE,
    })
  })

  it('off ends the one that is changed', () => expect(sent({ isOn: false }, ON)).toEqual({ id: '7', start: null }))

  it.each([null, ON, ON_UNTIL_SUNDAY, SATURDAYS])('sends nothing where nothing was changed', (edited) => {
    expect(sent({}, edited)).toBeNull()
  })

  it('off where it is off sends nothing, whatever else was entered', () => {
    expect(sent({ isOn: false, reason: 'x' })).toBeNull()
  })
})

describe('a date range', () => {
  it('ends at the end of its last day', () => {
    expect(sent(ranged)).toEqual({
      start: '2026-11-20T23:00:00.000Z',
      end: '2026-11-22T23:00:00.000Z',
      reason: null,
      timeZone: ZONE,
    })
  })

  it('starts now where its first day is today', () => {
    expect(sent({ ...ranged, firstDay: '2026-11-20', lastDay: '2026-11-20' })).toMatchObject({
      start: START_OF_TODAY,
      end: '2026-11-20T23:00:00.000Z',
    })
  })

  it.each([
    { firstDay: null, lastDay: null },
    { firstDay: '2026-11-21', lastDay: null },
    { isAllDay: false, startTime: '' },
    { isAllDay: false, endTime: '' },
  ])('is not sent, and no problem yet, before it is whole: %j', (missing) => {
    expect(sent({ ...ranged, ...missing })).toBeNull()
    expect(problems({ ...ranged, ...missing })).toEqual({})
  })

  it('may have times of day', () => {
    expect(sent({ ...ranged, isAllDay: false, startTime: '22:00', endTime: '04:00' })).toMatchObject({
      start: '2026-11-21T21:00:00.000Z',
      end: '2026-11-22T03:00:00.000Z',
    })
  })

  it('counts by the clock of another zone', () => {
    expect(sent({ ...ranged, zone: 'Asia/Tokyo' })).toMatchObject({
      start: '2026-11-20T15:00:00.000Z',
      end: '2026-11-22T15:00:00.000Z',
      timeZone: 'Asia/Tokyo',
    })
  })

  it.each<[string, Partial<MaintenanceForm>]>([
    ['before today', { firstDay: '2026-11-19' }],
    ['before today in the zone', { firstDay: '2026-11-20', zone: 'Pacific/Auckland' }],
    ['that ends before it begins', { lastDay: '2026-11-21', isAllDay: false, startTime: '22:00', endTime: '04:00' }],
    [
      'that would be over',
      { firstDay: '2026-11-20', lastDay: '2026-11-20', isAllDay: false, startTime: '08:00', endTime: '14:00' },
    ],
  ])('%s is refused', (_name, edits) => {
    expect(problems({ ...ranged, ...edits })).toEqual({ range: expect.any(String) })
    expect(sent({ ...ranged, ...edits })).toBeNull()
  })

  it('off resets to now without an end; what is on already goes on since it began', () => {
    expect(sent({ isRange: false }, ON_UNTIL_SUNDAY)).toMatchObject({ id: '7', start: ON.start, end: null })
    const later = maintenance({ start: '2026-11-21T23:00:00.000Z', end: '2026-11-22T23:00:00.000Z' })
    expect(sent({ isRange: false }, later)).toMatchObject({ id: '7', start: START_OF_TODAY, end: null })
  })
})

describe('one that is there', () => {
  it('opens as it is', () => {
    expect(maintenanceForm(ON, { zone: ZONE, now })).toMatchObject({ isOn: true, isRange: false })
    expect(maintenanceForm(ON_UNTIL_SUNDAY, { zone: ZONE, now })).toMatchObject({
      isRange: true,
      firstDay: '2026-11-20',
      lastDay: '2026-11-22',
      isAllDay: true,
      repeat: noRepeat,
    })
    expect(maintenanceForm(SATURDAYS, { zone: 'Asia/Tokyo', now })).toMatchObject({
      firstDay: '2026-11-21',
      lastDay: '2026-11-22',
      isAllDay: false,
      startTime: '22:00',
      endTime: '04:00',
      zone: ZONE,
      repeat: { unit: 'week', weekdays: ['SA'], ends: 'times', times: 5 },
    })
  })

  it('that begins in the middle of a day to come keeps its time', () => {
    const afternoon = maintenance({ start: '2026-11-21T13:00:00.000Z', end: '2026-11-21T23:00:00.000Z' })
    const form = maintenanceForm(afternoon, { zone: ZONE, now })
    expect(form).toMatchObject({ isAllDay: false, startTime: '14:00', endTime: '00:00', lastDay: '2026-11-22' })
    expect(sent({ endTime: '01:00' }, afternoon)).toMatchObject({
      start: afternoon.start,
      end: '2026-11-22T00:00:00.000Z',
    })
  })

  it('that is on keeps its beginning where its end is another, also if that began before today', () => {
    const since = maintenance({ start: '2026-11-18T10:00:00.000Z', end: '2026-11-22T23:00:00.000Z' })
    const longer = { id: '7', start: since.start, end: '2026-11-24T23:00:00.000Z' }
    expect(sent({ lastDay: '2026-11-24' }, since)).toMatchObject(longer)
    expect(sent({ firstDay: '2026-11-20', lastDay: '2026-11-24' }, since)).toMatchObject(longer)
    expect(sent({ firstDay: '2026-11-21', lastDay: '2026-11-24' }, since)).toMatchObject({
      ...longer,
      start: '2026-11-20T23:00:00.000Z',
    })
  })

  it('keeps its windows and its rule to the letter where only the reason is another', () => {
    const odd = maintenance({ ...SATURDAYS, start: '2026-11-18T21:00:17.000Z', rrule: 'FREQ=YEARLY;BYMONTH=11' })
    for (const one of [SATURDAYS, odd]) {
      const { start, end, rrule, timeZone } = one
      expect(sent({ reason: 'Filter' }, one)).toEqual({ id: '7', start, end, rrule, timeZone, reason: 'Filter' })
    }
    const later = maintenance({ start: '2026-11-21T21:00:17.000Z' })
    expect(sent({ reason: 'Filter' }, later)).toEqual({ id: '7', start: later.start, end: null, reason: 'Filter' })
    const { start, end } = ON_UNTIL_SUNDAY
    expect(sent({ reason: 'Filter' }, ON_UNTIL_SUNDAY)).toEqual({ id: '7', start, end, reason: 'Filter' })
  })

  it('of a rule whose window of now began before today needs another first day for anything but its reason', () => {
    const overnight = maintenance({
      start: '2026-11-19T21:00:00.000Z',
      end: '2026-11-20T15:00:00.000Z',
      rrule: 'FREQ=DAILY',
      timeZone: ZONE,
    })
    expect(problems({ endTime: '17:00' }, overnight)).toEqual({ range: expect.any(String) })
    expect(problems({ reason: 'Filter' }, overnight)).toEqual({})
  })
})

describe('a repeat', () => {
  const weekly = { ...noRepeat, unit: 'week' as const, weekdays: ['MO' as const] }

  it('begins on the first day that falls on it, and is as long', () => {
    expect(sent({ ...ranged, repeat: weekly })).toMatchObject({
      start: '2026-11-22T23:00:00.000Z',
      end: '2026-11-24T23:00:00.000Z',
      rrule: 'FREQ=WEEKLY;BYDAY=MO',
      timeZone: ZONE,
    })
  })

  it('of today begins at its time of day, not now: its other windows do, too', () => {
    const today = { ...ranged, firstDay: '2026-11-20', lastDay: '2026-11-20' }
    expect(sent({ ...today, repeat: { ...noRepeat, unit: 'day' } })).toMatchObject({ start: START_OF_TODAY })
  })

  it('of a week follows its first day, unless other days were chosen', () => {
    const onDays = (weekdays: MaintenanceForm['repeat']['weekdays']) => ({
      ...maintenanceForm(null, { zone: ZONE, now }),
      ...ranged,
      repeat: { ...weekly, weekdays },
    })
    const moved = { firstDay: '2026-11-25', lastDay: '2026-11-25' }
    expect(withDays(onDays(['SA']), moved)).toMatchObject({ ...moved, repeat: { weekdays: ['WE'] } })
    expect(withDays(onDays([]), moved).repeat.weekdays).toEqual(['WE'])
    expect(withDays(onDays(['MO']), moved).repeat.weekdays).toEqual(['MO'])
    expect(withDays(onDays(['SA', 'SU']), moved).repeat.weekdays).toEqual(['SA', 'SU'])
  })

  it('is not sent while something is wrong with it', () => {
    const without = { ...ranged, repeat: { ...weekly, weekdays: [] } }
    expect(problems(without)).toEqual({ weekdays: expect.any(String) })
    expect(sent(without)).toBeNull()
  })

  it('becomes a single one, and a single one repeats', () => {
    expect(sent({ repeat: noRepeat }, SATURDAYS)).toEqual({
      id: '7',
      start: SATURDAYS.start,
      end: SATURDAYS.end,
      reason: null,
      timeZone: ZONE,
    })
    expect(sent({ repeat: { ...noRepeat, unit: 'day', every: 7 } }, ON_UNTIL_SUNDAY)).toMatchObject({
      id: '7',
      start: START_OF_TODAY,
      end: ON_UNTIL_SUNDAY.end,
      rrule: 'FREQ=DAILY;INTERVAL=7',
    })
  })

  it('is as long on both sides of a change of clocks', () => {
    const night = { ...ranged, firstDay: '2027-03-27', lastDay: '2027-03-28', isAllDay: false }
    const form = { ...maintenanceForm(null, { zone: ZONE, now }), ...night, startTime: '22:00', endTime: '04:00' }
    expect(firstWindow(form, { edited: null, now })).toMatchObject({
      start: new Date('2027-03-27T21:00:00.000Z'),
      end: new Date('2027-03-28T02:00:00.000Z'),
    })
  })
})

describe('a further single window takes the place of single ones that it overlaps', () => {
  const later = maintenance({ id: '8', start: '2026-11-22T10:00:00.000Z', end: '2026-11-22T12:00:00.000Z' })
  const ids = (change: Parameters<typeof replacedBy>[0]) =>
    replacedBy(change, [ON_UNTIL_SUNDAY, later, SATURDAYS]).map(({ id }) => id)

  it.each([
    ['within', { start: '2026-11-21T10:00:00.000Z', end: '2026-11-21T12:00:00.000Z' }, ['7']],
    ['without an end', { start: '2026-11-21T10:00:00.000Z' }, ['7', '8']],
    ['after both', { start: '2026-11-23T10:00:00.000Z' }, []],
    ['up to a beginning', { start: '2026-11-20T10:00:00.000Z', end: '2026-11-20T13:12:45.000Z' }, []],
    ['a changed one', { id: '8', start: '2026-11-21T10:00:00.000Z' }, []],
    ['a repeat', { start: '2026-11-21T10:00:00.000Z', rrule: 'FREQ=DAILY' }, []],
    ['an end', { start: null }, []],
  ])('%s', (_name, change, replaced) => expect(ids(change)).toEqual(replaced))
})
