import type { Challenge, SignInStep } from '@benchwatch/contract/auth'
import type { ErrorCode } from '@benchwatch/contract/errors'
import { ApiError } from '../../lib/http.ts'

/** What a person reads when a step of signing in fails: document 1 section 8. Other messages pass through. */

/** Where somebody stands on the way in: the four modes of the sign-in, two of which have two forms. */
export type LoginStep =
  | { mode: 'normal' }
  | { mode: 'new-password'; challengeToken: string }
  | { mode: 'sms-code'; challengeToken: string; delivery: string | null }
  | { mode: 'app-code'; challengeToken: string }
  | { mode: 'reset' }
  | { mode: 'confirm-reset' }

/** Takes the answer of a step: signed in, or the next one. @throws Error for a challenge that can't be answered. */
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

/** Where a code means something else than usual. */
const textsOfMode: Partial<Record<LoginStep['mode'], typeof texts>> = {
  // An over-long or malformed entry is no user either.
  normal: { 'validation-failed': 'Incorrect username or password' },
  // Nothing was sent that could be sent again.
  'new-password': { 'challenge-expired': 'This took too long. Log in again.' },
  'app-code': { 'challenge-expired': 'This took too long. Log in again.' },
}

interface LoginMessage {
  text: string
  /** What the text leaves open; null for nothing. */
  detail: string | null
}

/** Anything but an answer of the server, such as a code without a pending step, is a fault of this page. */
export function loginMessage(error: unknown, mode: LoginStep['mode']): LoginMessage {
  if (!(error instanceof ApiError)) return { text: INTERNAL, detail: null }
  const code = error.code as ErrorCode
  const text = textsOfMode[mode]?.[code] ?? texts[code] ?? error.message
  return { text, detail: code === 'password-policy' ? detailOf(error.message) : null }
}

/** Which rule a password breaks that is not among those on the screen, without the sentence that the text says already. */
function detailOf(message: string): string | null {
  const detail = message.replace(/^The password does not conform to policy\.\s*/, '')
  return detail === '' ? null : detail
}

/** What the sign-in of an organisation sends people back with. A map: the code comes from the address. */
const returnTexts: ReadonlyMap<string, string> = new Map<ErrorCode, string>([
  [
    'bad-credentials',
    'Your organisation did not let you in, or you have no account here. Ask your administrator for one.',
  ],
  ['session-expired', 'This took too long. Sign in again.'],
  ['too-many-requests', 'Too many requests, please try again later.'],
  ['unavailable', 'The sign-in of your organisation does not answer. Try again shortly.'],
])

/** For a code in the address, which anybody can write: what is not known is not shown. */
export function returnError(code: string): ApiError {
  const text = returnTexts.get(code) ?? 'Signing in with your organisation did not work. Try again.'
  return new ApiError(text, { status: 0, code: 'returned' })
}

/**
 * The step that a challenge asks for.
 * @throws Error where it names no pending step to answer: there is nothing that a code could be sent with.
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
