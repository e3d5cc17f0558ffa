import { describe, expect, it } from 'vitest'
import { ApiError } from '../../lib/http.ts'
import { loginMessage, returnError, stepOf } from './login-messages.ts'

const failure = (code: string) => new ApiError('something else', { status: 400, code })

describe('the message of a failed step', () => {
  it.each([
    ['bad-credentials', 'Incorrect username or password'],
    ['validation-failed', 'Incorrect username or password'],
    ['mail-busy', 'Mail service is busy, please try again later.'],
    ['wrong-user-ids', 'Wrong userIds parameter.'],
    ['wrong-code', 'Incorrect verification code.'],
    ['code-expired', 'The verification code has expired, please resend the code.'],
    ['invalid-parameter', 'Invalid parameter format.'],
    ['too-many-requests', 'Too many requests, please try again later.'],
    ['sms-failed', 'Failed to send SMS, please contact administrator.'],
    ['password-policy', 'Password does not conform to policy.'],
    ['attempts-exceeded', 'Password attempts exceeded.'],
    ['bad-phone', 'Mobile number format error.'],
  ])('%s reads: %s', (code, text) => {
    expect(loginMessage(failure(code), 'normal').text).toBe(text)
  })

  it('a code by text message that came too late is sent again; other steps begin anew', () => {
    expect(loginMessage(failure('challenge-expired'), 'sms-code').text).toBe(
      'MFA Token has expired, please resend code.',
    )
    expect(loginMessage(failure('challenge-expired'), 'new-password').text).toBe('This took too long. Log in again.')
  })

  it('a malformed entry is a wrong user only where a user is asked for', () => {
    expect(loginMessage(failure('validation-failed'), 'confirm-reset').text).toBe('Invalid parameter format.')
  })

  it('a refused password is told which rule it breaks besides those on the screen', () => {
    const message = 'The password does not conform to policy. It is one that everybody tries.'
    const refused = new ApiError(message, { status: 400, code: 'password-policy' })
    expect(loginMessage(refused, 'new-password')).toEqual({
      text: 'Password does not conform to policy.',
      detail: 'It is one that everybody tries.',
    })
  })

  it('other messages pass through', () => {
    const starting = new ApiError('The server is starting.', { status: 503, code: 'unavailable' })
    expect(loginMessage(starting, 'normal')).toEqual({ text: 'The server is starting.', detail: null })
  })

  it('a code without a pending step is an internal error', () => {
    expect(loginMessage(new Error('SMS_MFA without its token'), 'normal').text).toBe(
      'Internal error. Please reload the page.',
    )
  })
})

describe('the message of a code in the address', () => {
  const shown = (code: string) => loginMessage(returnError(code), 'normal').text

  it('is its text', () => {
    expect(shown('too-many-requests')).toBe('Too many requests, please try again later.')
    expect(shown('bad-credentials')).toMatch(/no account here/)
  })

  it.each(['', 'toString', 'Call this number'])('does not repeat %j', (code) => {
    expect(shown(code)).toMatch(/^Could not sign in with your organisation/)
  })
})

describe('login step', () => {
  it.each([
    ['NEW_PASSWORD_REQUIRED', { mode: 'new-password', challengeToken: 'token' }],
    ['SMS_MFA', { mode: 'sms-code', challengeToken: 'token', delivery: '+46 ••• 03' }],
    ['TOTP_MFA', { mode: 'app-code', challengeToken: 'token' }],
  ] as const)('%s has its own form', (challenge, step) => {
    expect(stepOf({ challenge, challengeToken: 'token', delivery: '+46 ••• 03' })).toEqual(step)
  })

  it('a missing number is no number', () => {
    expect(stepOf({ challenge: 'SMS_MFA', challengeToken: 'token' })).toMatchObject({ delivery: null })
  })

  it('a challenge without a pending step is refused', () => {
    expect(() => stepOf({ challenge: 'SMS_MFA', challengeToken: '' })).toThrow('SMS_MFA')
  })
})
