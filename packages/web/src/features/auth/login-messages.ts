import type { ErrorCode } from '@benchwatch/contract/errors'
import type { Challenge, SignInStep } from '@benchwatch/contract/users/auth'
import { ApiError } from '../../lib/http.ts'

/** Error messages of the sign-in steps (document 1 section 8). Other messages pass through. */

/** The step of the sign-in. Two of the four modes of the specification have two forms. */
export type LoginStep =
  | { mode: 'normal' }
  | { mode: 'new-password'; challengeToken: string }
  | { mode: 'sms-code'; challengeToken: string; delivery: string | null }
  | { mode: 'app-code'; challengeToken: string }
  | { mode: 'reset' }
  | { mode: 'confirm-reset' }

/**
 * Handles the answer of a step: signed in, or the next step.
 * @throws Error for a challenge that cannot be answered.
 */
export type HandleAnswer = (answer: SignInStep) => void

const INTERNAL = 'Internal error. Please reload the page.'

const texts: Partial<Record<ErrorCode, string>> = {
  'bad-credentials': 'Incorrect username or password',
  'attempts-exceeded': 'Password attempts exceeded.',
  'too-many-requests': 'Too many requests, please try again later.',
  'mail-busy': 'Mail service is busy, please try again later.',
  'wrong-user-ids': 'Wrong userIds parameter.',
  'wrong-code': 'Incorrect verification code.',
  'code-expired': 'The verification code has expired, please resend the code.',
  'challenge-expired': 'MFA Token has expired, please resend code.',
  'invalid-parameter': 'Invalid parameter format.',
  'validation-failed': 'Invalid parameter format.',
  'sms-failed': 'Failed to send SMS, please contact administrator.',
  'password-policy': 'Password does not conform to policy.',
  'bad-phone': 'Mobile number format error.',
}

/** Texts for codes that have another meaning in a mode. */
const textsOfMode: Partial<Record<LoginStep['mode'], typeof texts>> = {
  // An entry that is too long or malformed belongs to no user either.
  normal: { 'validation-failed': 'Incorrect username or password' },
  // In these modes no code was sent, so none can be resent.
  'new-password': { 'challenge-expired': 'This took too long. Log in again.' },
  'app-code': { 'challenge-expired': 'This took too long. Log in again.' },
}

interface LoginMessage {
  text: string
  /** An addition to the text; null for none. */
  detail: string | null
}

/**
 * Returns the message for an error. An error that did not come from the server, such as a code without a pending step,
 * is an internal error.
 */
export function loginMessage(error: unknown, mode: LoginStep['mode']): LoginMessage {
  if (!(error instanceof ApiError)) return { text: INTERNAL, detail: null }
  const code = error.code as ErrorCode
  const text = textsOfMode[mode]?.[code] ?? texts[code] ?? error.message
  return { text, detail: code === 'password-policy' ? detailOf(error.message) : null }
}

/** Returns the broken password rules that the screen does not list, without the sentence that `text` already says. */
function detailOf(message: string): string | null {
  const detail = message.replace(/^The password does not conform to policy\.\s*/, '')
  return detail === '' ? null : detail
}

/**
 * Texts for error codes with which an organisation's sign-in redirects back. A Map, because the code comes from the
 * address.
 */
const returnTexts: ReadonlyMap<string, string> = new Map<ErrorCode, string>([
  ['bad-credentials', 'Your organisation refused the sign-in, or you have no account here. Ask your administrator.'],
  ['session-expired', 'This took too long. Sign in again.'],
  ['too-many-requests', 'Too many requests, please try again later.'],
  ['unavailable', 'Your organisation’s sign-in is not responding. Try again in a moment.'],
])

/** Returns the error for a code in the address. Anyone can write an address, so unknown codes are not shown. */
export function returnError(code: string): ApiError {
  const text = returnTexts.get(code) ?? 'Could not sign in with your organisation. Try again.'
  return new ApiError(text, { status: 0, code: 'returned' })
}

/**
 * Returns the step that a challenge asks for.
 * @throws Error if the challenge has no token to answer with.
 */
export function stepOf({ challenge, challengeToken, delivery }: Challenge): LoginStep {
  if (typeof challengeToken !== 'string' || challengeToken === '') throw new Error(`${challenge} without its token`)
  switch (challenge) {
    case 'NEW_PASSWORD_REQUIRED':
      return { mode: 'new-password', challengeToken }
    case 'SMS_MFA':
      return { mode: 'sms-code', challengeToken, delivery: delivery ?? null }
    case 'TOTP_MFA':
      return { mode: 'app-code', challengeToken }
  }
}
