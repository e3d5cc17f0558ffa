import { z } from 'zod'
import { MAX_ADDRESS_LENGTH, MAX_PASSWORD_LENGTH } from '../field-rules.ts'
import { paths } from '../paths.ts'
import { route } from '../route.ts'

/** Sign-in and sessions: 3-decisions 2, wire 10. The refresh token travels in a cookie, never in a body. */

/** The signed-in user, as in every sign-in answer. */
export const sessionUser = z.object({ userId: z.string(), userName: z.string(), mail: z.string() })
export type SessionUser = z.output<typeof sessionUser>

/** Tokens of a session. `expiresIn` is in seconds. */
export const tokens = z.object({ accessToken: z.string(), expiresIn: z.number().int(), user: sessionUser })
export type Tokens = z.output<typeof tokens>

/** A further sign-in step, identified by its token. `delivery` is the masked address that a code was sent to. */
export const challenge = z.object({
  challenge: z.enum(['NEW_PASSWORD_REQUIRED', 'SMS_MFA', 'TOTP_MFA']),
  challengeToken: z.string(),
  delivery: z.string().optional(),
})
export type Challenge = z.output<typeof challenge>

/** Every sign-in step has the same answer: either tokens or the next step. */
const signInStep = z.union([tokens, challenge])
export type SignInStep = z.output<typeof signInStep>

const challengeToken = z.string().max(100)
/**
 * This schema and the next accept any text, so that a wrong value gets its own error code instead of
 * `validation-failed`.
 */
export const password = z.string().max(1000)
export const code = z.string().max(100)
const userId = z.string().max(MAX_ADDRESS_LENGTH)

export const getAuthConfig = route({
  ...paths.getAuthConfig,
  summary: 'Configuration of the sign-in screen',
  answer: z.object({
    provider: z.enum(['local', 'cognito', 'oidc']),
    /** The address of the provider's own sign-in page; absent if the provider has none. */
    startUrl: z.string().optional(),
    product: z.string(),
    deployment: z.enum(['global', 'china']),
    passwordRules: z.array(z.object({ id: z.string(), text: z.string() })),
  }),
  errors: [],
  access: { kind: 'public' },
})

export const signIn = route({
  ...paths.signIn,
  summary: 'Sign in with user id and password; sets the refresh cookie or returns the next step',
  body: z.strictObject({ userId, password: z.string().max(MAX_PASSWORD_LENGTH) }),
  answer: signInStep,
  errors: ['bad-credentials', 'attempts-exceeded', 'too-many-requests', 'sms-failed', 'bad-phone', 'cross-site'],
  access: { kind: 'public' },
})

export const setNewPassword = route({
  ...paths.setNewPassword,
  summary: 'Answer NEW_PASSWORD_REQUIRED with a new password',
  body: z.strictObject({ challengeToken, newPassword: password }),
  answer: signInStep,
  errors: [
    'challenge-expired',
    'password-policy',
    'bad-credentials',
    'attempts-exceeded',
    'too-many-requests',
    'sms-failed',
    'bad-phone',
    'cross-site',
  ],
  access: { kind: 'public' },
})

export const answerMfa = route({
  ...paths.answerMfa,
  summary: 'Answer SMS_MFA or TOTP_MFA with a 6-digit code, or TOTP_MFA with a recovery code',
  body: z.strictObject({ challengeToken, code }),
  answer: signInStep,
  errors: [
    'challenge-expired',
    'invalid-parameter',
    'wrong-code',
    'bad-credentials',
    'attempts-exceeded',
    'too-many-requests',
    'cross-site',
  ],
  access: { kind: 'public' },
})

export const resendMfa = route({
  ...paths.resendMfa,
  summary: 'Send another SMS code; the old token stays valid. Once per 5 s, 10 per day and number',
  body: z.strictObject({ challengeToken }),
  answer: z.object({ challengeToken: z.string() }),
  errors: ['challenge-expired', 'attempts-exceeded', 'too-many-requests', 'sms-failed', 'bad-phone', 'cross-site'],
  access: { kind: 'public' },
})

export const forgotPassword = route({
  ...paths.forgotPassword,
  summary: 'Send a 6-digit password reset code by e-mail; the answer does not reveal whether the user exists',
  body: z.strictObject({ email: userId }),
  answer: z.object({}),
  errors: ['wrong-user-ids', 'mail-busy', 'too-many-requests', 'cross-site'],
  access: { kind: 'public' },
})

export const confirmForgotPassword = route({
  ...paths.confirmForgotPassword,
  summary: 'Set a new password with the code; ends all sessions of the user',
  body: z.strictObject({ email: userId, code, newPassword: password }),
  answer: z.object({}),
  errors: [
    'wrong-user-ids',
    'invalid-parameter',
    'wrong-code',
    'code-expired',
    'password-policy',
    'too-many-requests',
    'cross-site',
  ],
  access: { kind: 'public' },
})

export const startOidc = route({
  ...paths.startOidc,
  summary: 'Redirect the browser to the OpenID provider’s sign-in page',
  query: z.strictObject({ returnTo: z.string().max(2000).optional() }),
  success: [302],
  errors: ['not-found', 'unavailable'],
  access: { kind: 'public' },
})

export const finishOidc = route({
  ...paths.finishOidc,
  summary: 'Return address of the OpenID provider; sets the refresh cookie and redirects to the console',
  /** Providers add parameters of their own. */
  query: z.looseObject({
    code: z.string().max(4000).optional(),
    state: z.string().max(500).optional(),
    error: z.string().max(200).optional(),
  }),
  success: [302],
  errors: ['not-found'],
  access: { kind: 'public' },
})

export const refresh = route({
  ...paths.refresh,
  summary: 'Rotate the refresh cookie and get a new access token',
  /** Seconds since the last click or key press in any tab. Without it, the refresh does not count as activity. */
  body: z.strictObject({ idleSeconds: z.number().min(0).optional() }).default({}),
  answer: tokens,
  errors: ['session-expired', 'cross-site'],
  access: { kind: 'public' },
})

export const signOut = route({
  ...paths.signOut,
  summary: 'End this session, or all sessions of the user; clears the cookie',
  body: z.strictObject({ everywhere: z.boolean().default(false) }).default({ everywhere: false }),
  success: [204],
  errors: ['cross-site'],
  access: { kind: 'public' },
})

export const createLiveToken = route({
  ...paths.createLiveToken,
  waitsInLine: true,
  summary: 'Create a single-use token for the live connection',
  answer: z.object({ token: z.string(), expiresIn: z.literal(30) }),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})
