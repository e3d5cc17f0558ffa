import { expect, it } from 'vitest'
import { fillPlaceholders } from './placeholders.ts'

it('fills in what it knows, as often as it stands there, and leaves other braces', () => {
  expect(fillPlaceholders('{a} {b} {a} {} {', { a: '1' })).toBe('1 {b} 1 {} {')
})

it('takes a value as it is, and no property that every object has', () => {
  expect(fillPlaceholders('{a} {toString}', { a: '$& {b}', b: '2' })).toBe('$& {b} {toString}')
})
