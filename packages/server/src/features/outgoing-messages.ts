import type { Config } from '../config.ts'
import type { Db, Trx } from '../db/connect.ts'

interface Outgoing {
  to: string
  text: string
  /** Name of its type, such as `password-reset`. */
  template: string
  /** A second message with the same key is a repeat and is not queued. */
  dedupeKey?: string
  /** True if it contains a code or a password: its content is erased once a real transport has accepted it. */
  isSecret?: boolean
  /** The time after which it is useless, such as the expiry of a code; by default a day after it was written. */
  giveUpAt?: Date
  /** The user who is notified, for the limit per user. */
  userId?: number
}

/** An e-mail as a feature writes it. */
export interface OutgoingMail extends Outgoing {
  channel: 'email'
  subject: string
  html: string
  headers?: Readonly<Record<string, string>>
}

export interface OutgoingSms extends Outgoing {
  channel: 'sms'
}

export type OutgoingMessage = OutgoingMail | OutgoingSms

/** Returns false in China, where no text messages are sent (document 2 section 2). */
export function hasSms({ deployment }: Pick<Config, 'deployment'>): boolean {
  return deployment !== 'china'
}

/** Sends messages on behalf of every feature; made by `createMessages`. */
export interface Messages {
  /**
   * Writes messages in the transaction of the change they report; a job sends them after its commit, with retries.
   * Returns their numbers in the order given; null for one that is not queued: a repeat, or a text message in China.
   */
  queue(trx: Trx, messages: readonly OutgoingMessage[], at: Date): Promise<(number | null)[]>
  /**
   * Sends a text message at once, for a user who waits for its code. Throws `sms-failed` (502) or `bad-phone` (400).
   */
  sendNow(message: OutgoingSms): Promise<void>
  /**
   * Returns true if e-mails are not getting through; callers then report that instead of letting a user wait
   * for one.
   */
  isMailBusy(): Promise<boolean>
}

/** Reasons of a refusal: the same sentences for all recipients who may no longer see an event, or any events. */
export const MAY_NOT_SEE = 'The recipient may no longer see this event.'
export const IS_DISABLED = 'The account of the recipient is disabled.'

/**
 * Hooks for the delivery of messages of one template. The composition root passes them to the sender, because messages
 * know nothing about events.
 */
export interface DeliveryHooks {
  template: string
  /**
   * Called right before sending: returns why the message must no longer be sent, as a sentence for people; null to
   * send it.
   */
  refusal(db: Db, messageId: number): Promise<string | null>
  /**
   * Called once the delivery is recorded. It is not called if the process dies in between, so a task must find the
   * message again.
   */
  sent(db: Db, messageId: number, at: Date): Promise<void>
}
