import { expect, it } from 'vitest'
import { initials } from './initials.ts'

it.each([
  ['Anna Lind', 'AL'],
  ['Jan van der Berg', 'JB'],
  ['Øyvind', 'Ø'],
  ['service@benchwatch.example', 'SE'],
  ['(No name configured)', 'NC'],
  ['', '?'],
])('%s gives %s', (name, letters) => {
  expect(initials(name)).toBe(letters)
})
