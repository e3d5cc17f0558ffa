import { expect, test } from 'vitest'
import { copyLine } from './copy-lines.ts'

test('a row is a line of values, where null differs from an empty text', () => {
  expect(copyLine([1, 'text', null, '', false, new Date('2026-11-20T14:00:00Z')])).toBe(
    '1\ttext\t\\N\t\tfalse\t2026-11-20T14:00:00.000Z\n',
  )
})

test('what would end a value or a line is escaped', () => {
  expect(copyLine(['a\tb', 'c\nd', 'e\\N', 'f\rg'])).toBe('a\\tb\tc\\nd\te\\\\N\tf\\rg\n')
})
