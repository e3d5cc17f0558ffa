import { describe, expect, it } from 'vitest'
import { calendarDate, id, instant, order, paging, queryBoolean, text } from './primitives.ts'

const takes = (schema: { safeParse(value: unknown): { success: boolean } }) => (value: unknown) =>
  schema.safeParse(value).success

describe('on the wire', () => {
  it('an instant is ISO 8601 in UTC with milliseconds and Z', () => {
    expect(takes(instant)('2026-11-20T14:02:23.000Z')).toBe(true)
    for (const other of [
      ...['2026-11-20T14:02:23Z', '2026-11-20T14:02:23.000', '2026-11-20T15:02:23.000+01:00', '2026-11-20'],
      ...['2026-11-20 14:02:23.000Z', '2026-11-20T14:02:23.000000Z', '', null, 1_795_183_343_000],
    ]) {
      expect([other, takes(instant)(other)]).toEqual([other, false])
    }
  })

  it('a date is YYYY-MM-DD', () => {
    expect(takes(calendarDate)('2026-02-28')).toBe(true)
    for (const other of ['2026-02-30', '0000-01-01', '28-02-2026', '2026-2-28', '2026-02-28T00:00:00.000Z', '']) {
      expect([other, takes(calendarDate)(other)]).toEqual([other, false])
    }
  })

  it('an id is a text', () => {
    expect(['104882', '1'].map(takes(id))).toEqual([true, true])
    expect([104882, '', 'ORC-1', '1'.repeat(19), null].map(takes(id))).toEqual([false, false, false, false, false])
  })

  it('a boolean of a query is true or false, and nothing else', () => {
    expect([queryBoolean.parse('true'), queryBoolean.parse('false')]).toEqual([true, false])
    expect(['TRUE', '1', '', 'yes'].map(takes(queryBoolean))).toEqual([false, false, false, false])
  })

  it('a limit is 1 to 100 and an offset 0 or more', () => {
    expect(['1', '100', '20'].map((limit) => paging.limit.parse(limit))).toEqual([1, 100, 20])
    expect(['0', '101', '-1', '1.5', ''].map(takes(paging.limit))).toEqual([false, false, false, false, false])
    expect(['0', '100000'].map((offset) => paging.offset.parse(offset))).toEqual([0, 100_000])
    expect(['-1', 'x', ''].map(takes(paging.offset))).toEqual([false, false, false])
  })

  it('an order is ASC or DESC, in any case', () => {
    expect(['ASC', 'desc', 'Asc'].map((way) => order.parse(way))).toEqual(['ASC', 'DESC', 'ASC'])
    expect(['up', '', 'ASCENDING'].map(takes(order))).toEqual([false, false, false])
  })

  it('a text has its limit: as many characters and no more', () => {
    expect(['x'.repeat(40), 'x'.repeat(41)].map(takes(text(40)))).toEqual([true, false])
  })
})
