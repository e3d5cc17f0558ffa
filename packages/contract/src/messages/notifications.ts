import { z } from 'zod'
import { paths } from '../paths.ts'
import { id, instant, paging } from '../primitives.ts'
import { route } from '../route.ts'
import {
  notificationCategories,
  notificationChannels,
  notificationGates,
  notificationKinds,
  notificationStates,
  severities,
} from '../vocabulary.ts'

/**
 * Sent and unsent notifications of an event, with the reasons. Users read their own; support and administrators read
 * everyone's.
 */

/** A notification of one event to one user through one channel at one address. */
export const notification = z.object({
  id,
  kind: z.enum(notificationKinds),
  channel: z.enum(notificationChannels),
  event: z.object({
    id,
    eventId: z.string(),
    severity: z.enum(severities),
    description: z.string(),
    instrumentInstalledProductId: z.string(),
  }),
  userId: z.string(),
  userName: z.string(),
  /** E-mail address or phone number. */
  to: z.string(),
  state: z.enum(notificationStates),
  /** Time when the server decided to notify the user. */
  decidedAt: instant,
  sentAt: instant.nullable(),
  /** Number of delivery attempts. */
  attempts: z.number().int(),
  /** The reason why it is delayed or was given up; null if it is on its way or sent. */
  reason: z.string().nullable(),
  /** Number of events in its message; 1 for a message of its own, null while there is no message. */
  eventsInMessage: z.number().int().nullable(),
})
export type Notification = z.output<typeof notification>

export const listNotifications = route({
  ...paths.listNotifications,
  summary: 'Notifications of the caller, newest first; also of other users for support and administrators',
  query: z.strictObject({ ...paging, userId: id.optional() }),
  answer: z.object({ values: z.array(notification), total: z.object({ notifications: z.number().int() }) }),
  errors: ['session-expired', 'wrong-role', 'not-found'],
  access: { kind: 'signed-in' },
})

export const listEventNotifications = route({
  ...paths.listEventNotifications,
  summary:
    'Notifications of this event, newest first, at most 200: the caller’s own, or all for support and administrators',
  params: z.object({ id }),
  answer: z.object({ values: z.array(notification) }),
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

/** Result of checking one category. */
const categoryCheck = z.object({
  category: z.enum(notificationCategories.map(({ key }) => key)),
  /** Values that the profile requires; empty accepts everything. */
  wanted: z.array(z.string()),
  /** The event's value; null if it has none, such as the component of an edge issue. */
  found: z.string().nullable(),
  passes: z.boolean(),
})

export const explanation = z.object({
  kind: z.enum(notificationKinds),
  isNotified: z.boolean(),
  /** The first gate, in the order of `notificationGates`, that stopped the notification; null if none did. */
  decidedBy: z.enum(notificationGates).nullable(),
  /** The same as a sentence. */
  sentence: z.string(),
  /** All eleven, in the order of the specification. */
  checks: z.array(categoryCheck),
  /** Channels that the profile uses. */
  ways: z.array(z.enum(notificationChannels)),
  /** Notifications of this event, newest first. */
  notifications: z.array(notification),
})
export type Explanation = z.output<typeof explanation>

export const explainNotification = route({
  ...paths.explainNotification,
  summary:
    'Explain why a user is notified of an event or not, by their current profiles: the caller, or any user for support and administrators',
  params: z.object({ id }),
  query: z.strictObject({ userId: id.optional() }),
  answer: z.object({
    userId: z.string(),
    userName: z.string(),
    eventId: z.string(),
    /** `new_event_notification`, then `assign_me_notification`. */
    explanations: z.array(explanation),
  }),
  errors: ['session-expired', 'wrong-role', 'not-found'],
  access: { kind: 'signed-in' },
})
