/** Demo users of the README. */
export const people = {
  support: 'support@benchwatch.example',
  service: 'service@benchwatch.example',
  customer: 'customer@helixbio.example',
  admin: 'admin@benchwatch.example',
  /** Signs in with a code by text message. */
  mfa: 'mfa@benchwatch.example',
  /** Has to set a password at the first sign-in. */
  new: 'new@benchwatch.example',
} as const
export const DEMO_PASSWORD = 'Benchwatch-2026!'
