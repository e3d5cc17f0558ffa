import { describe, expect, it } from 'vitest'
import { firstWindow, type MaintenanceForm, maintenanceForm } from './maintenance-form.ts'
import { formSentence, recurrenceLabel, windowLabel } from './maintenance-labels.ts'
import { noRepeat } from './repeat-rule.ts'

const ZONE = 'Europe/Stockholm'
const now = new Date('2026-11-20T14:00:00.000Z')
const CLOCK = ` Time zone: ${ZONE}.`

describe('a window is told by the clock of its zone', () => {
  it.each([
    ['2026-11-21T21:00:00Z', '2026-11-22T03:00:00Z', 'Sat 21-Nov-2026 22:00 – Sun 22-Nov-2026 04:00'],
    ['2026-11-21T12:00:00Z', '2026-11-21T14:30:00Z', 'Sat 21-Nov-2026 13:00 – 15:30'],
    ['2026-11-20T23:00:00Z', '2026-11-21T23:00:00Z', 'Sat 21-Nov-2026, all day'],
    ['2026-11-20T23:00:00Z', '2026-11-22T23:00:00Z', 'Sat 21-Nov-2026 – Sun 22-Nov-2026, all day'],
    ['2026-11-20T23:00:00Z', '2026-11-22T22:00:00Z', 'Sat 21-Nov-2026 00:00 – Sun 22-Nov-2026 23:00'],
  ])('%s to %s', (start, end, words) => expect(windowLabel({ start, end }, ZONE)).toBe(words))
})

describe('what a form says is read back', () => {
  it.each<[Partial<MaintenanceForm>, string]>([
    [{}, 'From Sat 21-Nov-2026 until the end of Sun 22-Nov-2026.'],
    [{ firstDay: '2026-11-20', lastDay: '2026-11-20' }, 'From now until the end of Fri 20-Nov-2026.'],
    [
      { isAllDay: false, startTime: '22:00', endTime: '04:00' },
      'From Sat 21-Nov-2026 22:00 until Sun 22-Nov-2026 04:00.',
    ],
    [
      { repeat: { ...noRepeat, unit: 'week', weekdays: ['MO'], ends: 'times', times: 5 } },
      'Every week on Monday, 5 times: 2 days, first on Mon 23-Nov-2026.',
    ],
    [
      {
        isAllDay: false,
        startTime: '22:00',
        endTime: '04:00',
        repeat: { ...noRepeat, unit: 'day', ends: 'until', until: '2026-12-31' },
      },
      'Every day, until 31-Dec-2026: 22:00 to 04:00 the next day, first on Sat 21-Nov-2026.',
    ],
    [{ lastDay: '2026-11-21', repeat: { ...noRepeat, unit: 'day' } }, 'Every day: all day, first on Sat 21-Nov-2026.'],
    [
      { lastDay: '2026-11-23', isAllDay: false, repeat: { ...noRepeat, unit: 'month' } },
      'Every month on day 21: 08:00 to 17:00, 2 days later, first on Sat 21-Nov-2026.',
    ],
  ])('%j', (edits, sentence) => {
    const ranged = { isOn: true, isRange: true, firstDay: '2026-11-21', lastDay: '2026-11-22' }
    const form = { ...maintenanceForm(null, { zone: ZONE, now }), ...ranged, ...edits }
    const window = firstWindow(form, { edited: null, now })
    expect(window && formSentence(form, { window, edited: null, now })).toBe(sentence + CLOCK)
  })

  it('says since when one that is on has been', () => {
    const on = { start: '2026-11-19T10:15:00Z', end: '2026-11-21T23:00:00Z' }
    const edited = { id: '1', ...on, reason: null, rrule: null, timeZone: null }
    const form = maintenanceForm(edited, { zone: ZONE, now })
    const window = firstWindow(form, { edited, now })
    expect(window && formSentence(form, { window, edited, now })).toBe(
      `Since Thu 19-Nov-2026 11:15 until the end of Sat 21-Nov-2026.${CLOCK}`,
    )
  })

  it('says which months are left out', () => {
    const days = { isOn: true, isRange: true, firstDay: '2026-12-31', lastDay: '2026-12-31' }
    const form = {
      ...maintenanceForm(null, { zone: ZONE, now }),
      ...days,
      repeat: { ...noRepeat, unit: 'month' as const },
    }
    const window = firstWindow(form, { edited: null, now })
    expect(window && formSentence(form, { window, edited: null, now })).toMatch(
      / Months without a day 31 are skipped\.$/,
    )
  })
})

it('tells how one recurs, and a rule that no form draws by its text', () => {
  const one = { id: '1', start: '2026-11-21T21:00:00Z', end: '2026-11-22T03:00:00Z', reason: null, timeZone: ZONE }
  expect(recurrenceLabel({ ...one, rrule: 'FREQ=WEEKLY' })).toBe(`Every week on Saturday (${ZONE})`)
  expect(recurrenceLabel({ ...one, rrule: 'FREQ=YEARLY' })).toBe(`Custom rule FREQ=YEARLY (${ZONE})`)
  expect(recurrenceLabel({ ...one, rrule: null, timeZone: null })).toBeNull()
})
