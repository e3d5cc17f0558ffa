import type { Challenge, SignInStep } from '@benchwatch/contract/auth'

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
