import type { Challenge } from '@benchwatch/contract/auth'

/** What somebody typed to prove who they are. */
export interface Credentials {
  userId: string
  password: string
}

/**
 * Who somebody is, as a provider vouches for it: the login of an account here. What the account may do, and whether
 * it is disabled, is never the provider's business.
 */
export interface Identity {
  /** Lower case. */
  login: string
  /** The hash against which the password was held, where it is kept here: once another one is in force, no session begins. */
  passwordHash?: string
  /** What the provider wants to be asked with again, such as its refresh token; kept sealed with the session. */
  handle?: string
}

export type ChallengeKind = Challenge['challenge']

/** A step that waits for its answer. It is kept between two requests, sealed, and known to the browser by a token alone. */
export interface PendingStep {
  kind: ChallengeKind
  /** Lower case. */
  login: string
  /**
   * Whatever the provider needs to judge the answer: the hash of a code and its end, a session of its own. It may hold
   * the password (decision 0016), so it is sealed with a key that is derived from the challenge token as well: what only
   * the browser knows, no copy of the database can open.
   */
  state: string
}

/** One answer of a provider: who it is, or what it asks next. `delivery` is where a code went, masked. */
export type Step =
  | { kind: 'identity'; identity: Identity }
  | { kind: 'challenge'; pending: PendingStep; delivery?: string }

/**
 * The one door behind which identities are proven. Sessions, locks, counters of failures and challenge tokens are this
 * server's own for every provider. Whatever goes wrong is thrown as a ProblemError with a sign-in code of wire 10.
 */
export interface IdentityProvider {
  readonly kind: 'local' | 'cognito' | 'oidc'
  /** Throws `bad-credentials`, the same and after the same time for a wrong name and a wrong password. */
  signIn(credentials: Credentials): Promise<Step>
  /** Judges a new password or a code. Throws `wrong-code`, `challenge-expired`, `invalid-parameter`, `password-policy`. */
  answer(pending: PendingStep, answer: string): Promise<Step>
  /** Sends another code for a pending SMS_MFA. Throws `sms-failed`, `bad-phone`, `too-many-requests`. */
  resend(pending: PendingStep): Promise<{ pending: PendingStep; delivery?: string }>
  /** Mails a code when there is such an account; takes the same time when there is none. Throws `mail-busy`. */
  forgotPassword(email: string): Promise<void>
  /**
   * Sets a password with a mailed code; resolves with the login whose sessions must end. Throws `wrong-code`,
   * `code-expired`, `password-policy`.
   */
  confirmForgotPassword(reset: { email: string; code: string; newPassword: string }): Promise<{ login: string }>
  /**
   * Asks whether somebody who signed in may still come in. `ended` ends the session here; a provider that can't be
   * reached throws, and the session goes on until it can. Absent where the account here says it all.
   */
  recheck?(handle: string): Promise<{ kind: 'good'; handle: string } | { kind: 'ended' }>
  /** Tells the provider that a session ended. Failing is no failure of the sign-out here. */
  signOut?(handle: string): Promise<void>
  /** For a provider with a screen of its own: where to send the browser, and what comes back from there. */
  redirect?: {
    start(redirectUri: string): Promise<{ url: string; state: string; secret: string }>
    /** `url` is the address the browser came back to; `secret` what `start` gave for this state. */
    finish(url: URL, secret: string): Promise<Identity>
  }
}
