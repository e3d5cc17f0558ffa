import { expect, it } from 'vitest'
import { stepOf } from './login-step.ts'

it.each([
  ['NEW_PASSWORD_REQUIRED', { mode: 'new-password', challengeToken: 'token' }],
  ['SMS_MFA', { mode: 'sms-code', challengeToken: 'token', delivery: '+46 ••• 03' }],
  ['TOTP_MFA', { mode: 'app-code', challengeToken: 'token' }],
] as const)('%s has its own form', (challenge, step) => {
  expect(stepOf({ challenge, challengeToken: 'token', delivery: '+46 ••• 03' })).toEqual(step)
})

it('a number that is not told is none', () => {
  expect(stepOf({ challenge: 'SMS_MFA', challengeToken: 'token' })).toMatchObject({ delivery: null })
})

it('a challenge without a pending step is refused', () => {
  expect(() => stepOf({ challenge: 'SMS_MFA', challengeToken: '' })).toThrow('SMS_MFA')
})
