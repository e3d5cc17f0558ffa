import { z } from 'zod'
import { paths } from './paths.ts'
import { route } from './route.ts'

/** Signing in and staying in: 3-decisions 2, wire 10. The refresh token travels in a cookie, never in a body. */

export const sessionUser = z.object({ userId: z.string(), userName: z.string(), mail: z.string() })
export type SessionUser = z.output<typeof sessionUser>

/** Tokens of a session. `expiresIn` in seconds. */
export const tokens = z.object({ accessToken: z.string(), expiresIn: z.number().int(), user: sessionUser })
export type Tokens = z.output<typeof tokens>

export const getAuthConfig = route({
  ...paths.getAuthConfig,
  summary: 'What the sign-in screen needs to know before anybody is signed in',
  answer: z.object({
    provider: z.enum(['local', 'cognito', 'oidc']),
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
  summary: 'Sign in with user id and password; sets the refresh cookie',
  body: z.strictObject({ userId: z.string().max(254), password: z.string().max(256) }),
  answer: tokens,
  errors: ['bad-credentials', 'cross-site'],
  access: { kind: 'public' },
})

export const refresh = route({
  ...paths.refresh,
  summary: 'Rotate the refresh cookie and get a new access token',
  /** Seconds since the last click or key press in any tab; without it the refresh counts as no activity. */
  body: z.strictObject({ idleSeconds: z.number().min(0).optional() }).default({}),
  answer: tokens,
  errors: ['session-expired', 'cross-site'],
  access: { kind: 'public' },
})

export const signOut = route({
  ...paths.signOut,
  summary: 'End this session, or all of this user’s; clears the cookie',
  body: z.strictObject({ everywhere: z.boolean().default(false) }).default({ everywhere: false }),
  success: [204],
  errors: ['cross-site'],
  access: { kind: 'public' },
})

export const createLiveToken = route({
  ...paths.createLiveToken,
  summary: 'A one-use token for the live connection',
  answer: z.object({ token: z.string(), expiresIn: z.literal(30) }),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})
