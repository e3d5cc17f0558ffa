import type { Mailer } from './mailer.ts'
import type { SmsSender } from './sms-sender.ts'

/** Transports of the demo: the row in the database, readable at /dev/outbox, is the delivery. */

export const outboxMailer: Mailer = { kind: 'outbox', send: async () => {}, close() {} }

export const outboxSmsSender: SmsSender = { kind: 'outbox', send: async () => {} }
