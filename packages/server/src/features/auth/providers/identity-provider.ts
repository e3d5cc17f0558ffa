import type { Challenge } from '@benchwatch/contract/users/auth'

/** The name and password that a user entered. */
export interface Credentials {
  userId: string
  password: string
}

/**
 * The login that a provider confirms. Rights and the disabled state belong to the account here, never to the provider.
 */
export interface Identity {
  /** Lower case. */
  login: string
  /**
   * The hash that the password was checked against, if this server keeps passwords. If it has been replaced, no
   * session begins.
   */
  passwordHash?: string
  /** The value for asking the provider again, such as a refresh token; sealed with the session. */
  handle?: string
}

export type ChallengeKind = Challenge['challenge']

/** An open challenge. It is stored sealed between two requests; the browser has only its token. */
export interface PendingStep {
  kind: ChallengeKind
  /** Lower case. */
  login: string
  /**
   * The provider's own data for judging the answer, such as a code hash with its expiry, or a provider session. It may
   * hold the password (decision 0016), so its encryption key is also derived from the challenge token, which only the
   * browser has: a copy of the database is not enough to open it.
   */
  state: string
}

/** A provider's response: the identity, or the next challenge. `delivery` is the masked destination of a code. */
export type Step =
  | { kind: 'identity'; identity: Identity }
  | { kind: 'challenge'; pending: PendingStep; delivery?: string }

/**
 * The single entry point for proving identities. Sessions, locks, failure counts and challenge tokens belong to this
 * server, whatever the provider. All failures are thrown as ProblemError with a sign-in code of wire 10.
 */
export interface IdentityProvider {
  readonly kind: 'local' | 'cognito' | 'oidc'
  /** Throws `bad-credentials`, alike and after equal time for an unknown name and a wrong password. */
  signIn(credentials: Credentials): Promise<Step>
  /**
   * Judges a new password or a code. Throws `wrong-code`, `challenge-expired`, `invalid-parameter`, `password-policy`.
   */
  answer(pending: PendingStep, answer: string): Promise<Step>
  /** Sends another code for an open SMS_MFA challenge. Throws `sms-failed`, `bad-phone`, `too-many-requests`. */
  resend(pending: PendingStep): Promise<{ pending: PendingStep; delivery?: string }>
  /** Mails a code if the account exists. Takes equally long if it does not. Throws `mail-busy`. */
  forgotPassword(email: string): Promise<void>
  /**
   * Sets a password with a mailed code. Resolves with the login whose sessions must end. Throws `wrong-code`,
   * `code-expired`, `password-policy`.
   */
  confirmForgotPassword(reset: { email: string; code: string; newPassword: string }): Promise<{ login: string }>
  /**
   * Asks whether a signed-in user may still have access. `ended` ends the session here. If the provider is
   * unreachable, the call throws and the session continues until the provider can answer. Absent if the account here
   * is sufficient.
   */
  recheck?(handle: string): Promise<{ kind: 'good'; handle: string } | { kind: 'ended' }>
  /** Notifies the provider that a session ended. The sign-out here succeeds even if this fails. */
  signOut?(handle: string): Promise<void>
  /** For a provider with its own screen: the address to send the browser to, and the handling of its return. */
  redirect?: {
    /** After a refusal, the provider must not take the same account again without asking. */
    start(
      redirectUri: string,
      options?: { selectsAccount: boolean },
    ): Promise<{ url: string; state: string; secret: string }>
    /** `url` is the address that the browser returned to; `secret` is the value from `start` for this state. */
    finish(url: URL, secret: string): Promise<Identity>
  }
}
