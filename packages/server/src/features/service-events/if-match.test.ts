import { expect, test } from 'vitest'
import { isStale } from './if-match.ts'

test.each([undefined, '"7"', 'W/"7"', '7', '*', '"6", "7"', ' "7" '])(
  'version 7 is what If-Match %s asks for',
  (header) => {
    expect(isStale(header, 7)).toBe(false)
  },
)

test.each(['"6"', 'W/"8"', '"77"', '""', '', '"7', 'seven', '"6", "8"', '7.0', '"07x"'])(
  'version 7 is another than If-Match %s asks for',
  (header) => {
    expect(isStale(header, 7)).toBe(true)
  },
)
