import type { NotificationChannel, NotificationState } from '@benchwatch/contract/notification-vocabulary'

/** Where a notification stands, from what the tables hold of it and of the message that carries it. Pure. */

/** All of the message is null or 0 where there is none: not yet, or it was forgotten long after it had left. */
export interface Delivery {
  channel: NotificationChannel
  waitsFor: 'maintenance' | 'digest' | null
  withdrawnReason: string | null
  sentAt: Date | null
  failedAt: Date | null
  messageId: number | null
  lastFailure: 'unreachable' | 'deferred' | 'refused' | null
  lastError: string | null
}

/**
 * The state, and for people why it is not sent. What a mail server said word for word is for those who run the product: it
 * names machines.
 */
export function stateOf(delivery: Delivery): { state: NotificationState; reason: string | null } {
  const { waitsFor, withdrawnReason, sentAt, failedAt, messageId, lastFailure, lastError } = delivery
  if (withdrawnReason !== null) return { state: 'withdrawn', reason: withdrawnReason }
  if (waitsFor === 'maintenance') {
    return { state: 'held', reason: 'Held until the maintenance of the instrument ends' }
  }
  if (waitsFor === 'digest') {
    return { state: 'collected', reason: 'Above the limit of messages an hour; comes with the next digest' }
  }
  if (messageId === null || sentAt !== null) return { state: 'sent', reason: null }
  const said = lastFailure && `${carriers[delivery.channel]} ${failures[lastFailure]}`
  // Without a failure of the other side, the sentence is our own.
  if (failedAt !== null) return { state: 'failed', reason: said ?? lastError }
  return { state: 'waiting', reason: said }
}

const carriers = { email: 'The mail server', sms: 'The SMS provider' } as const

const failures = {
  unreachable: 'could not be reached.',
  deferred: 'asked to try again later.',
  refused: 'refused it.',
} as const
