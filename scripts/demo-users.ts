/** The users of the demo data, as README.md and the start command show them; the server's seed creates them. */
export const demoPassword = 'Benchwatch-2026!'

export const demoUsers = [
  { userId: 'support@benchwatch.example', what: 'support: all customers' },
  { userId: 'service@benchwatch.example', what: 'field engineer: all customers' },
  { userId: 'customer@helixbio.example', what: 'customer: sees only Helix Biologics' },
  { userId: 'mfa@benchwatch.example', what: 'field engineer: signs in with an SMS code, which /dev/outbox shows' },
  { userId: 'new@benchwatch.example', what: 'field engineer: must choose a new password first' },
  { userId: 'admin@benchwatch.example', what: 'administrator' },
]
