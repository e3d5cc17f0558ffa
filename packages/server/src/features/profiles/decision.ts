import type { EmailSettings, NotificationSettings } from '@benchwatch/contract/profiles'
import type { NotificationChannel, NotificationGate, NotificationKind } from '@benchwatch/contract/vocabulary'
import { type DataScope, holds } from '../../db/actor.ts'
import type { AnnouncedEvent } from './event-facts.queries.ts'
import { type Criteria, criteriaOf, stoppedBy } from './matching.ts'

/**
 * Whether one person is told of one event, and what decides it. Sending, preview and explanation ask here and nowhere else,
 * so they can't disagree. Pure: who somebody is comes from `recipients.queries.ts`, what happened from
 * `event-facts.queries.ts`.
 */

/** Somebody who may be told of events, as they are now. */
export interface Recipient {
  userId: number
  name: string
  scope: DataScope
  isDisabled: boolean
  /** NOTIFY_UNDER_REVIEW: also of errors whose template is under review (3-decisions 5). */
  notifiesUnderReview: boolean
  /** The address that goes with the account: 'Default' of the e-mail form. */
  loginEmail: string
  msisdn: string | null
  email: EmailSettings
  profiles: Record<NotificationKind, NotificationSettings>
}

/** By which way and where something is told. */
export interface Way {
  channel: NotificationChannel
  /** Address or number. */
  to: string
}

/** A recipient who was made ready to be asked about many events, once for all of them. */
export interface PreparedRecipient extends Recipient {
  ways: Record<NotificationKind, readonly Way[]>
  criteria: Record<NotificationKind, Criteria>
}

/** What somebody is to be told of: an event, and who gave it to whom where that is the occasion. */
export interface Told {
  kind: NotificationKind
  event: Pick<AnnouncedEvent, 'customerId' | 'facts' | 'isUnderReview' | 'isTest'>
  /** `byId` is null for what the product or another system did. */
  assignment?: { userId: number; byId: number | null } | undefined
}

/** `hasSms`: text messages are sent, which they are not in China (document 2 section 2). */
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

/** What stops it, the first in the order of `notificationGates`; null: they are told, by each of their ways. */
export function decide(recipient: PreparedRecipient, { kind, event, assignment }: Told): NotificationGate | null {
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

/** Where a profile's messages go, each address once; nowhere for a way that is chosen but leads to nothing. */
export function waysOf(
  { profiles, email, loginEmail, msisdn }: Recipient,
  kind: NotificationKind,
  { hasSms }: { hasSms: boolean },
): Way[] {
  const { notifyEmail, notifySms } = profiles[kind]
  const other = email.useNotificationEmail ? email.notificationEmail : null
  const addresses = email.useDefaultEmail ? [loginEmail] : []
  // The same mailbox whatever the case: two mails of one event would be one too many.
  if (other !== null && !addresses.some((address) => address.toLowerCase() === other.toLowerCase()))
    addresses.push(other)
  return [
    ...(notifyEmail ? addresses.map((to) => ({ channel: 'email' as const, to })) : []),
    ...(notifySms && hasSms && msisdn !== null ? [{ channel: 'sms' as const, to: msisdn }] : []),
  ]
}
