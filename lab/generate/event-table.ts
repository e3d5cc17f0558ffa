import type { Client } from 'pg'
import { type CopyValue, copyLines } from './copy-lines.ts'
import { type EventRow, type EventsInput, eventRows } from './event-rows.ts'
import type { RunOf } from './registered-fleet.ts'

const columns = [
  ...['id', 'created_at', 'log_generated_at', 'cleared_at', 'alert_id', 'template_id', 'severity', 'alert_type'],
  ...['alert_status', 'is_edge_issue', 'alert_source', 'description', 'user_message', 'text_folded', 'instrument_id'],
  ...['component_id', 'gateway_id', 'site_id', 'customer_id', 'instrument_status_at_event', 'full_support'],
  ...['latched_count', 'claimed_by', 'claimed_at', 'closed_at', 'reason_closed', 'reason_closed_comment'],
  ...['service_max_case_number', 'service_max_url', 'automatic_email', 'automatic_email_sent_at', 'last_action_at'],
  ...['version', 'run_id'],
]

/**
 * Loads the events by COPY into the empty table. It is truncated in the same transaction, so that with wal_level =
 * minimal nothing is logged, and FREEZE leaves pages that no vacuum has to touch again. Foreign keys are not checked,
 * because the ids were just read from the database (this saves sixty million look-ups for ten million rows).
 */
export async function loadEvents(client: Client, input: EventsInput & { runOf: RunOf }): Promise<void> {
  await client.query('BEGIN')
  await client.query("SET LOCAL session_replication_role = 'replica'")
  // With everything that belongs to an event.
  await client.query('TRUNCATE service_event CASCADE')
  await copyLines(client, { table: 'service_event', columns, options: 'FREEZE' }, rows(input))
  await client.query('COMMIT')
  await client.query(
    "SELECT setval(pg_get_serial_sequence('service_event', 'id'), (SELECT max(id) FROM service_event))",
  )
}

function* rows({ runOf, ...input }: EventsInput & { runOf: RunOf }): Generator<CopyValue[]> {
  for (const row of eventRows(input)) {
    const run = row.instrumentId === null ? null : runOf(row.instrumentId, row.logGeneratedAt)
    yield [...values(row), run]
  }
}

function values(row: EventRow): CopyValue[] {
  return [
    ...[row.id, instant(row.createdAt), instant(row.logGeneratedAt), instant(row.clearedAt), row.alertId],
    ...[row.templateId, row.severity, row.alertType, row.alertStatus, row.isEdgeIssue],
    ...[row.isEdgeIssue ? 'EDGE_ISSUE' : 'INSTRUMENT', row.description, row.userMessage, row.folded],
    ...[row.instrumentId, row.componentId, row.gatewayId, row.siteId, row.customerId, row.statusAtEvent],
    ...[row.fullSupport, row.latched, row.claimedBy, instant(row.claimedAt), instant(row.closedAt)],
    ...[row.reasonClosed, row.comment, row.caseNumber, row.caseUrl, row.email, instant(row.emailedAt)],
    ...[instant(row.lastActionAt), row.version],
  ]
}

function instant(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

/**
 * Drops the indexes of events for the load and returns their statements. The primary key stays, because rows arrive in
 * order.
 */
export async function dropEventIndexes(client: Client): Promise<string[]> {
  const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes
     WHERE tablename = 'service_event' AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
  )
  for (const { indexname } of indexes) await client.query(`DROP INDEX ${indexname}`)
  return indexes.map(({ indexdef }) => indexdef)
}

/** Fills the tables beside events: alert ids of repeats, and the number of every item. */
export async function loadCompanions(client: Client): Promise<void> {
  await client.query(`
    INSERT INTO latched_alert (instrument_id, alert_id, event_id)
    SELECT instrument_id, alert_id || 'r', id FROM service_event WHERE latched_count > 0 AND instrument_id IS NOT NULL`)
  await client.query('TRUNCATE gateway_inbox, taken_number')
  await client.query(`
    INSERT INTO taken_number (gateway_id, series, block, numbers)
    SELECT gateway_id, 'bench-', number >> 16, range_agg(int8range(number, number, '[]'))
    FROM (SELECT gateway_id, row_number() OVER (PARTITION BY gateway_id ORDER BY id) AS number FROM service_event) AS items
    GROUP BY 1, 3`)
}

/** Fills the origins of events, which filters offer, as the product keeps them. */
export async function fillOrigins(client: Client): Promise<void> {
  await client.query(`
    BEGIN;
    DELETE FROM event_origin;
    INSERT INTO event_origin (customer_id, site_id, component_id)
    SELECT DISTINCT customer_id, site_id, coalesce(component_id, 0) FROM service_event;
    COMMIT`)
}
