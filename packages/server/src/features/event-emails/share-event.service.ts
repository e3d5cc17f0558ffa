import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { holds, type UserActor } from '../../db/actor.ts'
import { recordAudit } from '../../db/audit.ts'
import type { Trx } from '../../db/connect.ts'
import { takeTurn } from '../../db/rate-limit.ts'
import { inTransaction } from '../../db/transaction.ts'
import { problem, tooOften } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { getServiceEvent, noSuchEvent } from '../events/events.service.ts'
import { lockServiceEvent } from '../events/events.store.ts'
import { frameMail, type MailBrand, type MailContent } from '../messages/mail-frame.ts'
import { type DeliveryHooks, IS_DISABLED, MAY_NOT_SEE } from '../outgoing-messages.ts'
import { findPerson, findVisible } from '../users/users.lookup.ts'
import { findSharedBy, insertEventEmails } from './event-emails.queries.ts'
import { eventFacts, eventSubject } from './event-facts-block.ts'

interface SharedEvent {
  event: ServiceEvent
  /** Name of the user who shares the event. */
  sharedBy: string
  message: string | null
}

const HOUR_SECONDS = 3600
const SHARED_EVENT_MESSAGE = 'shared-event'

/**
 * Checks right before sending that the receiver may still see the event, because the e-mail may have waited for hours.
 */
export const sharedEventHooks: DeliveryHooks = {
  template: SHARED_EVENT_MESSAGE,
  async refusal(db, messageId) {
    const shared = await findSharedBy(db, messageId)
    if (!shared) return 'The event has been deleted.'
    const receiver = shared.receiverId === null ? undefined : await findPerson(db, shared.receiverId)
    if (!receiver) return IS_DISABLED
    return holds(receiver.scope, shared.customerId) ? null : MAY_NOT_SEE
  },
  sent: async () => {},
}

interface Sharing {
  caller: UserActor
  /** Digits only. */
  eventId: string
  receiverIds: readonly string[]
  message: string | null
}

/**
 * Shares an event by e-mail with users whom the caller sees and whose scope includes it, one e-mail each. E-mails,
 * their entries and the audit entry are written together or not at all. Throws not-found, wrong-user-ids if one
 * receiver is not possible, and too-many-requests above the hourly limit; refused requests do not count towards it.
 */
export async function shareServiceEvent(
  { db, clock, config, messages }: Pick<FeatureContext, 'db' | 'clock' | 'config' | 'messages'>,
  { caller, eventId, receiverIds, message }: Sharing,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    // The lock serializes the audit entries of the event.
    const locked = await lockServiceEvent(trx, { id: Number(eventId), scope: caller.scope })
    if (!locked) throw noSuchEvent()
    const receivers = await receiversOf(trx, { caller, receiverIds, customerId: locked.customerId })
    const at = clock.now()
    const turn = await takeTurn(trx, {
      key: `share:${caller.id}`,
      limit: config.limits.sharesPerHour,
      windowSeconds: HOUR_SECONDS,
      at,
    })
    if (!turn.isAllowed) throw tooOften('You have shared too many events in the last hour.', turn.retryAfter)
    const event = await getServiceEvent(trx, { id: eventId, caller })
    const mail = sharedEventMail({ event, sharedBy: caller.name, message }, config)
    const messageIds = await messages.queue(
      trx,
      receivers.map(({ email }) => ({ ...mail, channel: 'email', to: email, template: SHARED_EVENT_MESSAGE })),
      at,
    )
    await insertEventEmails(trx, {
      eventId: locked.id,
      emails: receivers.map((receiver, index) => ({
        senderId: caller.id,
        receiverId: receiver.id,
        recipient: receiver.email,
        recipientName: receiver.name,
        subject: mail.subject,
        body: mail.text,
        messageId: messageIds[index] ?? null,
      })),
      at,
    })
    await recordAudit(trx, { entityType: 'service_event', entityId: String(locked.id), actor: caller, at }, [
      { action: 'shared', newValue: receivers.map(({ id }) => id).join(','), reason: message },
    ])
  })
}

/** Returns all receivers, each once, or throws: an e-mail that reached some of them could not be taken back. */
async function receiversOf(
  trx: Trx,
  { caller, receiverIds, customerId }: { caller: UserActor; receiverIds: readonly string[]; customerId: number },
) {
  const distinct = [...new Set(receiverIds)]
  const found = await findVisible(trx, { caller, userIds: distinct })
  const foundIds = new Set(found.map(({ id }) => String(id)))
  if (distinct.some((id) => !foundIds.has(id))) {
    throw problem('wrong-user-ids', 'One of the chosen users no longer exists. Reload the page and choose again.')
  }
  const outside = found.filter(({ scope }) => !holds(scope, customerId))
  if (outside.length > 0) {
    const names = outside.map(({ name }) => name).join(', ')
    throw problem(
      'wrong-user-ids',
      `No e-mails were sent: ${names} may not see this event. Remove them and share again.`,
    )
  }
  return found
}

/**
 * The mail about a shared event. It has no Reply-To: people's addresses are shown to support and administrators alone, so
 * it says instead that a reply does not reach the user who shared it.
 */
export function sharedEventMail({ event, sharedBy, message }: SharedEvent, brand: MailBrand): MailContent {
  return frameMail(
    {
      subject: eventSubject(event),
      preview: message ?? `${sharedBy} shared ORC-${event.eventId} with you.`,
      heading: `${sharedBy} shared a service event with you`,
      blocks: [
        ...(message === null ? [] : [{ kind: 'quote', text: message } as const]),
        { kind: 'text', text: event.description },
        ...(event.userMessage === null ? [] : [{ kind: 'text', text: event.userMessage } as const]),
        eventFacts(event),
      ],
      button: { label: 'Open the event', path: `/events/${event.eventId}` },
      note: `Replies to this e-mail do not reach ${sharedBy}.`,
    },
    brand,
  )
}
