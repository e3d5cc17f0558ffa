import { z } from 'zod'
import { paths } from '../paths.ts'
import { id, instant } from '../primitives.ts'
import { route } from '../route.ts'

/** Sent e-mails and text messages: wire 10. */

/** One e-mail or text message that a demo transport accepted. */
export const outboxMessage = z.object({
  id,
  channel: z.enum(['email', 'sms']),
  to: z.string(),
  /** Null for text messages. */
  subject: z.string().nullable(),
  text: z.string().nullable(),
  html: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  createdAt: instant,
  sentAt: instant.nullable(),
})
export type OutboxMessage = z.output<typeof outboxMessage>

export const listOutbox = route({
  ...paths.listOutbox,
  summary: 'Messages accepted by the demo’s e-mail and SMS transports, oldest first; the newest 1,000',
  answer: z.object({ values: z.array(outboxMessage) }),
  errors: ['session-expired', 'wrong-role', 'not-found'],
  access: { kind: 'outbox' },
})
