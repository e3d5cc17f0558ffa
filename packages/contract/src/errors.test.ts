import { expect, it } from 'vitest'
import { errorCatalogue } from './errors.ts'

it.each([
  ['bad-credentials', 401],
  ['attempts-exceeded', 429],
  ['too-many-requests', 429],
  ['mail-busy', 503],
  ['wrong-user-ids', 400],
  ['wrong-code', 400],
  ['code-expired', 400],
  ['challenge-expired', 401],
  ['invalid-parameter', 400],
  ['sms-failed', 502],
  ['password-policy', 400],
  ['bad-phone', 400],
  ['session-expired', 401],
  ['unsubscribe-token', 404],
] as const)('the code %s is answered with %i', (code, status) => {
  expect(errorCatalogue[code].status).toBe(status)
})
