import { describe, expect, it } from 'vitest'
import {
  firstRepeatedDay,
  monthlyByOf,
  monthlyChoices,
  noRepeat,
  type Repeat,
  readRule,
  repeatLabel,
  repeatProblems,
  writeRule,
} from './repeat-rule.ts'

/** A Saturday, the third of its month. */
const THIRD_SATURDAY = '2026-11-21'
/** The fourth and last of its month. */
const LAST_SATURDAY = '2026-11-28'
/** The fifth and last of its month. */
const FIFTH_TUESDAY = '2027-03-30'

const repeat = (more: Partial<Repeat>): Repeat => ({ ...noRepeat, ...more })

describe('a repeat is written as a rule and read back', () => {
  it.each<[Partial<Repeat>, string, string, string]>([
    [{ unit: 'day' }, THIRD_SATURDAY, 'FREQ=DAILY', 'Every day'],
    [{ unit: 'day', every: 3 }, THIRD_SATURDAY, 'FREQ=DAILY;INTERVAL=3', 'Every 3 days'],
    [{ unit: 'week', weekdays: ['SA'] }, THIRD_SATURDAY, 'FREQ=WEEKLY;BYDAY=SA', 'Every week on Saturday'],
    [
      { unit: 'week', every: 2, weekdays: ['MO', 'FR', 'SA'] },
      THIRD_SATURDAY,
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR,SA',
      'Every 2 weeks on Monday, Friday and Saturday',
    ],
    [{ unit: 'month' }, THIRD_SATURDAY, 'FREQ=MONTHLY;BYMONTHDAY=21', 'Every month on day 21'],
    [
      { unit: 'month', every: 3, monthlyBy: 'weekday' },
      THIRD_SATURDAY,
      'FREQ=MONTHLY;INTERVAL=3;BYDAY=3SA',
      'Every 3 months on the third Saturday',
    ],
    [
      { unit: 'month', monthlyBy: 'last-weekday' },
      LAST_SATURDAY,
      'FREQ=MONTHLY;BYDAY=-1SA',
      'Every month on the last Saturday',
    ],
    [
      { unit: 'day', ends: 'until', until: '2027-01-31' },
      THIRD_SATURDAY,
      'FREQ=DAILY;UNTIL=20270131',
      'Every day, until 2027-01-31',
    ],
    [
      { unit: 'week', weekdays: ['SA'], ends: 'times', times: 4 },
      THIRD_SATURDAY,
      'FREQ=WEEKLY;BYDAY=SA;COUNT=4',
      'Every week on Saturday, 4 times',
    ],
  ])('%j from %s', (more, firstDay, rule, words) => {
    const drawn = repeat(more)
    expect(writeRule(drawn, firstDay)).toBe(rule)
    expect(readRule(rule, firstDay)).toEqual(drawn)
    expect(repeatLabel(drawn, firstDay, (day) => day)).toBe(words)
  })

  it('is no rule where a window comes once', () => {
    expect(writeRule(noRepeat, THIRD_SATURDAY)).toBeNull()
    expect(repeatLabel(noRepeat, THIRD_SATURDAY, (day) => day)).toBe('Once')
  })
})

describe('a rule may leave out what the form writes', () => {
  it.each<[string, Partial<Repeat>]>([
    ['FREQ=WEEKLY', { unit: 'week', weekdays: ['SA'] }],
    ['FREQ=MONTHLY', { unit: 'month' }],
    ['freq=daily;interval=1', { unit: 'day' }],
    ['BYDAY=SA,MO;FREQ=WEEKLY;WKST=MO', { unit: 'week', weekdays: ['MO', 'SA'] }],
  ])('%s', (rule, drawn) => expect(readRule(rule, THIRD_SATURDAY)).toEqual(repeat(drawn)))
})

describe('a rule that the form cannot draw is kept as its text', () => {
  it.each([
    'FREQ=YEARLY',
    'FREQ=MONTHLY;BYDAY=2TU',
    'FREQ=MONTHLY;BYMONTHDAY=1,15',
    'FREQ=MONTHLY;BYDAY=SA;BYSETPOS=3',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA;WKST=SU',
    'FREQ=DAILY;BYMONTH=1',
    'FREQ=DAILY;UNTIL=20270131T120000Z',
    'FREQ=DAILY;UNTIL=20270131;COUNT=3',
    'FREQ=DAILY;BYDAY=MO,TU',
    'FREQ=WEEKLY;BYDAY=1MO',
    'anything',
  ])('keeps %s', (rule) => {
    const kept = readRule(rule, THIRD_SATURDAY)
    expect(kept).toMatchObject({ unit: 'other', rule })
    expect(writeRule(kept, THIRD_SATURDAY)).toBe(rule)
    expect(repeatLabel(kept, THIRD_SATURDAY, (day) => day)).toBe(`Custom rule ${rule}`)
  })
})

describe('the first window falls on the repeat', () => {
  it.each<[Partial<Repeat>, string]>([
    [{ unit: 'week', weekdays: ['MO', 'FR'] }, '2026-11-23'],
    [{ unit: 'week', weekdays: ['SA'] }, THIRD_SATURDAY],
    [{ unit: 'week', weekdays: [] }, THIRD_SATURDAY],
    [{ unit: 'day', every: 3 }, THIRD_SATURDAY],
    [{ unit: 'month', monthlyBy: 'weekday' }, THIRD_SATURDAY],
    [{ unit: 'never' }, THIRD_SATURDAY],
  ])('%j', (more, day) => expect(firstRepeatedDay(repeat(more), THIRD_SATURDAY)).toBe(day))
})

describe('a month is counted by what its first day is', () => {
  const labels = (day: string) => monthlyChoices(day).map(({ label }) => label)

  it('offers its date, its weekday, and the last one where it is that', () => {
    expect(labels(THIRD_SATURDAY)).toEqual(['on day 21', 'on the third Saturday'])
    expect(labels(LAST_SATURDAY)).toEqual(['on day 28', 'on the fourth Saturday', 'on the last Saturday'])
    expect(labels(FIFTH_TUESDAY)).toEqual(['on day 30', 'on the last Tuesday'])
    expect(labels('2028-02-29')).toEqual(['on day 29', 'on the last Tuesday'])
  })

  it('keeps to the nearest where another first day lacks what was chosen', () => {
    expect(monthlyByOf(repeat({ monthlyBy: 'weekday' }), FIFTH_TUESDAY)).toBe('last-weekday')
    expect(monthlyByOf(repeat({ monthlyBy: 'last-weekday' }), THIRD_SATURDAY)).toBe('weekday')
    expect(monthlyByOf(repeat({ monthlyBy: 'date' }), FIFTH_TUESDAY)).toBe('date')
  })
})

describe('says what is missing or wrong', () => {
  it.each<[Partial<Repeat>, string[]]>([
    [{ unit: 'never', every: null }, []],
    [{ unit: 'other', rule: 'FREQ=YEARLY', every: null }, []],
    [{ unit: 'day' }, []],
    [{ unit: 'day', every: null }, ['every']],
    [{ unit: 'day', every: 0 }, ['every']],
    [{ unit: 'day', every: 1.5 }, ['every']],
    [{ unit: 'day', every: 100 }, ['every']],
    [{ unit: 'week', weekdays: [] }, ['weekdays']],
    [{ unit: 'day', ends: 'until', until: null }, ['until']],
    [{ unit: 'day', ends: 'until', until: '2026-11-20' }, ['until']],
    [{ unit: 'day', ends: 'until', until: 'soon' }, ['until']],
    [{ unit: 'day', ends: 'until', until: THIRD_SATURDAY }, []],
    [{ unit: 'day', ends: 'times', times: null }, ['times']],
    [{ unit: 'day', ends: 'times', times: 1000 }, ['times']],
    [{ unit: 'day', ends: 'never', until: null, times: null }, []],
  ])('%j', (more, fields) => expect(Object.keys(repeatProblems(repeat(more), THIRD_SATURDAY))).toEqual(fields))
})
