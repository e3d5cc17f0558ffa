import { describe, expect, it } from 'vitest'
import { parseMoment, writeMoment } from './compare-tools.tsx'

const beside = new Date(2026, 10, 20, 9, 30).getTime()
const on = (day: number, ...time: [number, number, number?, number?]) => new Date(2026, 10, day, ...time).getTime()

describe('a typed moment', () => {
  it.each([
    ['14:02', on(20, 14, 2)],
    ['9:05:07', on(20, 9, 5, 7)],
    ['14:02:23.12', on(20, 14, 2, 23, 120)],
    ['14:02:23,007', on(20, 14, 2, 23, 7)],
    ['18 Nov 2026 14:02:23', on(18, 14, 2, 23)],
    ['18-Nov-2026, 14:02', on(18, 14, 2)],
    ['Nov 18', null],
    ['2026-11-18 14:02:23', on(18, 14, 2, 23)],
    ['18 november 2026', on(18, 0, 0)],
    ['2026-11-18T14:02:23.500Z', Date.UTC(2026, 10, 18, 14, 2, 23, 500)],
    ['25:00', null],
    ['14:60', null],
    ['31 Nov 2026 10:00', null],
    ['2026-11-18Tnoon+01:00', null],
    ['', null],
    ['then', null],
  ])('“%s”', (text, at) => {
    expect(parseMoment(text, beside)).toBe(at)
  })

  it('is read back as it is written', () => {
    expect(parseMoment(writeMoment(on(3, 4, 5, 6)), beside)).toBe(on(3, 4, 5, 6))
  })
})
