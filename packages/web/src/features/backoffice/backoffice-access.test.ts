import { expect, it } from 'vitest'
import { mayEnterBackoffice } from './backoffice-access.ts'

it.each([
  ['support', ['BACKOFFICE'], true],
  ['service', ['BACKOFFICE', 'AUTO_EMAIL'], true],
  ['admin', ['AUTO_EMAIL'], false],
  ['customer', ['BACKOFFICE'], false],
] as const)('%s with %j: %s', (role, features, isAllowed) => {
  expect(mayEnterBackoffice(role, features)).toBe(isAllowed)
})
