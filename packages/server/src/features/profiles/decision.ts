import type { EmailSettings, NotificationSettings } from '@benchwatch/contract/messages/profiles'
import type { NotificationChannel, NotificationGate, NotificationKind } from '@benchwatch/contract/vocabulary'
import { type DataScope, holds } from '../../db/actor.ts'
import type { AnnouncedEvent } from './event-facts.queries.ts'
import { type Criteria, criteriaOf, stoppedBy } from './matching.ts'

/**
 * Decides whether a user is notified of an event, and which gate decides it. Sending, preview and explanation all use
 * this module, so they always agree. Pure: facts about users come from `profiles.queries.ts`, facts about events from
 * `event-facts.queries.ts`.
 */

/** A user who may get notifications, with the current settings. */
export interface Recipient {
  userId: number
  name: string
  scope: DataScope
  isDisabled: boolean
  /** NOTIFY_UNDER_REVIEW: the user is also notified of errors whose template is under review (3-decisions 5). */
  notifiesUnderReview: boolean
  /** The account's own address: 'Default' in the e-mail form. */
  loginEmail: string
  msisdn: string | null
  email: EmailSettings
  profiles: Record<NotificationKind, NotificationSettings>
}

/** Channel and destination of a notification. */
export interface Way {
  channel: NotificationChannel
  /** E-mail address or phone number. */
  to: string
}

/** A recipient prepared once for the checks of many events. */
export interface PreparedRecipient extends Recipient {
  ways: Record<NotificationKind, readonly Way[]>
  criteria: Record<NotificationKind, Criteria>
}

/** A notification to decide about: an event, and its assignment if there is one. */
export interface NotificationCandidate {
  kind: NotificationKind
  event: Pick<AnnouncedEvent, 'customerId' | 'facts' | 'isUnderReview' | 'isTest'>
  /** `byId` is null if the product or another system made the assignment. */
  assignment?: { userId: number; byId: number | null } | undefined
}

export function prepare(recipient: Recipient, { hasSms }: { hasSms: boolean }): PreparedRecipient {
  const { assign_me_notification: assigned, new_event_notification: all } = recipient.profiles
  return {
    ...recipient,
    ways: {
      assign_me_notification: waysOf(recipient, 'assign_me_notification', { hasSms }),
      new_event_notification: waysOf(recipient, 'new_event_notification', { hasSms }),
    },
    criteria: { assign_me_notification: criteriaOf(assigned), new_event_notification: criteriaOf(all) },
  }
}

/** Returns the first gate, in the order of `notificationGates`, that stops the notification; null if it is sent. */
export function decide(
  recipient: PreparedRecipient,
  { kind, event, assignment }: NotificationCandidate,
): NotificationGate | null {
  if (kind === 'assign_me_notification') {
    if (assignment?.userId !== recipient.userId) return 'not-assigned'
    if (assignment.byId === recipient.userId) return 'own-assignment'
  }
  if (recipient.isDisabled) return 'disabled'
  if (!holds(recipient.scope, event.customerId)) return 'scope'
  const { notifyEmail, notifySms } = recipient.profiles[kind]
  if (!notifyEmail && !notifySms) return 'switched-off'
  if (event.isTest && kind === 'new_event_notification') return 'alarm-test'
  if (event.isUnderReview && !recipient.notifiesUnderReview) return 'under-review'
  return stoppedBy(recipient.criteria[kind], event.facts) ?? (recipient.ways[kind].length === 0 ? 'no-address' : null)
}

/** Returns the destinations of a profile, each address once. A selected channel without an address adds none. */
export function waysOf(
  { profiles, email, loginEmail, msisdn }: Recipient,
  kind: NotificationKind,
  { hasSms }: { hasSms: boolean },
): Way[] {
  const { notifyEmail, notifySms } = profiles[kind]
  const other = email.useNotificationEmail ? email.notificationEmail : null
  const addresses = email.useDefaultEmail ? [loginEmail] : []
  // Addresses that differ only in case are one mailbox, which should not get two e-mails about one event.
  if (other !== null && !addresses.some((address) => address.toLowerCase() === other.toLowerCase()))
    addresses.push(other)
  return [
    ...(notifyEmail ? addresses.map((to) => ({ channel: 'email' as const, to })) : []),
    ...(notifySms && hasSms && msisdn !== null ? [{ channel: 'sms' as const, to: msisdn }] : []),
  ]
}
