import type { EventEmail } from '@benchwatch/contract/events/event-emails'
import type { UserActor } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import type { SupportEmailContent } from '../../db/schema/events.ts'
import { serviceEvents } from '../../db/scoped.ts'
import { type FollowedMessage, messageState } from '../message-state.ts'
import { ifFeatureIsOn, seesAddressOf } from '../users/users.lookup.ts'

/** An e-mail to one user about an event. */
interface NewEventEmail {
  senderId: number
  receiverId: number
  recipient: string
  recipientName: string
  subject: string
  body: string
  /** The message that carries the e-mail; its state shows when it was sent. */
  messageId: number | null
}

/** An e-mail with its time in the order of the list. */
type WrittenEmail = Omit<EventEmail, 'sentAt'> & { sentAt: Date | null; writtenAt: Date | null }

/**
 * Returns the e-mails about an event: its automatic support e-mail, and those by which users shared it. Unsent e-mails
 * come first, then the newest. The automatic e-mail is visible to users with AUTO_EMAIL, a shared one to its sender,
 * its receiver, support and admin. Undefined if the event is outside the caller's scope.
 */
export async function readEventEmails(
  db: Db,
  { id, caller }: { id: number; caller: UserActor },
): Promise<EventEmail[] | undefined> {
  const event = await serviceEvents(db, caller.scope)
    .where('e.id', '=', id)
    .select(['e.automatic_email as email', 'e.automatic_email_sent_at as sent_at'])
    .select(ifFeatureIsOn(db, { userId: caller.id, key: 'AUTO_EMAIL' }).as('shows_automatic'))
    .executeTakeFirst()
  if (!event) return undefined
  const sent = event.email && sentSupportEmail(event.email, event.sent_at)
  const automatic = event.shows_automatic ? (sent ?? (await unsentSupportEmail(db, id))) : undefined
  const emails = [...(await sharedEmails(db, { id, caller })), ...(automatic ? [automatic] : [])]
  const waiting = ({ sentAt }: WrittenEmail) => Number(sentAt === null)
  return emails
    .sort((a, b) => waiting(b) - waiting(a) || Number(b.sentAt ?? b.writtenAt) - Number(a.sentAt ?? a.writtenAt))
    .map(({ writtenAt: _order, sentAt, ...email }) => ({ ...email, sentAt: sentAt?.toISOString() ?? null }))
}

function sentSupportEmail(email: SupportEmailContent, sentAt: Date | null): WrittenEmail {
  return {
    sentAt,
    writtenAt: sentAt,
    state: 'sent',
    reason: null,
    to: email.email,
    contactName: email.contactName,
    subject: email.subject,
    body: email.body,
    automatic: true,
  }
}

/** Returns the unsent automatic support e-mail of an event, with the reason for the wait. */
async function unsentSupportEmail(db: Db, eventId: number): Promise<WrittenEmail | undefined> {
  const row = await db
    .selectFrom('support_email as s')
    .leftJoin('outbound_message as o', 'o.id', 's.message_id')
    .where('s.event_id', '=', eventId)
    .select([
      's.contact_email',
      's.contact_name',
      's.subject',
      's.body',
      's.created_at',
      's.is_held',
      's.withdrawn_reason',
      ...carriedBy('s'),
    ])
    .executeTakeFirst()
  return (
    row && {
      sentAt: null,
      writtenAt: row.created_at,
      ...stateOfSupportEmail({ ...row, isHeld: row.is_held, withdrawnReason: row.withdrawn_reason }),
      to: row.contact_email,
      contactName: row.contact_name,
      subject: row.subject,
      body: row.body,
      automatic: true,
    }
  )
}

/** Columns of the message that carries an e-mail of this table. */
const carriedBy = <Table extends 's' | 'm'>(table: Table) =>
  [
    `${table}.message_id as messageId`,
    'o.sent_at as sentAt',
    'o.failed_at as failedAt',
    'o.last_failure as lastFailure',
    'o.last_error as lastError',
  ] as const

async function sharedEmails(db: Db, { id, caller }: { id: number; caller: UserActor }): Promise<WrittenEmail[]> {
  const seesAll = caller.role === 'support' || caller.role === 'admin'
  const rows = await db
    .selectFrom('event_email as m')
    .leftJoin('outbound_message as o', 'o.id', 'm.message_id')
    .where('m.event_id', '=', id)
    .$if(!seesAll, (all) =>
      all.where((eb) => eb.or([eb('m.sender_id', '=', caller.id), eb('m.receiver_id', '=', caller.id)])),
    )
    .orderBy('m.id', 'desc')
    .select([
      'm.receiver_id',
      'm.recipient',
      'm.recipient_name',
      'm.subject',
      'm.body',
      'm.created_at',
      ...carriedBy('m'),
    ])
    .execute()
  return rows.map((row) => ({
    // Messages are deleted long after they were sent.
    sentAt: row.messageId === null ? row.created_at : row.sentAt,
    writtenAt: row.created_at,
    ...messageState(row, 'email'),
    to: seesAddressOf(caller, row.receiver_id) ? row.recipient : null,
    contactName: row.recipient_name,
    subject: row.subject,
    body: row.body,
    automatic: false,
  }))
}

/**
 * Returns the state of an automatic support e-mail that the event does not show as sent yet, and why it has not been
 * sent.
 */
export function stateOfSupportEmail(
  email: FollowedMessage & { isHeld: boolean; withdrawnReason: string | null },
): Pick<EventEmail, 'state' | 'reason'> {
  if (email.withdrawnReason !== null) return { state: 'withdrawn', reason: email.withdrawnReason }
  if (email.isHeld)
    return { state: 'held', reason: 'Held until the maintenance ends or the contact can receive e-mails again.' }
  // Written but not yet queued as a message, or sent a moment ago and not yet recorded on the event.
  if (email.messageId === null || email.sentAt !== null) return { state: 'waiting', reason: null }
  return messageState(email, 'email')
}

export async function insertEventEmails(
  trx: Trx,
  { eventId, emails, at }: { eventId: number; emails: readonly NewEventEmail[]; at: Date },
): Promise<void> {
  await trx
    .insertInto('event_email')
    .values(
      emails.map((email) => ({
        event_id: eventId,
        sender_id: email.senderId,
        receiver_id: email.receiverId,
        recipient: email.recipient,
        recipient_name: email.recipientName,
        subject: email.subject,
        body: email.body,
        created_at: at,
        message_id: email.messageId,
      })),
    )
    .execute()
}

/** Returns the customer of the event that a message shares, and its receiver (null: deleted); undefined if the event is deleted. */
export async function findSharedBy(
  db: Db,
  messageId: number,
): Promise<{ customerId: number; receiverId: number | null } | undefined> {
  return serviceEvents(db, 'all')
    .innerJoin('event_email as m', 'm.event_id', 'e.id')
    .where('m.message_id', '=', messageId)
    .select(['e.customer_id as customerId', 'm.receiver_id as receiverId'])
    .executeTakeFirst()
}
