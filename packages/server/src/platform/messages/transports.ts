/** Transports of the demo: the row in the database, readable at /dev/outbox, is the delivery. */
export const outboxMailer: Mailer = { kind: 'outbox', send: async () => {}, close() {} }

export const outboxSmsSender: SmsSender = { kind: 'outbox', send: async () => {} }

/**
 * Reason why a message was not delivered.
 * - `unreachable`: the transport itself failed; every other message would fail as well.
 * - `deferred`: the receiving side wants a retry later.
 * - `refused`: a retry is useless: the address does not exist, or the content was rejected.
 */
export type DeliveryFailure = 'unreachable' | 'deferred' | 'refused'

/** A message could not be delivered. */
export class DeliveryError extends Error {
  readonly failure: DeliveryFailure
  /** The receiving side's code, such as 550 or 21211; safe to log, unlike its message. */
  readonly answer: number | undefined

  constructor(
    message: string,
    { failure, answer, cause }: { failure: DeliveryFailure; answer?: number; cause?: unknown },
  ) {
    super(message, { cause })
    this.failure = failure
    this.answer = answer
  }
}

/** One text message. `to` is in international format (E.164). */
interface Sms {
  to: string
  text: string
}

/** Transport for text messages. */
export interface SmsSender {
  readonly kind: 'outbox' | 'twilio'
  /** Resolves when the provider has accepted it, within `answerMs` milliseconds. Throws DeliveryError. */
  send(sms: Sms, answerMs?: number): Promise<void>
}

/** One mail, ready to send. Its values come from users and instruments: only a library may put them into headers. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** Further headers, such as List-Unsubscribe. */
  headers: Readonly<Record<string, string>>
  /** Stable for one message, so that a retry after a crash can be distinguished from a second mail. */
  messageId: string
}

/** Transport for mails. */
export interface Mailer {
  readonly kind: 'outbox' | 'smtp'
  /** Resolves when the server has accepted it. Throws DeliveryError. */
  send(mail: Mail): Promise<void>
  close(): void
}
