import type { ErrorCode } from '@benchwatch/contract/errors'
import * as routes from '@benchwatch/contract/users/auth'
import { describe, expect, test } from 'vitest'
import { type CognitoStep, cognitoMeaning, cognitoProblem } from './cognito-provider.ts'

const error = (name: string, message = '') => Object.assign(new Error(message), { name })

/** Cognito's exception name and message, then the expected meaning per step. */
const table: [name: string, message: string, Partial<Record<CognitoStep, string>>][] = [
  [
    'NotAuthorizedException',
    'Incorrect username or password.',
    { 'sign-in': 'bad-credentials', resend: 'challenge-expired', confirm: 'wrong-code', forgot: 'as-if-sent' },
  ],
  [
    'NotAuthorizedException',
    'Invalid session for the user, session is expired.',
    { code: 'challenge-expired', 'new-password': 'challenge-expired' },
  ],
  [
    'NotAuthorizedException',
    'Password attempts exceeded',
    { 'sign-in': 'attempts-exceeded', resend: 'challenge-expired' },
  ],
  ['NotAuthorizedException', 'User is disabled.', { 'sign-in': 'bad-credentials', recheck: 'session-expired' }],
  ['NotAuthorizedException', 'Refresh Token has been revoked', { recheck: 'session-expired' }],
  // Wrong settings end no session and do not count as a wrong password.
  [
    'NotAuthorizedException',
    'Unable to verify secret hash for client 1abc',
    { 'sign-in': 'unavailable', recheck: 'unavailable', forgot: 'unavailable' },
  ],
  [
    'NotAuthorizedException',
    'Client 1abc is configured with secret but SECRET_HASH was not received',
    { 'sign-in': 'unavailable', recheck: 'unavailable' },
  ],
  ['InvalidParameterException', 'USER_PASSWORD_AUTH flow not enabled for this client', { 'sign-in': 'unavailable' }],
  [
    'UserNotFoundException',
    'User does not exist.',
    { 'sign-in': 'bad-credentials', forgot: 'as-if-sent', confirm: 'wrong-code', recheck: 'session-expired' },
  ],
  ['UserNotConfirmedException', 'User is not confirmed.', { 'sign-in': 'bad-credentials', forgot: 'as-if-sent' }],
  ['PasswordResetRequiredException', '', { 'sign-in': 'bad-credentials', recheck: 'session-expired' }],
  ['UserLambdaValidationException', 'PreAuthentication failed', { 'sign-in': 'bad-credentials' }],
  ['RefreshTokenReuseException', '', { recheck: 'session-expired' }],
  ['CodeMismatchException', '', { code: 'wrong-code', confirm: 'wrong-code' }],
  ['ExpiredCodeException', 'Invalid code provided', { code: 'challenge-expired', confirm: 'code-expired' }],
  ['ExpiredCodeException', 'Your software token has already been used once.', { code: 'wrong-code' }],
  [
    'InvalidPasswordException',
    '',
    { 'new-password': 'password-policy', confirm: 'password-policy', 'sign-in': 'bad-credentials' },
  ],
  ['PasswordHistoryPolicyViolationException', '', { 'new-password': 'password-policy', confirm: 'password-policy' }],
  ['LimitExceededException', '', { confirm: 'too-many-requests', code: 'too-many-requests', forgot: 'as-if-sent' }],
  ['TooManyRequestsException', '', everywhere('too-many-requests')],
  ['ThrottlingException', '', everywhere('too-many-requests')],
  ['ForbiddenException', '', everywhere('too-many-requests')],
  [
    'TooManyFailedAttemptsException',
    '',
    { 'sign-in': 'attempts-exceeded', code: 'attempts-exceeded', confirm: 'too-many-requests' },
  ],
  ['CodeDeliveryFailureException', '', { forgot: 'mail-busy', 'sign-in': 'sms-failed', resend: 'sms-failed' }],
  ['InvalidEmailRoleAccessPolicyException', '', { forgot: 'mail-busy' }],
  [
    'InvalidSmsRoleAccessPolicyException',
    '',
    { 'sign-in': 'sms-failed', 'new-password': 'sms-failed', resend: 'sms-failed' },
  ],
  ['InvalidSmsRoleTrustRelationshipException', '', { 'sign-in': 'sms-failed', resend: 'sms-failed' }],
  [
    'InvalidParameterException',
    "1 validation error detected: Value at 'username' failed to satisfy constraint",
    { 'sign-in': 'bad-credentials', forgot: 'wrong-user-ids', confirm: 'invalid-parameter', code: 'invalid-parameter' },
  ],
  [
    'InvalidParameterException',
    'Cannot reset password for the user as there is no registered/verified email or phone_number',
    { forgot: 'as-if-sent' },
  ],
  ['InvalidParameterException', 'Invalid phone number format.', { 'sign-in': 'bad-phone', resend: 'bad-phone' }],
  ['InvalidParameterException', '', { 'new-password': 'password-policy', recheck: 'unavailable' }],
  ['ResourceNotFoundException', 'User pool client 1abc does not exist.', everywhere('unavailable')],
  ['InternalErrorException', '', everywhere('unavailable')],
  ['UnexpectedLambdaException', '', everywhere('unavailable')],
  ['TimeoutError', '', everywhere('unavailable')],
  ['Error', 'connect ECONNREFUSED', everywhere('unavailable')],
  ['constructor', '', everywhere('unavailable')],
]

describe('what Cognito says becomes a code of wire 10', () => {
  test.each(table)('%s %s', (name, message, expected) => {
    for (const [step, meaning] of Object.entries(expected)) {
      expect(cognitoMeaning(step as CognitoStep, error(name, message)), step).toBe(meaning)
    }
  })

  test('something that is no error is none of anybody’s fault', () => {
    expect(cognitoMeaning('sign-in', 'text')).toBe('unavailable')
  })

  test('every code is one that the route of the step declares', () => {
    const declared: Partial<Record<CognitoStep, readonly string[]>> = {
      'sign-in': routes.signIn.errors,
      'new-password': routes.setNewPassword.errors,
      code: routes.answerMfa.errors,
      resend: routes.resendMfa.errors,
      forgot: routes.forgotPassword.errors,
      confirm: routes.confirmForgotPassword.errors,
    }
    for (const [name, message, expected] of table) {
      for (const [step, errors] of Object.entries(declared)) {
        // Skips steps that the table leaves out: Cognito never returns the exception for them.
        if (expected[step as CognitoStep] === undefined) continue
        const meaning = cognitoMeaning(step as CognitoStep, error(name, message))
        expect([...errors, 'unavailable', 'as-if-sent'], `${name} at ${step}`).toContain(meaning)
      }
    }
  })
})

test('an unknown name, a wrong password and every other state of an account answer alike', () => {
  const names = [
    'UserNotFoundException',
    'NotAuthorizedException',
    'UserNotConfirmedException',
    'PasswordResetRequiredException',
  ]
  const answers = names.map((name) => {
    const meaning = cognitoMeaning('sign-in', error(name, 'Something about the account.'))
    if (meaning === 'as-if-sent') throw new Error(name)
    const { code, message, status, extras } = cognitoProblem(meaning, error(name))
    return { code, message, status, members: extras.members }
  })
  expect(answers).toEqual(names.map(() => answers[0]))
})

test('the texts are those of document 1 section 8', () => {
  const texts = {
    'mail-busy': 'Mail service is busy, please try again later.',
    'wrong-user-ids': 'Wrong userIds parameter.',
    'bad-phone': 'Mobile number format error.',
    'sms-failed': 'Failed to send SMS, please contact administrator.',
    'too-many-requests': 'Too many requests, please try again later.',
    'attempts-exceeded': 'Password attempts exceeded.',
    'wrong-code': 'Incorrect verification code.',
    'code-expired': 'The verification code has expired, please resend the code.',
    'challenge-expired': 'MFA Token has expired, please resend code.',
    'invalid-parameter': 'Invalid parameter format.',
    'password-policy': 'Password does not conform to policy.',
  } as const
  for (const [code, text] of Object.entries(texts)) {
    expect(cognitoProblem(code as ErrorCode, error('X')).message).toBe(text)
  }
})

function everywhere(meaning: string): Partial<Record<CognitoStep, string>> {
  const steps = ['sign-in', 'new-password', 'code', 'resend', 'forgot', 'confirm', 'recheck'] as const
  return Object.fromEntries(steps.map((step) => [step, meaning]))
}
