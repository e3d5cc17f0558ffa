import { z } from 'zod'
import { paths } from './paths.ts'
import { eventNumber, id, instant, line, text } from './primitives.ts'
import { route } from './route.ts'
import { eventEmailStates, limits } from './vocabulary.ts'

/**
 * Mails about a service event: shared by a person, or sent to the customer's contact by itself. Wire 2, 3-decisions 2 and 3.
 */

export const shareServiceEvent = route({
  ...paths.shareServiceEvent,
  summary: 'Mail a service event to colleagues; 20 an hour',
  body: z.strictObject({
    eventId: eventNumber,
    /** Users of the caller's `GET /users` whose scope holds the event; others are refused as a whole. */
    receiverIds: z.array(line(40)).min(1).max(limits.shareReceivers),
    message: text(limits.shareMessage).nullable().optional(),
  }),
  success: [204],
  errors: ['session-expired', 'not-found', 'wrong-user-ids', 'too-many-requests'],
  access: { kind: 'signed-in' },
})

/** One mail to one receiver. */
export const eventEmail = z.object({
  /** When it left; null while it waits to be sent, and for one that could not be. */
  sentAt: instant.nullable(),
  state: z.enum(eventEmailStates),
  /** Why it has not left yet, or never will; null for what is sent or on its way for the first time. */
  reason: z.string().nullable(),
  /** The address; null for a user's where the caller may not see it (as in `GET /users`). */
  to: z.string().nullable(),
  /** Whom it is for: the customer's contact, or the user with whom it was shared. */
  contactName: z.string().nullable(),
  subject: z.string(),
  /** As text. */
  body: z.string(),
  /** False for one that a person shared. */
  automatic: z.boolean(),
})
export type EventEmail = z.output<typeof eventEmail>

export const listServiceEventEmails = route({
  ...paths.listServiceEventEmails,
  summary:
    'What was mailed about this event and to whom: what waits, then the newest. Shared mails: one’s own; all for support and admin',
  params: z.object({ id }),
  answer: z.object({ values: z.array(eventEmail) }),
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})
