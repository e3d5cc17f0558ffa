import { sql } from 'kysely'
import { recordAudits } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { announce } from '../../db/queues/outbox.ts'
import { updateMessage } from '../events/change-record.ts'
import { lockServiceEvents } from '../events/events.store.ts'

/** Template name of messages with support e-mails, used to count and follow them. */
export const SUPPORT_EMAIL_MESSAGE = 'support-email'

export interface NewSupportEmail {
  eventId: number
  instrumentId: number
  templateId: string
  contactEmail: string
  contactName: string | null
  subject: string
  body: string
  closesEvent: boolean
  isHeld: boolean
}

/**
 * Adds the e-mail of each event and returns the events that had none. Each event has at most one, even if this is
 * repeated.
 */
export async function insertSupportEmails(
  trx: Trx,
  { emails, at }: { emails: readonly NewSupportEmail[]; at: Date },
): Promise<Set<number>> {
  if (emails.length === 0) return new Set()
  const rows = await trx
    .insertInto('support_email')
    .values(
      emails.map((email) => ({
        event_id: email.eventId,
        instrument_id: email.instrumentId,
        template_id: email.templateId,
        contact_email: email.contactEmail,
        contact_name: email.contactName,
        subject: email.subject,
        body: email.body,
        closes_event: email.closesEvent,
        created_at: at,
        is_held: email.isHeld,
      })),
    )
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .returning('event_id')
    .execute()
  return new Set(rows.map(({ event_id }) => event_id))
}

/** Stores which message carries the e-mails, or that they are held, with their current texts and contact. */
export async function carrySupportEmails(
  trx: Trx,
  emails: readonly (NewSupportEmail & { messageId: number | null })[],
): Promise<void> {
  if (emails.length === 0) return
  const of = <T>(pick: (email: NewSupportEmail & { messageId: number | null }) => T) => emails.map(pick)
  await sql`
    UPDATE support_email s SET contact_email = n.contact_email, contact_name = n.contact_name, subject = n.subject,
      body = n.body, closes_event = n.closes_event, is_held = n.is_held, message_id = n.message_id
    FROM unnest(
      ${of((email) => email.eventId)}::bigint[], ${of((email) => email.contactEmail)}::text[],
      ${of((email) => email.contactName)}::text[], ${of((email) => email.subject)}::text[],
      ${of((email) => email.body)}::text[], ${of((email) => email.closesEvent)}::boolean[],
      ${of((email) => email.isHeld)}::boolean[], ${of((email) => email.messageId)}::bigint[]
    ) AS n (event_id, contact_email, contact_name, subject, body, closes_event, is_held, message_id)
    WHERE s.event_id = n.event_id`.execute(trx)
}

export async function withdrawSupportEmails(
  trx: Trx,
  { withdrawn, at }: { withdrawn: readonly { eventId: number; reason: string }[]; at: Date },
): Promise<void> {
  if (withdrawn.length === 0) return
  await sql`
    UPDATE support_email s SET is_held = false, message_id = NULL, withdrawn_reason = w.reason, settled_at = ${at}
    FROM unnest(${withdrawn.map(({ eventId }) => eventId)}::bigint[], ${withdrawn.map(({ reason }) => reason)}::text[])
      AS w (event_id, reason)
    WHERE s.event_id = w.event_id`.execute(trx)
}

/** Locks the open e-mails in this message and returns their events. */
export async function lockCarried(
  trx: Trx,
  messageId: number,
): Promise<{ eventId: number; contactEmail: string; closesEvent: boolean }[]> {
  return trx
    .selectFrom('support_email')
    .select(['event_id as eventId', 'contact_email as contactEmail', 'closes_event as closesEvent'])
    .where('message_id', '=', messageId)
    .where('settled_at', 'is', null)
    .orderBy('event_id')
    .forUpdate()
    .execute()
}

/** Removes e-mails from their message, so that they are decided again. */
export async function holdAgain(trx: Trx, eventIds: readonly number[]): Promise<void> {
  await trx
    .updateTable('support_email')
    .set({ is_held: true, message_id: null })
    .where(sql<boolean>`event_id = ANY(${[...eventIds]}::bigint[])`)
    .execute()
}

export async function settleSupportEmails(
  trx: Trx,
  { eventIds, at }: { eventIds: readonly number[]; at: Date },
): Promise<void> {
  await trx
    .updateTable('support_email')
    .set({ settled_at: at })
    .where(sql<boolean>`event_id = ANY(${[...eventIds]}::bigint[])`)
    .execute()
}

/** Returns the contacts with held e-mails and the instruments concerned, optionally only for these contacts. */
export async function readHeld(
  db: Db,
  contactEmails?: readonly string[],
): Promise<{ contactEmail: string; instrumentId: number }[]> {
  return db
    .selectFrom('support_email')
    .select(['contact_email as contactEmail', 'instrument_id as instrumentId'])
    .distinct()
    .where('settled_at', 'is', null)
    .where('is_held', '=', true)
    .$if(contactEmails !== undefined, (some) =>
      some.where(sql<boolean>`contact_email = ANY(${[...(contactEmails ?? [])]}::text[])`),
    )
    .execute()
}

/** Locks a contact's oldest held e-mails about these instruments and returns their events. */
export async function lockHeld(
  trx: Trx,
  { contactEmail, instrumentIds, limit }: { contactEmail: string; instrumentIds: readonly number[]; limit: number },
): Promise<number[]> {
  const rows = await trx
    .selectFrom('support_email')
    .select('event_id')
    .where('settled_at', 'is', null)
    .where('is_held', '=', true)
    .where('contact_email', '=', contactEmail)
    .where(sql<boolean>`instrument_id = ANY(${[...instrumentIds]}::int[])`)
    .orderBy('event_id')
    .limit(limit)
    .forUpdate()
    .execute()
  return rows.map(({ event_id }) => event_id)
}

/** Returns messages that were sent but are not yet noted on their events, with the time of sending. */
export async function readUnnoted(db: Db, limit: number): Promise<{ messageId: number; sentAt: Date }[]> {
  const { rows } = await sql<{ messageId: number; sentAt: Date }>`
    SELECT DISTINCT o.id AS "messageId", o.sent_at AS "sentAt"
    FROM support_email s JOIN outbound_message o ON o.id = s.message_id
    WHERE s.settled_at IS NULL AND o.sent_at IS NOT NULL
    ORDER BY o.id LIMIT ${limit}`.execute(db)
  return rows
}

/** Settles the e-mails whose message was given up, because nothing more happens to them. */
export async function settleGivenUp(db: Db, at: Date): Promise<void> {
  await sql`
    UPDATE support_email s SET settled_at = ${at}
    FROM outbound_message o
    WHERE s.settled_at IS NULL AND o.id = s.message_id AND o.failed_at IS NOT NULL`.execute(db)
}

/** Counts the support e-mails written to each contact since then. A list counts once; every contact has an entry. */
export async function countWritten(
  db: Db,
  { contactEmails, since }: { contactEmails: readonly string[]; since: Date },
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('outbound_message')
    .select((eb) => ['recipient', eb.fn.countAll<number>().as('count')])
    // Literal, to match the condition of the index; a parameter might not.
    .where('template', '=', sql.lit(SUPPORT_EMAIL_MESSAGE))
    .where(sql<boolean>`recipient = ANY(${[...contactEmails]}::text[])`)
    .where('created_at', '>', since)
    .where('failed_at', 'is', null)
    .groupBy('recipient')
    .execute()
  return new Map(rows.map(({ recipient, count }) => [recipient, Number(count)]))
}

/**
 * Stores on these events when their e-mail was sent and to whom, with audit log and live message. Skips events that
 * already have it.
 */
export async function noteAutomaticEmails(
  trx: Trx,
  { eventIds, at }: { eventIds: readonly number[]; at: Date },
): Promise<void> {
  const locked = await lockServiceEvents(trx, { ids: eventIds, scope: 'all' })
  const { rows } = await sql<{ id: number; version: number }>`
    UPDATE service_event e SET
      automatic_email = jsonb_build_object(
        'contactName', s.contact_name, 'email', s.contact_email, 'subject', s.subject, 'body', s.body),
      automatic_email_sent_at = ${at}, version = e.version + 1
    FROM support_email s
    WHERE s.event_id = e.id AND e.id = ANY(${[...eventIds]}::bigint[]) AND e.automatic_email_sent_at IS NULL
    RETURNING e.id, e.version`.execute(trx)
  const versions = new Map(rows.map(({ id, version }) => [id, version]))
  const noted = locked.flatMap((event) => {
    const version = versions.get(event.id)
    return version === undefined ? [] : [{ ...event, version }]
  })
  const sentAt = at.toISOString()
  await recordAudits(
    trx,
    noted.map(({ id }) => ({
      subject: { entityType: 'service_event', entityId: String(id), actor: { type: 'system' }, at },
      entries: [{ action: 'update', property: 'automaticEmailSentAt', oldValue: null, newValue: sentAt }],
    })),
  )
  await announce(
    trx,
    noted.map((event) => updateMessage(event, 'automaticEmailSentAt', { automaticEmailSentAt: sentAt })),
  )
}
