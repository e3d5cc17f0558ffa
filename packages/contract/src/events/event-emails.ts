import { z } from 'zod'
import { paths } from '../paths.ts'
import { eventNumber, id, instant, line, text } from '../primitives.ts'
import { route } from '../route.ts'
import { eventEmailStates, limits } from '../vocabulary.ts'

/**
 * E-mails about a service event: shared by a user, or sent automatically to the customer's contact. Wire 2,
 * 3-decisions 2 and 3.
 */

export const shareServiceEvent = route({
  ...paths.shareServiceEvent,
  summary: 'Share a service event with colleagues by e-mail; 20 per hour',
  body: z.strictObject({
    eventId: eventNumber,
    /**
     * Users from the caller's `GET /users` whose scope includes the event. If any of them does not qualify, the whole
     * request is refused.
     */
    receiverIds: z.array(line(40)).min(1).max(limits.shareReceivers),
    message: text(limits.shareMessage).nullable().optional(),
  }),
  success: [204],
  errors: ['session-expired', 'not-found', 'wrong-user-ids', 'too-many-requests'],
  access: { kind: 'signed-in' },
})

/** One e-mail to one recipient. */
export const eventEmail = z.object({
  /** Time of sending; null while it is queued, and if it could not be sent. */
  sentAt: instant.nullable(),
  state: z.enum(eventEmailStates),
  /** The reason why it is delayed or was given up; null if it was sent or waits for its first attempt. */
  reason: z.string().nullable(),
  /** The e-mail address; null for a user's address that the caller may not see (as in `GET /users`). */
  to: z.string().nullable(),
  /** Name of the recipient: the customer's contact, or the user it was shared with. */
  contactName: z.string().nullable(),
  subject: z.string(),
  /** Plain text. */
  body: z.string(),
  /** False for an e-mail that a user shared. */
  automatic: z.boolean(),
})
export type EventEmail = z.output<typeof eventEmail>

export const listServiceEventEmails = route({
  ...paths.listServiceEventEmails,
  summary:
    'E-mails about this event: queued ones, then the newest. Shared e-mails: the caller’s own, or all for support and administrators',
  params: z.object({ id }),
  answer: z.object({ values: z.array(eventEmail) }),
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})
