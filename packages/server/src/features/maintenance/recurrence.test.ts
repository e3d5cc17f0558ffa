import { describe, expect, it } from 'vitest'
import { BadRule, checkRecurrence, nextWindows, type Recurrence, windowAfter, windowsBetween } from './recurrence.ts'

const at = (text: string) => new Date(text)
const shown = ({ start, end }: { start: Date; end: Date }) => `${start.toISOString()} ${end.toISOString()}`

function recurring(timeZone: string, rrule: string, [start, end]: [string, string]): Recurrence {
  return { timeZone, rrule, start: at(start), end: at(end) }
}

describe('windows of a rule', () => {
  it('begin and end at the same time of day on both sides of a change of clocks', () => {
    // Saturday 22:00 to Sunday 06:00 in Stockholm, where clocks go forward on 29 March 2026 and back on 25 October.
    const nights = recurring('Europe/Stockholm', 'FREQ=WEEKLY;BYDAY=SA', [
      '2026-03-21T21:00:00Z',
      '2026-03-22T05:00:00Z',
    ])
    const from = (start: string, until: string) =>
      windowsBetween(nights, { from: at(start), until: at(until) }).map(shown)
    expect(from('2026-03-20', '2026-04-10')).toEqual([
      '2026-03-21T21:00:00.000Z 2026-03-22T05:00:00.000Z',
      '2026-03-28T21:00:00.000Z 2026-03-29T04:00:00.000Z',
      '2026-04-04T20:00:00.000Z 2026-04-05T04:00:00.000Z',
    ])
    expect(from('2026-10-20', '2026-11-05')).toEqual([
      '2026-10-24T20:00:00.000Z 2026-10-25T05:00:00.000Z',
      '2026-10-31T21:00:00.000Z 2026-11-01T05:00:00.000Z',
    ])
  })

  it('come an hour later where their time of day is skipped, and are never left out', () => {
    // 02:30 does not exist in New York on 8 March 2026.
    const daily = recurring('America/New_York', 'FREQ=DAILY', ['2026-03-06T07:30:00Z', '2026-03-06T08:00:00Z'])
    expect(windowsBetween(daily, { from: at('2026-03-07'), until: at('2026-03-10') }).map(shown)).toEqual([
      '2026-03-07T07:30:00.000Z 2026-03-07T08:00:00.000Z',
      '2026-03-08T07:30:00.000Z 2026-03-08T08:00:00.000Z',
      '2026-03-09T06:30:00.000Z 2026-03-09T07:00:00.000Z',
    ])
  })

  it('last as long as the first one where their end is skipped as well', () => {
    const daily = recurring('America/New_York', 'FREQ=DAILY', ['2026-03-06T07:15:00Z', '2026-03-06T07:45:00Z'])
    expect(windowsBetween(daily, { from: at('2026-03-08'), until: at('2026-03-09') }).map(shown)).toEqual([
      '2026-03-08T07:15:00.000Z 2026-03-08T07:45:00.000Z',
    ])
  })

  it('follow a change of half an hour', () => {
    // Lord Howe goes back from UTC+11 to UTC+10:30 on 5 April 2026 at 02:00, and forward on 4 October.
    const daily = recurring('Australia/Lord_Howe', 'FREQ=DAILY', ['2026-04-02T14:00:00Z', '2026-04-02T18:00:00Z'])
    expect(windowsBetween(daily, { from: at('2026-04-03'), until: at('2026-04-06') }).map(shown)).toEqual([
      '2026-04-03T14:00:00.000Z 2026-04-03T18:00:00.000Z',
      '2026-04-04T14:00:00.000Z 2026-04-04T18:30:00.000Z',
      '2026-04-05T14:30:00.000Z 2026-04-05T18:30:00.000Z',
    ])
    expect(windowsBetween(daily, { from: at('2026-10-03'), until: at('2026-10-05') }).map(shown)).toEqual([
      '2026-10-03T14:30:00.000Z 2026-10-03T18:00:00.000Z',
      '2026-10-04T14:00:00.000Z 2026-10-04T18:00:00.000Z',
    ])
  })

  it('know the last weekday of a month', () => {
    const fridays = recurring('Europe/Stockholm', 'FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1', [
      '2026-03-27T07:00:00Z',
      '2026-03-27T11:00:00Z',
    ])
    const starts = windowsBetween(fridays, { from: at('2026-03-01'), until: at('2026-07-01') })
    expect(starts.map(({ start }) => start.toISOString().slice(0, 10))).toEqual([
      '2026-03-27',
      '2026-04-24',
      '2026-05-29',
      '2026-06-26',
    ])
  })

  it.each([
    ['FREQ=DAILY;COUNT=2', 2],
    ['FREQ=DAILY;UNTIL=20260603', 3],
    ['FREQ=DAILY;UNTIL=20260603T120000', 3],
    // 08:00 in Stockholm on the 3rd, in summer time. The window of that morning begins an hour later.
    ['FREQ=DAILY;UNTIL=20260603T060000Z', 2],
    ['FREQ=DAILY;UNTIL=20260603T070000Z', 3],
  ])('end by %s', (rrule, count) => {
    const some = recurring('Europe/Stockholm', rrule, ['2026-06-01T07:00:00Z', '2026-06-01T08:00:00Z'])
    expect(windowsBetween(some, { from: at('2026-05-01'), until: at('2027-01-01') })).toHaveLength(count)
    expect(windowAfter(some, at('2026-12-01'))).toBeUndefined()
  })

  it('are found from any instant on: the one that is on, else the next', () => {
    const weekly = recurring('UTC', 'FREQ=WEEKLY', ['2026-06-01T08:00:00Z', '2026-06-01T10:00:00Z'])
    const starts = (instant: string) => windowAfter(weekly, at(instant))?.start.toISOString()
    expect(starts('2026-05-01T00:00:00Z')).toBe('2026-06-01T08:00:00.000Z')
    expect(starts('2026-06-01T09:59:59Z')).toBe('2026-06-01T08:00:00.000Z')
    expect(starts('2026-06-01T10:00:00Z')).toBe('2026-06-08T08:00:00.000Z')
    expect(starts('2031-06-02T10:00:00Z')).toBe('2031-06-09T08:00:00.000Z')
  })
})

describe('windows of a rule', () => {
  it('keep the milliseconds of the first one', () => {
    const daily = recurring('Europe/Stockholm', 'FREQ=DAILY', ['2026-06-01T07:00:00.123Z', '2026-06-01T08:00:00.456Z'])
    expect(() => checkRecurrence(daily)).not.toThrow()
    expect(nextWindows(daily, { after: at('2026-06-02'), count: 1 }).map(shown)).toEqual([
      '2026-06-02T07:00:00.123Z 2026-06-02T08:00:00.456Z',
    ])
  })

  it('end with the years of four digits', () => {
    const yearly = recurring('UTC', 'FREQ=YEARLY', ['9997-06-01T08:00:00Z', '9997-06-01T10:00:00Z'])
    expect(nextWindows(yearly, { after: at('2026-06-02'), count: 5 })).toHaveLength(2)
  })
})

describe('a rule', () => {
  const first: [string, string] = ['2026-06-01T08:00:00Z', '2026-06-01T10:00:00Z']

  it.each([
    'FREQ=DAILY',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;WKST=MO',
    'FREQ=MONTHLY;BYMONTHDAY=1',
    'freq=yearly;bymonth=6;bymonthday=1',
    'FREQ=YEARLY;INTERVAL=999',
    'FREQ=DAILY;INTERVAL=999;COUNT=9999',
    'FREQ=MONTHLY;BYMONTHDAY=1,-1',
  ])('may be %s', (rrule) => expect(() => checkRecurrence(recurring('UTC', rrule, first))).not.toThrow())

  it.each([
    ['FREQ=HOURLY', 'requires FREQ'],
    ['FREQ=SECONDLY', 'requires FREQ'],
    ['BYDAY=MO', 'requires FREQ'],
    ['FREQ=DAILY;BYHOUR=1,2', 'is not supported'],
    ['FREQ=DAILY\nEXDATE:20260602T080000', 'is not supported'],
    ['FREQ=DAILY;FREQ=WEEKLY', 'once'],
    ['FREQ=WEEKLY;BYDAY=XX', 'is invalid'],
    ['FREQ=DAILY;INTERVAL=0', 'INTERVAL takes whole numbers from 1 to 999'],
    ['FREQ=DAILY;INTERVAL=abc', 'INTERVAL takes'],
    ['FREQ=YEARLY;INTERVAL=5000', 'INTERVAL takes'],
    ['FREQ=DAILY;COUNT=abc', 'COUNT takes'],
    ['FREQ=DAILY;COUNT=2,3', 'COUNT takes'],
    ['FREQ=MONTHLY;BYMONTHDAY=1,32', 'BYMONTHDAY takes'],
    ['FREQ=YEARLY;BYMONTH=6,13', 'BYMONTH takes'],
    ['FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0', 'not 0'],
    ['FREQ=DAILY;COUNT=2;UNTIL=20260603', 'COUNT or UNTIL'],
    ['FREQ=YEARLY;INTERVAL=999;BYMONTH=2;BYMONTHDAY=30', 'first window'],
    ['FREQ=DAILY;UNTIL=tomorrow', 'UNTIL'],
    // The 1st is a Monday.
    ['FREQ=WEEKLY;BYDAY=TU', 'first window'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', ''],
  ])('may not be %s', (rrule, sentence) => {
    const check = () => checkRecurrence(recurring('UTC', rrule, first))
    expect(check).toThrow(BadRule)
    expect(check).toThrow(sentence)
  })

  it('may not begin anew while a window is on', () => {
    const longer = recurring('UTC', 'FREQ=DAILY', ['2026-06-01T08:00:00Z', '2026-06-02T08:00:01Z'])
    expect(() => checkRecurrence(longer)).toThrow('would overlap')
    expect(() => checkRecurrence({ ...longer, end: at('2026-06-02T08:00:00Z') })).not.toThrow()
  })
})
