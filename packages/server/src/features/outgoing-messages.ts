import type { Db, Trx } from '../db/connect.ts'

/** A mail as a feature writes it. `template` names what it is, such as `password-reset`. */
export interface OutgoingMail {
  channel: 'email'
  to: string
  subject: string
  text: string
  html: string
  headers?: Readonly<Record<string, string>>
  template: string
  /** A second message with this key is a repeat and is left out. */
  dedupeKey?: string
  /** Holds a code or a password: its content is wiped once a real transport has taken it. */
  isSecret?: boolean
  /** When it is of no use any more, such as the end of a code; a day after it was written unless said otherwise. */
  giveUpAt?: Date
  /** The user whom it tells of events, for the limit of each. */
  userId?: number
}

export interface OutgoingSms {
  channel: 'sms'
  to: string
  text: string
  template: string
  dedupeKey?: string
  isSecret?: boolean
  giveUpAt?: Date
  userId?: number
}

export type OutgoingMessage = OutgoingMail | OutgoingSms

/** How every feature sends messages; `createMessages` makes it. */
export interface Messages {
  /**
   * Writes messages in the transaction of what they tell about; a job sends them after its commit, with retries. Returns
   * their numbers in the order given; null for one that is left out: a repeat, or a text message in China.
   */
  queue(trx: Trx, messages: readonly OutgoingMessage[], at: Date): Promise<(number | null)[]>
  /** Sends a text message at once, for somebody who waits for its code. Throws `sms-failed` (502) or `bad-phone` (400). */
  sendNow(message: OutgoingSms): Promise<void>
  /** Whether mails don't get through at the moment: whoever would wait for one is told so instead. */
  isMailBusy(): Promise<boolean>
}

/**
 * What follows from messages of one template beyond their leaving; given to the sender as the product is put together,
 * because messages know nothing of events.
 */
export interface DeliveryHooks {
  template: string
  /** Looked at right before it leaves: why it is not to leave any more, as a person reads it; null when it is. */
  refusal(db: Db, messageId: number): Promise<string | null>
  /** Called once it is noted that it has left; not where the process dies in between, so a task must find it again. */
  sent(db: Db, messageId: number, at: Date): Promise<void>
}
