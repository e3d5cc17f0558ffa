/** Transports of the demo: the row in the database, readable at /dev/outbox, is the delivery. */
export const outboxMailer: Mailer = { kind: 'outbox', send: async () => {}, close() {} }

export const outboxSmsSender: SmsSender = { kind: 'outbox', send: async () => {} }

/**
 * What stands in the way of a message.
 * - `unreachable`: the transport as a whole; every other message would fail as well.
 * - `deferred`: the other side wants this one later.
 * - `refused`: another try can't help: the address does not exist, or the content is not wanted.
 */
export type DeliveryFailure = 'unreachable' | 'deferred' | 'refused'

/** Why a message could not be handed over. */
export class DeliveryError extends Error {
  readonly failure: DeliveryFailure
  /** The other side's number for it, such as 550 or 21211; safe to log, unlike its words. */
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

/** One text message. `to` is in international form (E.164). */
interface Sms {
  to: string
  text: string
}

/** The door through which text messages leave. */
export interface SmsSender {
  readonly kind: 'outbox' | 'twilio'
  /** Resolves once the other side has taken it. Throws DeliveryError. */
  send(sms: Sms): Promise<void>
}

/** One mail, ready to go. Values come from people and instruments: only a library may put them into headers. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** Further headers, such as List-Unsubscribe. */
  headers: Readonly<Record<string, string>>
  /** Stable for one message, so that a repeat after a crash can be told from a second mail. */
  messageId: string
}

/** The door through which mails leave. */
export interface Mailer {
  readonly kind: 'outbox' | 'smtp'
  /** Resolves once the other side has taken it. Throws DeliveryError. */
  send(mail: Mail): Promise<void>
  close(): void
}
