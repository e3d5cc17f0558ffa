/** The users of the demo data, as README.md and the start command show them; the server's seed creates them. */
export const demoPassword = 'Benchwatch-2026!'

export const demoUsers = [
  { userId: 'support@benchwatch.example', what: 'support: all customers' },
  { userId: 'service@benchwatch.example', what: 'field engineer: all customers' },
  { userId: 'customer@helixbio.example', what: 'customer: sees Helix Biologics only' },
  { userId: 'mfa@benchwatch.example', what: 'field engineer: a code by SMS, which /dev/outbox shows' },
  { userId: 'new@benchwatch.example', what: 'field engineer: sets a password of their own first' },
  { userId: 'admin@benchwatch.example', what: 'administrator' },
]
