import type { EventEmail } from '@benchwatch/contract/event-emails'
import { type FollowedMessage, messageState } from '../message-state.ts'

/** Where an automatic support e-mail stands that the event does not show as sent yet, and why it has not left. */
export function stateOfSupportEmail(
  email: FollowedMessage & { isHeld: boolean; withdrawnReason: string | null },
): Pick<EventEmail, 'state' | 'reason'> {
  if (email.withdrawnReason !== null) return { state: 'withdrawn', reason: email.withdrawnReason }
  if (email.isHeld)
    return { state: 'held', reason: 'Held until the maintenance ends, or until the contact may be mailed again.' }
  // Written and not carried by a message yet, or sent a moment ago and not noted on the event.
  if (email.messageId === null || email.sentAt !== null) return { state: 'waiting', reason: null }
  return messageState(email, 'email')
}
