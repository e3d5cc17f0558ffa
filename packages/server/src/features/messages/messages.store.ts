import type { OutboxMessage } from '@benchwatch/contract/messages'
import { type Selectable, sql } from 'kysely'
import type { Config } from '../../config.ts'
import type { Db, Trx } from '../../db/connect.ts'
import type { OutboundMessageTable } from '../../db/schema/messages.ts'
import type { DeliveryFailure } from '../../platform/messages/transports.ts'
import type { OutgoingMessage, OutgoingSms } from '../outgoing-messages.ts'

/** Of every mail, before those that its feature adds: no out-of-office notice comes back for it. */
export const automaticHeaders = { 'Auto-Submitted': 'auto-generated' }

export type StoredMessage = Selectable<OutboundMessageTable>
export type Channel = StoredMessage['channel']

/** How long a message is tried unless it says otherwise: mail servers that are down come back within a day. */
const TRIED_MS = 24 * 3_600_000
/**
 * How long a message that was taken stays with its process, which says again and again that it is at it: a mail server may
 * take minutes. After it the message may be taken again, because its process must be gone.
 */
const LEASE_MS = 2 * 60_000

/**
 * Without the characters that turn the direction of what follows: in a name that an instrument tells they would let the rest
 * of a subject or a line read backwards. Scripts that run from right to left do so by themselves.
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

/** Rows of one statement: its parameters stay below the 65,535 of a PostgreSQL message. */
const ROWS_AT_ONCE = 1000

/** Repeats of a `dedupeKey` are left out. Returns the id of each message in the order given, null for a repeat. */
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
    // Rows are written in their order, so a row that is missing is a repeat: told by the key, which the next row lacks.
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

/** Notes a text message that has left already. */
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

/** The message that has been due for longest. */
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

/** Takes the message that has been due for longest; nobody else gets it before its attempt must be over. */
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

/** The attempt that is under way still is. Does nothing to a message that has left or failed meanwhile. */
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

/** Whether a mail older than this waits because the transport can't be reached. */
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

/** A transport has it. */
export async function markSent(db: Db, { id, wipe, at }: { id: number; wipe: boolean; at: Date }): Promise<void> {
  await db
    .updateTable('outbound_message')
    .set({ sent_at: at, last_failure: null, last_error: null, ...(wipe && wiped) })
    .where('id', '=', id)
    .execute()
}

export interface FailedAttempt {
  id: number
  /** Null where nobody outside failed: it was not to leave any more. */
  failure: DeliveryFailure | null
  error: string
  /** When to try again; null gives it up, and what is secret in it is wiped. */
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
 * Gives up what waited for longer than it is of use, whether or not it was ever tried: a code that came too late would
 * only confuse. Returns how many; what is being sent right now is left alone.
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

/** Nobody sends it any more, so nobody needs the secret in it. */
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

/** Stable for one message, so that a mail server or a reader can tell a repeat from a second mail. */
export function messageIdOf(id: number, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  return `<outbound.${id}@${new URL(publicUrl).hostname}>`
}

/** An outbox is looked at for what came last. */
const SHOWN = 1000

/** What the demo's transports took or are about to take, oldest first; the newest 1,000. */
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
