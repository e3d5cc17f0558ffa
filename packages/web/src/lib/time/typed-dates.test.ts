import { describe, expect, it } from 'vitest'
import { parseTypedDate, writeTypedDate } from './typed-dates.ts'

const afternoon = new Date(2026, 10, 5, 14, 2)

describe('dates as typed', () => {
  it.each([
    '05 November 2026 14:02',
    '5 November 2026 14:02',
    '5 Nov 2026 14:02',
    '5-Nov-2026 14:02',
    '2026-11-05 14:02',
    '  5  november   2026   14:02 ',
  ])('are understood: %s', (text) => {
    expect(parseTypedDate(text)).toEqual(afternoon)
  })

  it('mean midnight without a time', () => {
    expect(parseTypedDate('5 November 2026')).toEqual(new Date(2026, 10, 5))
  })

  it.each([
    '',
    'today',
    '31 June 2026',
    '5 November',
    '5 November 2026 25:00',
    '2026-13-01',
    '5 November 2026 14:02 x',
  ])('are refused: %j', (text) => {
    expect(parseTypedDate(text)).toBeNull()
  })

  it('are written in the form that is read', () => {
    expect(parseTypedDate(writeTypedDate(afternoon))).toEqual(afternoon)
  })
})
