import type { NotificationChannel, NotificationState } from '@benchwatch/contract/notification-vocabulary'
import { type FollowedMessage, messageState } from '../message-state.ts'

/** Where a notification stands, from what the tables hold of it and of the message that carries it. Pure. */

/** All of the message is null or 0 where there is none: not yet, or it was forgotten long after it had left. */
export interface Delivery extends FollowedMessage {
  channel: NotificationChannel
  waitsFor: 'maintenance' | 'digest' | null
  withdrawnReason: string | null
}

/** The state, and for people why it is not sent. */
export function stateOf(delivery: Delivery): { state: NotificationState; reason: string | null } {
  const { waitsFor, withdrawnReason, channel } = delivery
  if (withdrawnReason !== null) return { state: 'withdrawn', reason: withdrawnReason }
  if (waitsFor === 'maintenance') {
    return { state: 'held', reason: 'Held until the maintenance of the instrument ends' }
  }
  if (waitsFor === 'digest') {
    return { state: 'collected', reason: 'Above the limit of messages an hour; comes with the next digest' }
  }
  return messageState(delivery, channel)
}
