import type { EventEmail } from '@benchwatch/contract/event-emails'

/** What is known of the message that carries a mail; all null once it is forgotten, long after it has left. */
export interface CarryingMessage {
  messageId: number | null
  sentAt: Date | null
  failedAt: Date | null
  lastFailure: 'unreachable' | 'deferred' | 'refused' | null
}

const failureWords = {
  unreachable: 'The mail server could not be reached.',
  deferred: 'The mail server asked to try again later.',
  refused: 'The mail server refused it.',
} as const

/** Where a mail stands, and why it has not left. What a mail server said word for word is for its operators' log. */
export function stateOfMessage(message: CarryingMessage): Pick<EventEmail, 'state' | 'reason'> {
  if (message.messageId === null || message.sentAt !== null) return { state: 'sent', reason: null }
  const reason = message.lastFailure === null ? null : failureWords[message.lastFailure]
  if (message.failedAt !== null) return { state: 'failed', reason: reason ?? 'It could not be sent in time.' }
  return { state: 'waiting', reason }
}

/** The same for an automatic support e-mail that the event does not show as sent yet. */
export function stateOfSupportEmail(
  email: CarryingMessage & { isHeld: boolean; withdrawnReason: string | null },
): Pick<EventEmail, 'state' | 'reason'> {
  if (email.withdrawnReason !== null) return { state: 'withdrawn', reason: email.withdrawnReason }
  if (email.isHeld)
    return { state: 'held', reason: 'Held until the maintenance ends, or until the contact may be mailed again.' }
  // Written and not carried by a message yet, or sent a moment ago and not noted on the event.
  if (email.messageId === null || email.sentAt !== null) return { state: 'waiting', reason: null }
  return stateOfMessage(email)
}
