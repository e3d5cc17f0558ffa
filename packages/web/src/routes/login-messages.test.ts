import { expect, it } from 'vitest'
import { ApiError } from '../lib/http.ts'
import { loginMessage } from './login-messages.ts'

it.each([
  ['bad-credentials', 'Incorrect username or password'],
  ['validation-failed', 'Incorrect username or password'],
  ['attempts-exceeded', 'Password attempts exceeded.'],
  ['too-many-requests', 'Too many requests, please try again later.'],
])('%s reads: %s', (code, text) => {
  expect(loginMessage(new ApiError('something else', { status: 401, code }))).toBe(text)
})

it('other messages pass through', () => {
  expect(loginMessage(new ApiError('The server is starting.', { status: 503, code: 'unavailable' }))).toBe(
    'The server is starting.',
  )
})
