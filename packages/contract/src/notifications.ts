import { z } from 'zod'
import { paths } from './paths.ts'
import { id, instant, paging } from './primitives.ts'
import { route } from './route.ts'
import {
  notificationCategories,
  notificationChannels,
  notificationGates,
  notificationKinds,
  notificationStates,
  severities,
} from './vocabulary.ts'

/** Who was told of which event, by which way, and why or why not. One's own; everybody's for support and administrators. */

/** One event told to one person by one way at one address. */
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
  /** Address or number. */
  to: z.string(),
  state: z.enum(notificationStates),
  /** When it was decided that the person is to be told. */
  decidedAt: instant,
  sentAt: instant.nullable(),
  /** How often the message was tried. */
  attempts: z.number().int(),
  /** Why it is not sent yet, or never will be; null for what is on its way or sent. */
  reason: z.string().nullable(),
  /** How many events its message lists; 1 for a message of its own, null while there is no message. */
  eventsInMessage: z.number().int().nullable(),
})
export type Notification = z.output<typeof notification>

export const listNotifications = route({
  ...paths.listNotifications,
  summary: 'What the caller was told, newest first; of another user for support and administrators',
  query: z.strictObject({ ...paging, userId: id.optional() }),
  answer: z.object({ values: z.array(notification), total: z.object({ notifications: z.number().int() }) }),
  errors: ['session-expired', 'wrong-role', 'not-found'],
  access: { kind: 'signed-in' },
})

export const listEventNotifications = route({
  ...paths.listEventNotifications,
  summary: 'Whom this event was told, newest first, at most 200: the caller; everybody for support and administrators',
  params: z.object({ id }),
  answer: z.object({ values: z.array(notification) }),
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

/** One look at one category. */
const categoryCheck = z.object({
  category: z.enum(notificationCategories.map(({ key }) => key)),
  /** What the profile asks for; empty lets everything through. */
  wanted: z.array(z.string()),
  /** What the event has; null where it has no such thing, as an edge issue has no component. */
  found: z.string().nullable(),
  passes: z.boolean(),
})

export const explanation = z.object({
  kind: z.enum(notificationKinds),
  isNotified: z.boolean(),
  /** What stopped it, the first in the order of `notificationGates`; null when nothing did. */
  decidedBy: z.enum(notificationGates).nullable(),
  /** The same in words. */
  sentence: z.string(),
  /** All eleven, in the specified order. */
  checks: z.array(categoryCheck),
  /** By which ways the profile tells. */
  ways: z.array(z.enum(notificationChannels)),
  /** What was really told of this event, newest first. */
  notifications: z.array(notification),
})
export type Explanation = z.output<typeof explanation>

export const explainNotification = route({
  ...paths.explainNotification,
  summary:
    'Why somebody was told of an event, or was not, by the profiles as they are now: oneself; anybody for support and administrators',
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
