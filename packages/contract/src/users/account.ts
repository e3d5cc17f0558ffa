import { z } from 'zod'
import { paths } from '../paths.ts'
import { instant } from '../primitives.ts'
import { route } from '../route.ts'
import { code, password } from './auth.ts'

/** The caller's own account: sessions, password, second factor. */

const access = { kind: 'signed-in' } as const

/** A session of the caller. */
export const ownSession = z.object({
  id: z.uuid(),
  createdAt: instant,
  lastActivityAt: instant,
  /** The browser's own description of itself; null if it sent none. */
  userAgent: z.string().nullable(),
  address: z.string().nullable(),
  /** True for the session that makes this request. */
  isCurrent: z.boolean(),
})
export type OwnSession = z.output<typeof ownSession>

export const listMySessions = route({
  ...paths.listMySessions,
  summary: 'Sessions of the caller, most recent activity first',
  answer: z.object({ values: z.array(ownSession) }),
  errors: ['session-expired'],
  access,
})

export const endMySession = route({
  ...paths.endMySession,
  summary: 'Sign out one of the caller’s sessions',
  params: z.object({ id: z.uuid() }),
  success: [204],
  errors: ['session-expired', 'not-found'],
  access,
})

export const changePassword = route({
  ...paths.changePassword,
  summary: 'Change the caller’s password; ends all other sessions',
  body: z.strictObject({ currentPassword: password, newPassword: password }),
  success: [204],
  errors: ['session-expired', 'bad-credentials', 'attempts-exceeded', 'password-policy', 'bad-change'],
  access,
})

/** The caller's second factor at sign-in. */
export const secondFactor = z.object({
  /** True if this server manages the second factor; false if the identity provider does. */
  isManagedHere: z.boolean(),
  sms: z.boolean(),
  totp: z.boolean(),
  /** Number of unused recovery codes. */
  recoveryCodesLeft: z.number().int(),
})
export type SecondFactor = z.output<typeof secondFactor>

export const getSecondFactor = route({
  ...paths.getSecondFactor,
  summary: 'The caller’s second factor',
  answer: secondFactor,
  errors: ['session-expired'],
  access,
})

export const beginTotp = route({
  ...paths.beginTotp,
  summary: 'Create a secret for an authenticator app; active once confirmed. Requires the password',
  body: z.strictObject({ password }),
  /** The secret in base32, and the `otpauth:` address with the same secret for a QR code. */
  answer: z.object({ secret: z.string(), otpauthUrl: z.string() }),
  errors: ['session-expired', 'bad-credentials', 'attempts-exceeded', 'bad-change'],
  access,
})

export const confirmTotp = route({
  ...paths.confirmTotp,
  summary: 'Switch the authenticator app on with one of its codes; returns the recovery codes, shown only once',
  body: z.strictObject({ code }),
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ['session-expired', 'invalid-parameter', 'wrong-code', 'attempts-exceeded', 'bad-change'],
  access,
})

export const removeTotp = route({
  ...paths.removeTotp,
  summary: 'Switch the authenticator app off. Requires the password',
  body: z.strictObject({ password }),
  success: [204],
  errors: ['session-expired', 'bad-credentials', 'attempts-exceeded', 'bad-change'],
  access,
})

export const renewRecoveryCodes = route({
  ...paths.renewRecoveryCodes,
  summary: 'Replace all recovery codes; the new ones are shown only once. Requires the password',
  body: z.strictObject({ password }),
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ['session-expired', 'bad-credentials', 'attempts-exceeded', 'bad-change'],
  access,
})
