import { expect, it } from 'vitest'
import { decimalOf } from './float32.ts'

it.each([23.1, -80, 0, 1e-3, 16_777_217.5, 3.4028235e38, Number.NaN, Number.NEGATIVE_INFINITY])(
  'reads a float32 as the decimal number that the instrument shows: %s',
  (shown) => {
    const sent = Math.fround(shown)
    expect(Math.fround(decimalOf(sent))).toBe(sent)
    expect(String(decimalOf(sent)).length).toBeLessThanOrEqual(String(sent).length)
  },
)

it('leaves a double that is no float32 as it is', () => {
  expect(decimalOf(Math.fround(23.1))).toBe(23.1)
  expect(decimalOf(23.100000381)).toBe(23.100000381)
})
