import type { OutboxMessage } from '@benchwatch/contract/messages/messages'
import { type Selectable, sql } from 'kysely'
import type { Config } from '../../config.ts'
import type { Db, Trx } from '../../db/connect.ts'
import type { OutboundMessageTable } from '../../db/schema/messages.ts'
import type { DeliveryFailure } from '../../platform/messages/transports.ts'
import type { OutgoingMessage, OutgoingSms } from '../outgoing-messages.ts'

/** Headers of every e-mail, before those of its feature; they prevent out-of-office replies. */
export const automaticHeaders = { 'Auto-Submitted': 'auto-generated' }

export type StoredMessage = Selectable<OutboundMessageTable>
export type Channel = StoredMessage['channel']

/** Default period of attempts: mail servers usually recover within a day. */
const TRIED_MS = 24 * 3_600_000
/**
 * Lease of a message taken by a process, which renews it while sending: a mail server may take minutes. After the
 * lease, another process may take the message, because the first one must have died.
 */
const LEASE_MS = 2 * 60_000

/**
 * Removes direction-control characters, which in an instrument's name would reverse the rest of a subject or a line.
 * Right-to-left scripts do not need them.
 */
function withoutTurns(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
}

function rowOf(message: OutgoingMessage, at: Date) {
  const isMail = message.channel === 'email'
  return {
    channel: message.channel,
    recipient: message.to,
    subject: isMail ? withoutTurns(message.subject) : null,
    text: withoutTurns(message.text),
    html: isMail ? withoutTurns(message.html) : null,
    headers: JSON.stringify((isMail && message.headers) || {}),
    template: message.template,
    dedupe_key: message.dedupeKey ?? null,
    is_secret: message.isSecret ?? false,
    created_at: at,
    next_attempt_at: at,
    give_up_at: message.giveUpAt ?? new Date(at.getTime() + TRIED_MS),
    user_id: message.userId ?? null,
  }
}

/** Rows per statement, so that its parameters stay below the 65,535 of a PostgreSQL message. */
const ROWS_AT_ONCE = 1000

/** Inserts messages except those whose `dedupeKey` exists. Returns the ids in the given order, null for a duplicate. */
export async function insertMessages(
  trx: Trx,
  messages: readonly OutgoingMessage[],
  at: Date,
): Promise<(number | null)[]> {
  const ids: (number | null)[] = []
  for (let from = 0; from < messages.length; from += ROWS_AT_ONCE) {
    const some = messages.slice(from, from + ROWS_AT_ONCE)
    const rows = await trx
      .insertInto('outbound_message')
      .values(some.map((message) => rowOf(message, at)))
      .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
      .returning(['id', 'dedupe_key'])
      .execute()
    // Rows are returned in insertion order, so a missing row is a duplicate, recognised because the next row has
    // another key.
    let next = 0
    for (const { dedupeKey = null } of some) {
      const row = rows[next]
      const isWritten = row !== undefined && row.dedupe_key === dedupeKey
      ids.push(isWritten ? row.id : null)
      if (isWritten) next += 1
    }
  }
  return ids
}

/** Stores a text message that has already been sent. */
export async function insertSentMessage(
  db: Db,
  { message, keepContent, at }: { message: OutgoingSms; keepContent: boolean; at: Date },
): Promise<void> {
  await db
    .insertInto('outbound_message')
    .values({
      ...rowOf(message, at),
      ...(message.isSecret && !keepContent && { text: null }),
      attempts: 1,
      sent_at: at,
    })
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .execute()
}

/** Selects the message that has been due longest. */
function longestDue(db: Db, { channels, at }: { channels: readonly Channel[]; at: Date }) {
  return db
    .selectFrom('outbound_message')
    .select('id')
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('next_attempt_at', '<=', at)
    .where('give_up_at', '>=', at)
    .where('channel', 'in', channels)
    .orderBy('next_attempt_at')
    .limit(1)
}

/** Takes the message that has been due longest. No other process gets it until its lease has expired. */
export async function takeDueMessage(
  db: Db,
  { channels, at }: { channels: readonly Channel[]; at: Date },
): Promise<StoredMessage | undefined> {
  return db
    .updateTable('outbound_message')
    .set({ attempts: sql`attempts + 1`, next_attempt_at: new Date(at.getTime() + LEASE_MS) })
    .where('id', '=', longestDue(db, { channels, at }).forUpdate().skipLocked())
    .returningAll()
    .executeTakeFirst()
}

/** Renews the lease of a message. Does nothing if it was sent or failed in the meantime. */
export async function keepTaken(
  db: Db,
  { id, attempts, at }: { id: number; attempts: number; at: Date },
): Promise<void> {
  await db
    .updateTable('outbound_message')
    .set({ next_attempt_at: new Date(at.getTime() + LEASE_MS) })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .execute()
}

export async function hasDueMessage(
  db: Db,
  { channels, at }: { channels: readonly Channel[]; at: Date },
): Promise<boolean> {
  return (await longestDue(db, { channels, at }).executeTakeFirst()) !== undefined
}

/** Returns true if an e-mail older than `before` waits for an unreachable mail server. */
export async function hasUnreachableMail(db: Db, before: Date): Promise<boolean> {
  const row = await db
    .selectFrom('outbound_message')
    .select('id')
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('last_failure', '=', 'unreachable')
    .where('channel', '=', 'email')
    .where('created_at', '<', before)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const wiped = { subject: null, text: null, html: null }

/** Marks a message as sent: a transport has accepted it. */
export async function markSent(db: Db, { id, wipe, at }: { id: number; wipe: boolean; at: Date }): Promise<void> {
  await db
    .updateTable('outbound_message')
    .set({ sent_at: at, last_failure: null, last_error: null, ...(wipe && wiped) })
    .where('id', '=', id)
    .execute()
}

export interface FailedAttempt {
  id: number
  /** Null if no transport failed, but the message must not be sent any more. */
  failure: DeliveryFailure | null
  error: string
  /** Time of the next attempt; null gives up and wipes secrets in the message. */
  retryAt: Date | null
  at: Date
}

export async function markFailed(db: Db, { id, failure, error, retryAt, at }: FailedAttempt): Promise<void> {
  await db
    .updateTable('outbound_message')
    .set({ last_failure: failure, last_error: error, ...(retryAt ? { next_attempt_at: retryAt } : givenUp(at)) })
    .where('id', '=', id)
    .execute()
}

/**
 * Gives up messages that are past their useful time, tried or not: a late code would only confuse. Returns their
 * number; messages being sent at the moment are left alone.
 */
export async function giveUpOverdue(db: Db, at: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('outbound_message')
    .set({ last_error: sql`coalesce(last_error, 'It could not be sent in time.')`, ...givenUp(at) })
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('next_attempt_at', '<=', at)
    .where('give_up_at', '<', at)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Wipes the secret too, because the message will never be sent. */
function givenUp(at: Date) {
  const unlessSecret = (column: 'subject' | 'text' | 'html') =>
    sql<string | null>`CASE WHEN is_secret THEN NULL ELSE ${sql.ref(column)} END`
  return {
    failed_at: at,
    subject: unlessSecret('subject'),
    text: unlessSecret('text'),
    html: unlessSecret('html'),
  }
}

/** Returns a stable id, so that mail servers and readers recognise a repeat. */
export function messageIdOf(id: number, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  return `<outbound.${id}@${new URL(publicUrl).hostname}>`
}

/**
 * Checks the next `batch` messages by id that were created before `before`, and deletes those about no event that were
 * sent or given up. Returns the id of the last one that was checked; null after the end.
 */
export async function deleteOldMessages(
  db: Db,
  { before, after, batch }: { before: Date; after: number; batch: number },
): Promise<number | null> {
  const { rows } = await sql<{ last: number | null }>`
    WITH next AS MATERIALIZED (
      SELECT id FROM outbound_message WHERE id > ${after}::bigint AND created_at < ${before} ORDER BY id LIMIT ${batch}
    ), deleted AS (
      DELETE FROM outbound_message m USING next n
      WHERE m.id = n.id AND (m.sent_at IS NOT NULL OR m.failed_at IS NOT NULL)
        AND NOT EXISTS (SELECT FROM notification o WHERE o.message_id = m.id)
        AND NOT EXISTS (SELECT FROM event_email o WHERE o.message_id = m.id)
        AND NOT EXISTS (SELECT FROM support_email o WHERE o.message_id = m.id)
    )
    SELECT max(id) AS last FROM next`.execute(db)
  return rows[0]?.last ?? null
}

/** Number of messages shown; readers of an outbox want the latest. */
const SHOWN = 1000

/** Returns the messages that the demo transports accepted or will accept, oldest first; the newest 1,000. */
export async function readOutbox(db: Db, config: Pick<Config, 'mail' | 'publicUrl'>): Promise<OutboxMessage[]> {
  const rows = await db
    .selectFrom('outbound_message')
    .select(['id', 'channel', 'recipient', 'subject', 'text', 'html', 'headers', 'created_at', 'sent_at'])
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute()
  return rows.reverse().map((row) => ({
    id: String(row.id),
    channel: row.channel,
    to: row.recipient,
    subject: row.subject,
    text: row.text,
    html: row.html,
    headers:
      row.channel === 'sms'
        ? {}
        : { From: config.mail.from, 'Message-ID': messageIdOf(row.id, config), ...automaticHeaders, ...row.headers },
    createdAt: row.created_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
  }))
}
