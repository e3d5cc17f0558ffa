import type { NotificationChannel } from '@benchwatch/contract/vocabulary'

/** The delivery state of a message; all null once the message has been deleted, long after it was sent. */
export interface FollowedMessage {
  messageId: number | null
  sentAt: Date | null
  failedAt: Date | null
  lastFailure: 'unreachable' | 'deferred' | 'refused' | null
  lastError: string | null
}

export interface MessageState {
  state: 'sent' | 'failed' | 'waiting'
  /** The reason why it was not sent, as a sentence for people; null if there is none. */
  reason: string | null
}

const carriers: Record<NotificationChannel, string> = { email: 'The mail server', sms: 'The SMS provider' }

const failures = {
  unreachable: 'could not be reached.',
  deferred: 'asked to try again later.',
  refused: 'refused it.',
} as const

/**
 * Describes the state of a message. The literal answer of a mail server is for operators, because it names machines;
 * without a failure of the other side the sentence is our own.
 */
export function messageState(
  { messageId, sentAt, failedAt, lastFailure, lastError }: FollowedMessage,
  channel: NotificationChannel,
): MessageState {
  if (messageId === null || sentAt !== null) return { state: 'sent', reason: null }
  const said = lastFailure && `${carriers[channel]} ${failures[lastFailure]}`
  return failedAt === null ? { state: 'waiting', reason: said } : { state: 'failed', reason: said ?? lastError }
}
