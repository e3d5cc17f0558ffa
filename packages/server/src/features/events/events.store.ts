import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import { advisoryLocks, takeAdvisoryLock } from '../../db/advisory-locks.ts'
import type { Db, Trx } from '../../db/connect.ts'
import type { Announcement } from '../../db/queues/outbox.ts'
import { runAt } from '../../db/runs.ts'
import { serviceEvents } from '../../db/scoped.ts'
import { intArray } from '../../db/sql/int-array.ts'
import { severityCodes } from '../../db/sql/severity.ts'
import { inTransaction } from '../../db/transaction.ts'
import { foldedText, type NewServiceEvent, updateMessage } from './change-record.ts'
import { alertStatusCodes, alertStatusOf, closeReasonCode, closeReasonOf, SYSTEM_USER_ID } from './event-codes.ts'
import type { ServiceEventState } from './status.ts'

/**
 * Stores new events together with their origins and pending notifications in one statement, so readers never see one
 * without the others. Returns the id of each event by its position in `events`. A missing position means that an open,
 * uncleared event of the same alarm already exists (the latch), possibly one of this call. Ids grow in the given
 * order.
 *
 * One statement with arrays stores 25,000 events per second in batches of 500 with a million events stored, a quarter
 * more than a list of values. No row is hot: a shared counter row would halve the rate.
 */
export async function insertServiceEvents(db: Db, events: readonly NewServiceEvent[]): Promise<Map<number, number>> {
  if (events.length === 0) return new Map()
  const of = <T>(pick: (event: NewServiceEvent) => T) => events.map(pick)
  const { rows } = await sql<{ position: number; id: number }>`
    WITH shared AS MATERIALIZED (
      SELECT pg_advisory_xact_lock_shared(${advisoryLocks.eventOrigins})
    ), given AS MATERIALIZED (
      SELECT g.*, nextval('service_event_id_seq') AS id
      FROM unnest(
        ${of((e) => e.createdAt)}::timestamptz[], ${of((e) => e.logGeneratedAt)}::timestamptz[],
        ${of((e) => e.clearedAt ?? null)}::timestamptz[], ${of((e) => e.alertId)}::text[],
        ${of((e) => e.templateId)}::text[], ${of((e) => severityCodes[e.severity])}::smallint[],
        ${of((e) => e.alertType)}::smallint[], ${of((e) => e.alertSource)}::text[],
        ${of((e) => e.isEdgeIssue ?? false)}::boolean[], ${of((e) => e.description)}::text[],
        ${of((e) => e.userMessage)}::text[], ${of((e) => foldedText(e.description, e.userMessage))}::text[],
        ${of((e) => e.instrumentId)}::int[], ${of((e) => e.componentId)}::int[], ${of((e) => e.gatewayId)}::int[],
        ${of((e) => e.siteId)}::int[], ${of((e) => e.customerId)}::int[],
        ${of((e) => e.instrumentStatusAtEvent)}::text[], ${of((e) => e.fullSupport)}::boolean[],
        ${of((e) => e.duringMaintenance ?? false)}::boolean[]
      ) WITH ORDINALITY AS g (created_at, log_generated_at, cleared_at, alert_id, template_id, severity, alert_type,
        alert_source, is_edge_issue, description, user_message, text_folded, instrument_id, component_id, gateway_id,
        site_id, customer_id, instrument_status_at_event, full_support, during_maintenance, position)
    ), timed AS (
      SELECT given.*, ${runAt(sql.ref('given.log_generated_at'), sql.ref('given.customer_id'))} AS run_id
      FROM given LEFT JOIN instrument i ON i.id = given.instrument_id
    ), inserted AS (
      INSERT INTO service_event (id, created_at, log_generated_at, cleared_at, alert_id, template_id, severity,
        alert_type, alert_source, is_edge_issue, description, user_message, text_folded, instrument_id, component_id,
        gateway_id, site_id, customer_id, instrument_status_at_event, full_support, during_maintenance, last_action_at,
        run_id)
      SELECT id, created_at, log_generated_at, cleared_at, alert_id, template_id, severity,
        alert_type, alert_source, is_edge_issue, description, user_message, text_folded, instrument_id, component_id,
        gateway_id, site_id, customer_id, instrument_status_at_event, full_support, during_maintenance, created_at,
        run_id
      FROM timed, shared ORDER BY position
      ON CONFLICT DO NOTHING
      RETURNING id, created_at, component_id, site_id, customer_id
    ), known AS (
      INSERT INTO event_origin (customer_id, site_id, component_id)
      SELECT DISTINCT customer_id, site_id, coalesce(component_id, 0) FROM inserted ORDER BY 1, 2, 3
      ON CONFLICT DO NOTHING
    ), queued AS (
      INSERT INTO pending_notification (event_id, kind, at)
      SELECT id, 'new_event_notification', created_at FROM inserted ORDER BY id
    )
    SELECT given.position::int - 1 AS position, inserted.id FROM inserted JOIN given USING (id) ORDER BY 1`.execute(db)
  return new Map(rows.map(({ position, id }) => [position, id]))
}

/** Origin of an event. Filters offer the names of these. */
export interface EventOrigin {
  customerId: number
  siteId: number
  componentId: number | null
}

/**
 * Forgets the origins of deleted events that no other event has. Waits for inserts that are in flight, because one of
 * them may rely on an origin that is already there; inserts wait until this transaction ends.
 */
export async function forgetOrigins(trx: Trx, events: readonly EventOrigin[]): Promise<void> {
  if (events.length === 0) return
  await takeAdvisoryLock(trx, 'eventOrigins')
  const of = (pick: (event: EventOrigin) => number) => intArray(events.map(pick))
  await sql`
    DELETE FROM event_origin AS o
    USING (SELECT DISTINCT * FROM unnest(${of((e) => e.customerId)}, ${of((e) => e.siteId)},
      ${of((e) => e.componentId ?? 0)}) AS g (customer_id, site_id, component_id)) AS gone
    WHERE (o.customer_id, o.site_id, o.component_id) = (gone.customer_id, gone.site_id, gone.component_id)
      AND NOT EXISTS (${serviceEvents(trx, 'all')
        .whereRef('e.customer_id', '=', sql.ref('o.customer_id'))
        .whereRef('e.site_id', '=', sql.ref('o.site_id'))
        .where(sql<boolean>`coalesce(e.component_id, 0) = o.component_id`)
        .select(sql`1`.as('one'))})`.execute(trx)
}

/** Finds the origins of all events, for events that came in by COPY. */
export async function findOrigins(trx: Trx): Promise<void> {
  await sql`INSERT INTO event_origin (customer_id, site_id, component_id)
    ${serviceEvents(trx, 'all')
      .select(['e.customer_id', 'e.site_id', sql`coalesce(e.component_id, 0)`.as('component_id')])
      .distinct()}
    ON CONFLICT DO NOTHING`.execute(trx)
}

/** The data that a change needs of an event: its state, and the audience. */
export type LockedServiceEvent = Awaited<ReturnType<typeof lockServiceEvents>>[number]

/**
 * Locks these events, as far as they are in scope, until the transaction ends, and returns them by id. Changes of
 * other events and readers do not wait for the lock. All writers lock in order of ids, so there are no deadlocks.
 */
export async function lockServiceEvents(trx: Trx, { ids, scope }: { ids: readonly number[]; scope: DataScope }) {
  const isRequested = sql<boolean>`e.id = ANY(${[...ids]}::bigint[])`
  const locked = await serviceEvents(trx, scope)
    .where(isRequested)
    .orderBy('e.id')
    .select('e.id')
    .forNoKeyUpdate()
    .execute()
  if (locked.length === 0) return []
  // Read in a separate statement: a join in the locking statement would return names from before it waited for another
  // change.
  const rows = await serviceEvents(trx, scope)
    .leftJoin('instrument as i', 'i.id', 'e.instrument_id')
    .leftJoin('gateway as g', 'g.id', 'e.gateway_id')
    .leftJoin('app_user as u', 'u.id', 'e.claimed_by')
    .where(isRequested)
    .orderBy('e.id')
    .select([
      'e.id',
      'e.version',
      'e.customer_id',
      'e.alert_status',
      'e.claimed_by',
      'e.reason_closed',
      'e.reason_closed_comment',
      'e.service_max_case_number',
      'e.service_max_url',
      'u.name as owner_name',
      // For an edge issue, the gateway's own.
      sql<string>`coalesce(i.installed_product_id, g.installed_product_id, '')`.as('installed_product_id'),
    ])
    .execute()
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    customerId: row.customer_id,
    ownerName: row.owner_name,
    installedProductId: row.installed_product_id,
    state: {
      alertStatus: alertStatusOf(row.alert_status),
      claimedBy: row.claimed_by,
      reasonClosed: closeReasonOf(row.reason_closed),
      reasonClosedComment: row.reason_closed_comment,
      serviceMaxCaseNumber: row.service_max_case_number,
      serviceMaxUrl: row.service_max_url,
    },
  }))
}

/** Locks one event; undefined if it is outside the scope. */
export async function lockServiceEvent(
  trx: Trx,
  { id, scope }: { id: number; scope: DataScope },
): Promise<LockedServiceEvent | undefined> {
  const [event] = await lockServiceEvents(trx, { ids: [id], scope })
  return event
}

/** Writes the new states, each as the next version. The rows must be locked by `lockServiceEvents`. */
export async function writeServiceEvents(
  trx: Trx,
  { changes, at }: { changes: readonly { id: number; state: ServiceEventState }[]; at: Date },
): Promise<void> {
  if (changes.length === 0) return
  const of = <T>(pick: (state: ServiceEventState) => T) => changes.map(({ state }) => pick(state))
  const closed = alertStatusCodes['3_CLOSED']
  await sql`
    UPDATE service_event e SET alert_status = n.alert_status, claimed_by = n.claimed_by,
      reason_closed = n.reason_closed, reason_closed_comment = n.reason_closed_comment,
      service_max_case_number = n.service_max_case_number, service_max_url = n.service_max_url,
      version = e.version + 1, last_action_at = ${at}::timestamptz,
      claimed_at = CASE WHEN n.claimed_by IS NOT NULL
        THEN coalesce(e.claimed_at, CASE WHEN n.claimed_by <> ${SYSTEM_USER_ID} THEN ${at}::timestamptz END) END,
      closed_at = CASE WHEN n.alert_status = ${closed} AND e.alert_status <> ${closed} THEN ${at}::timestamptz
        ELSE e.closed_at END,
      closed_version = CASE WHEN n.alert_status = ${closed} AND e.alert_status <> ${closed} THEN e.version + 1
        ELSE e.closed_version END
    FROM unnest(${changes.map(({ id }) => id)}::bigint[], ${of((state) => alertStatusCodes[state.alertStatus])}::smallint[],
      ${of((state) => state.claimedBy)}::int[], ${of((state) => closeReasonCode(state.reasonClosed))}::smallint[],
      ${of((state) => state.reasonClosedComment)}::text[], ${of((state) => state.serviceMaxCaseNumber)}::text[],
      ${of((state) => state.serviceMaxUrl)}::text[]
    ) AS n (id, alert_status, claimed_by, reason_closed, reason_closed_comment, service_max_case_number, service_max_url)
    WHERE e.id = n.id`.execute(trx)
}

/** Queues notifications about assignments. */
export async function noteAssignments(
  trx: Trx,
  { assignments, at }: { assignments: readonly { eventId: number; userId: number; version: number }[]; at: Date },
): Promise<void> {
  if (assignments.length === 0) return
  await trx
    .insertInto('pending_notification')
    .values(
      assignments.map(({ eventId, userId, version }) => ({
        event_id: eventId,
        kind: 'assign_me_notification' as const,
        user_id: userId,
        version,
        at,
      })),
    )
    .execute()
}

/** Marks these events as returned to normal, and returns the live messages about it. */
export async function clearServiceEvents(
  trx: Trx,
  { ids, at }: { ids: readonly number[]; at: Date },
): Promise<Announcement[]> {
  if (ids.length === 0) return []
  const events = (await lockServiceEvents(trx, { ids, scope: 'all' })).map(({ id }) => id)
  const { rows } = await sql<{ id: number; version: number; customerId: number; installedProductId: string }>`
    UPDATE service_event e SET cleared_at = ${at}, version = e.version + 1
    FROM service_event o LEFT JOIN instrument i ON i.id = o.instrument_id LEFT JOIN gateway g ON g.id = o.gateway_id
    WHERE e.id = o.id AND e.id = ANY(${events}::bigint[]) AND e.cleared_at IS NULL
    RETURNING e.id, e.version, e.customer_id AS "customerId",
      coalesce(i.installed_product_id, g.installed_product_id) AS "installedProductId"`.execute(trx)
  return rows.map((event) => updateMessage(event, 'clearedAt', { clearedAt: at.toISOString() }))
}

/**
 * Resets the change markers of a database that was copied by other means than our backup. Its transaction numbers
 * belong to another server and may lie in the future of this one, so no search would ever treat these events as
 * unchanged. Call it before the index is loaded.
 */
export async function forgetForeignChanges(db: Db): Promise<void> {
  await sql`UPDATE deleted_event SET changed_in = '0' WHERE changed_in > pg_current_xact_id()`.execute(db)
  const { rows } = await sql<{ isForeign: boolean }>`
    SELECT e.changed_in > pg_current_xact_id() AS "isForeign"
    FROM (${serviceEvents(db, 'all')
      .where(sql<boolean>`e.changed_in > '0'`)
      .orderBy('e.changed_in', 'desc')
      .limit(1)
      .select('e.changed_in')}) AS e`.execute(db)
  if (!rows[0]?.isForeign) return
  await inTransaction(
    db,
    (trx) => sql`UPDATE service_event SET changed_in = '0' WHERE changed_in > pg_current_xact_id()`.execute(trx),
    { statementTimeoutMs: 0 },
  )
}
