import type { NotificationKind } from '@benchwatch/contract/vocabulary'
import { type SeededRandom, seededRandom } from '@benchwatch/samples/seeded-random'
import { sql } from 'kysely'
import type { Trx } from '../db/connect.ts'
import { serviceEvents } from '../db/scoped.ts'
import { readServiceEvents } from '../features/events/events.queries.ts'
import { instrumentsInMaintenance } from '../features/maintenance/maintenance.lookup.ts'
import { addMaintenance } from '../features/maintenance/maintenance.store.ts'
import type { MailBrand } from '../features/messages/mail-frame.ts'
import { eventMail } from '../features/notifications/notification-mails.ts'
import { templates } from '../features/notifications/notification-texts.ts'
import { decide, type PreparedRecipient, prepare } from '../features/profiles/decision.ts'
import { type AnnouncedEvent, readNotifiedEvents } from '../features/profiles/event-facts.queries.ts'
import { readRecipients } from '../features/profiles/profiles.queries.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Enough mails to fill some pages of the notification history, but not the outbox. */
const TOLD_MS = 48 * HOUR_MS
/** More events than these hours contain. */
const MOST_EVENTS = 10_000
/** One of this many mails is refused by its server, and one is delivered only after retries. */
const REFUSED_EVERY = 30
const DELAYED_EVERY = 20
/** For an instrument whose maintenance has just begun: the notifications of its newest event are held back. */
const HELD_WITHIN_MS = 12 * HOUR_MS

/** A notification that was sent or is to be sent. */
interface Notifying {
  kind: NotificationKind
  event: AnnouncedEvent
  recipient: PreparedRecipient
  /** Version of the event after the assignment, and the name of the user who assigned it. */
  version: number
  assignedBy: string | null
  at: Date
}

/**
 * Writes the notifications that these users got in the last two days by their current profiles, decided and worded by
 * the same code as in the running product. A mail server refused some of them, and some wait for the end of a
 * maintenance.
 */
export async function writeNotifications(
  trx: Trx,
  { userIds, brand, seed, now }: { userIds: readonly number[]; brand: MailBrand; seed: string; now: Date },
): Promise<void> {
  const since = new Date(now.getTime() - TOLD_MS)
  const recipients = (await readRecipients(trx, userIds)).map((recipient) => prepare(recipient, { hasSms: true }))
  const told = [
    ...(await toldOfNewEvents(trx, { recipients, since })),
    ...(await toldOfAssignments(trx, { recipients, since })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime())
  const held = await holdSome(trx, { told, now })
  const random = seededRandom(`${seed}/notifications`)
  const sent = told.filter((one) => !held.has(one))
  await insertNotifications(
    trx,
    [...held].map((one) => ({ ...rowOf(one), waits_for: 'maintenance' as const })),
  )
  const messageIds = await insertMails(trx, { sent, brand, random })
  await insertNotifications(
    trx,
    sent.map((one, index) => ({ ...rowOf(one), message_id: messageIds[index] ?? null })),
  )
}

async function toldOfNewEvents(
  trx: Trx,
  { recipients, since }: { recipients: readonly PreparedRecipient[]; since: Date },
): Promise<Notifying[]> {
  const kind = 'new_event_notification'
  const events = await readNotifiedEvents(trx, { scope: 'all', since, before: null, limit: MOST_EVENTS })
  return events.flatMap((event) =>
    recipients
      .filter((recipient) => decide(recipient, { kind, event }) === null)
      .map((recipient) => ({ kind, event, recipient, version: 0, assignedBy: null, at: event.createdAt })),
  )
}

async function toldOfAssignments(
  trx: Trx,
  { recipients, since }: { recipients: readonly PreparedRecipient[]; since: Date },
): Promise<Notifying[]> {
  const kind = 'assign_me_notification'
  // Each moment at which a user changed an event is a version of it.
  const { rows } = await sql<{ eventId: number; userId: number; byId: number; by: string; at: Date; version: number }>`
    SELECT a.entity_id::bigint AS "eventId", a.new_value::int AS "userId", a.actor_id::int AS "byId",
      a.actor_name AS by, a.at,
      1 + (SELECT count(DISTINCT b.at)::int FROM audit b
        WHERE b.entity_type = a.entity_type AND b.entity_id = a.entity_id AND b.at <= a.at) AS version
    FROM audit a
    WHERE a.entity_type = 'service_event' AND a.property = 'claimedBy' AND a.actor_type = 'user'
      AND a.new_value = ANY(${recipients.map(({ userId }) => String(userId))}::text[]) AND a.at >= ${since}`.execute(
    trx,
  )
  const ids = [...new Set(rows.map(({ eventId }) => eventId))]
  const events = new Map((await readNotifiedEvents(trx, { scope: 'all', ids })).map((event) => [event.id, event]))
  return rows.flatMap(({ eventId, userId, byId, by, at, version }) => {
    const event = events.get(eventId)
    const recipient = recipients.find((one) => one.userId === userId)
    if (!event || !recipient || decide(recipient, { kind, event, assignment: { userId, byId } }) !== null) return []
    return [{ kind, event, recipient, version, assignedBy: by, at }]
  })
}

/**
 * Puts the instrument of each user's newest event into a maintenance that began before the event and lasts some more
 * hours; returns all notifications that wait for its end.
 */
async function holdSome(trx: Trx, { told, now }: { told: readonly Notifying[]; now: Date }): Promise<Set<Notifying>> {
  const recent = told.filter(
    ({ kind, at }) => kind === 'new_event_notification' && at.getTime() > now.getTime() - HELD_WITHIN_MS,
  )
  const places = await instrumentsOf(trx, recent)
  const instrumentIds = [...new Set(places.values())]
  const taken = await instrumentsInMaintenance(trx, { instrumentIds, now })
  const begun = new Map<number, Date>()
  for (const some of Map.groupBy(recent.toReversed(), ({ recipient }) => recipient.userId).values()) {
    const newest = some.find(({ event }) => places.has(event.id) && !taken.has(places.get(event.id) ?? 0))
    const instrumentId = newest && places.get(newest.event.id)
    if (!newest || instrumentId === undefined || begun.has(instrumentId)) continue
    const start = new Date(newest.at.getTime() - 30 * MINUTE_MS)
    const window = { start, end: new Date(now.getTime() + 5 * HOUR_MS), reason: 'Pump heads replaced' }
    await addMaintenance(trx, { instrumentId, input: { ...window, rrule: null, timeZone: null }, now })
    begun.set(instrumentId, start)
  }
  const held = recent.filter(({ event, at }) => {
    const start = begun.get(places.get(event.id) ?? 0)
    return start !== undefined && at >= start
  })
  const ids = held.map(({ event }) => event.id)
  await sql`UPDATE service_event SET during_maintenance = true WHERE id = ANY(${ids}::bigint[])`.execute(trx)
  return new Set(held)
}

/** Returns the instruments of these events; edge issues have none. */
async function instrumentsOf(trx: Trx, told: readonly Notifying[]): Promise<Map<number, number>> {
  const rows = await serviceEvents(trx, 'all')
    .where(sql<boolean>`e.id = ANY(${told.map(({ event }) => event.id)}::bigint[])`)
    .where('e.instrument_id', 'is not', null)
    .select(['e.id', sql<number>`e.instrument_id`.as('instrument_id')])
    .execute()
  return new Map(rows.map(({ id, instrument_id }) => [id, instrument_id]))
}

function rowOf({ kind, event, recipient, version, at }: Notifying) {
  const [way] = recipient.ways[kind]
  return {
    event_id: event.id,
    user_id: recipient.userId,
    kind,
    version,
    channel: way?.channel ?? 'email',
    recipient: way?.to ?? recipient.loginEmail,
    decided_at: at,
  } as const
}

/** Writes the mails as sent, oldest first. Returns their ids in the same order. */
async function insertMails(
  trx: Trx,
  { sent, brand, random }: { sent: readonly Notifying[]; brand: MailBrand; random: SeededRandom },
): Promise<number[]> {
  if (sent.length === 0) return []
  const ids = [...new Set(sent.map(({ event }) => event.id))]
  const events = new Map(
    (await readServiceEvents(trx, { ids, scope: 'all' })).map((event) => [Number(event.id), event]),
  )
  const rows = sent.flatMap((one, index) => {
    const event = events.get(one.event.id)
    if (!event) return []
    const alertStatus = one.kind === 'new_event_notification' ? ('1_NEW' as const) : ('2_IN_PROGRESS' as const)
    const { subject, text, html } = eventMail({ ...one, event: { ...event, alertStatus } }, brand)
    return [
      {
        channel: 'email' as const,
        recipient: rowOf(one).recipient,
        subject,
        text,
        html,
        headers: JSON.stringify({}),
        user_id: one.recipient.userId,
        template: one.kind === 'new_event_notification' ? templates.newEvent : templates.assigned,
        created_at: one.at,
        give_up_at: new Date(one.at.getTime() + 24 * HOUR_MS),
        ...courseOf(one, { index, random }),
      },
    ]
  })
  const inserted = await trx.insertInto('outbound_message').values(rows).returning('id').execute()
  return inserted.map(({ id }) => id)
}

/**
 * Returns the delivery of a mail. Nearly all are sent within seconds; some are retried, and some about new events
 * fail.
 */
function courseOf({ kind, at }: Notifying, { index, random }: { index: number; random: SeededRandom }) {
  const after = (ms: number) => new Date(at.getTime() + ms)
  if (kind === 'new_event_notification' && index % REFUSED_EVERY === 7) {
    const error = "Can't send mail - all recipients were rejected: 552 5.2.2 The mailbox is full"
    return {
      attempts: 1,
      next_attempt_at: after(900),
      failed_at: after(900),
      last_failure: 'refused' as const,
      last_error: error,
    }
  }
  const isDelayed = index % DELAYED_EVERY === 11
  const leftAt = after(isDelayed ? 3 * MINUTE_MS + random.integer(0, 9000) : random.integer(400, 2500))
  return { attempts: isDelayed ? 3 : 1, next_attempt_at: leftAt, sent_at: leftAt }
}

async function insertNotifications(
  trx: Trx,
  rows: readonly (ReturnType<typeof rowOf> & { message_id?: number | null; waits_for?: 'maintenance' })[],
): Promise<void> {
  if (rows.length > 0)
    await trx
      .insertInto('notification')
      .values([...rows])
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}
