import type { EventEmail } from '@benchwatch/contract/event-emails'
import type { UserActor } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { serviceEvents } from '../../db/scoped.ts'
import { seesAddressOf } from '../users/users.lookup.ts'

/**
 * Mails about an event: its automatic support e-mail, and those with which the caller or somebody else shared it. Those
 * that wait to be sent come first, then the newest. A shared one is shown to its sender, its receiver, support and admin.
 * Undefined when the caller's scope does not hold the event.
 */
export async function readEventEmails(
  db: Db,
  { id, caller }: { id: number; caller: UserActor },
): Promise<EventEmail[] | undefined> {
  const event = await serviceEvents(db, caller.scope)
    .where('e.id', '=', id)
    .select(['e.automatic_email as email', 'e.automatic_email_sent_at as sent_at'])
    .executeTakeFirst()
  if (!event) return undefined
  const automatic = event.email && {
    sentAt: event.sent_at,
    writtenAt: event.sent_at,
    to: event.email.email,
    contactName: event.email.contactName,
    subject: event.email.subject,
    body: event.email.body,
    automatic: true,
  }
  const emails = [...(await sharedEmails(db, { id, caller })), ...(automatic ? [automatic] : [])]
  const waiting = ({ sentAt }: (typeof emails)[number]) => Number(sentAt === null)
  return emails
    .sort((a, b) => waiting(b) - waiting(a) || Number(b.sentAt ?? b.writtenAt) - Number(a.sentAt ?? a.writtenAt))
    .map(({ writtenAt: _order, sentAt, ...email }) => ({ ...email, sentAt: sentAt?.toISOString() ?? null }))
}

async function sharedEmails(db: Db, { id, caller }: { id: number; caller: UserActor }) {
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
      ...(['m.receiver_id', 'm.recipient', 'm.recipient_name', 'm.subject', 'm.body'] as const),
      ...(['m.created_at', 'm.message_id', 'o.sent_at'] as const),
    ])
    .execute()
  return rows.map((row) => ({
    // Messages are forgotten long after they have left.
    sentAt: row.message_id === null ? row.created_at : row.sent_at,
    writtenAt: row.created_at,
    to: seesAddressOf(caller, row.receiver_id) ? row.recipient : null,
    contactName: row.recipient_name,
    subject: row.subject,
    body: row.body,
    automatic: false,
  }))
}
