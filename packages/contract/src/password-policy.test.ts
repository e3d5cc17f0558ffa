import { expect, test } from 'vitest'
import { brokenPasswordRules, passwordRules } from './password-policy.ts'

test('the five rules read as the specification shows them', () => {
  expect(passwordRules.map(({ text }) => text)).toEqual([
    'at least 8 characters',
    'a lowercase letter',
    'at least 1 uppercase',
    'at least 1 number',
    'at least 1 special character',
  ])
})

test.each([
  ['Benchwatch-2026!', []],
  ['Aa1!aaaa', []],
  ['Ärger-1é', []],
  ['Aa1!aaa', ['at least 8 characters']],
  ['AAAAAA1!', ['a lowercase letter']],
  ['aaaaaa1!', ['at least 1 uppercase']],
  ['Aaaaaaa!', ['at least 1 number']],
  ['Aaaaaaa1', ['at least 1 special character']],
  // A blank is no special character; eight signs of two code units each are eight characters.
  ['Aaaaaa 1', ['at least 1 special character']],
  ['🔬🔬🔬🔬aA1', ['at least 8 characters']],
  ['', passwordRules.map(({ text }) => text)],
  [`Aa1!${'a'.repeat(253)}`, ['at most 256 characters']],
])('%j breaks %j', (password, broken) => {
  expect(brokenPasswordRules(password)).toEqual(broken)
})
