import type { NotificationChannel } from '@benchwatch/contract/vocabulary'

/** A message as those who follow it read it; all null once it is forgotten, long after it has left. */
export interface FollowedMessage {
  messageId: number | null
  sentAt: Date | null
  failedAt: Date | null
  lastFailure: 'unreachable' | 'deferred' | 'refused' | null
  lastError: string | null
}

export interface MessageState {
  state: 'sent' | 'failed' | 'waiting'
  /** Why it has not left, in words for people; null where there is nothing to say. */
  reason: string | null
}

const carriers: Record<NotificationChannel, string> = { email: 'The mail server', sms: 'The SMS provider' }

const failures = {
  unreachable: 'could not be reached.',
  deferred: 'asked to try again later.',
  refused: 'refused it.',
} as const

/**
 * Where a message stands. What a mail server said word for word is for those who run the product: it names machines. Without
 * a failure of the other side the sentence is our own.
 */
export function messageState(
  { messageId, sentAt, failedAt, lastFailure, lastError }: FollowedMessage,
  channel: NotificationChannel,
): MessageState {
  if (messageId === null || sentAt !== null) return { state: 'sent', reason: null }
  const said = lastFailure && `${carriers[channel]} ${failures[lastFailure]}`
  return failedAt === null ? { state: 'waiting', reason: said } : { state: 'failed', reason: said ?? lastError }
}
