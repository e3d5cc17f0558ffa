/** Demo users of the README. */
export const people = {
  support: 'support@benchwatch.example',
  service: 'service@benchwatch.example',
  customer: 'customer@helixbio.example',
  admin: 'admin@benchwatch.example',
} as const
export const DEMO_PASSWORD = 'Benchwatch-2026!'
