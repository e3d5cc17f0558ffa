import { type RawBuilder, sql } from 'kysely'
import type { DataScope } from './actor.ts'
import type { Db } from './connect.ts'
import { rowId } from './sql/wire-id.ts'

/**
 * The only FROM of tables with customer data: every read of service events, instruments or logs must name the scope.
 * The architecture check looks for other reads. Hand-written SQL uses `inScope`.
 */

/** Service events in the scope, as `e`. */
export function serviceEvents(db: Db, scope: DataScope) {
  const events = db.selectFrom('service_event as e')
  return scope === 'all' ? events : events.where(inScope(scope, sql.ref('e.customer_id')))
}

/** Condition: service event `e` is not closed. */
export const isOpen = sql<boolean>`e.alert_status <> 3`

/** Instruments in the scope, as `i`; without deleted ones, whose events and logs may not be deleted yet. */
export function instruments(db: Db, scope: DataScope) {
  const all = db.selectFrom('instrument as i').where('i.deleted_at', 'is', null)
  return scope === 'all' ? all : all.where(inScope(scope, sql.ref('i.customer_id')))
}

/** Runs of customers in the scope, as `r`. */
export function runs(db: Db, scope: DataScope) {
  return db.selectFrom('run as r').where(inScope(scope, sql.ref('r.customer_id')))
}

const OFFERED_RUNS = 500

/**
 * Reads the runs that users are offered to filter by, newest first: a list of all would be endless. Each customer is
 * asked apart, because the planner would look for those of a small one among all.
 */
export async function readOfferedRuns(db: Db, scope: DataScope): Promise<{ id: number; name: string }[]> {
  const newest = (of: RawBuilder<unknown>) =>
    sql`(SELECT id, name FROM run ${of} ORDER BY id DESC LIMIT ${OFFERED_RUNS})`
  const found =
    scope === 'all'
      ? newest(sql``)
      : sql`unnest(${[...scope]}::int[]) AS c (id) CROSS JOIN LATERAL ${newest(sql`WHERE customer_id = c.id`)}`
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT r.id, r.name FROM ${found} AS r ORDER BY r.id DESC LIMIT ${OFFERED_RUNS}`.execute(db)
  return rows
}

/**
 * Finds the instrument, as `i`, with this id or installed product id. If a number is the id of one and the installed
 * product id of another, the id wins, because the console's URLs contain ids.
 */
export function instrumentNamed(db: Db, { id, scope }: { id: string; scope: DataScope }) {
  const number = rowId(id) ?? null
  return instruments(db, scope)
    .where(sql<boolean>`(i.installed_product_id = ${id} OR i.id = ${number}::int)`)
    .orderBy(sql`i.id = ${number}::int`, (order) => order.desc().nullsLast())
    .limit(1)
}

/**
 * Condition: the scope may see what instrument `i` reported at `at`. Customers don't see reports from before an
 * instrument became theirs.
 */
export function reportedSince(scope: DataScope, at: RawBuilder<unknown>): RawBuilder<boolean> {
  return scope === 'all' ? sql<boolean>`true` : sql<boolean>`${at} >= i.customer_since`
}

/**
 * Log lines of instruments in the scope, as `l`, with their instrument as `i`. Customers see neither lines of the time
 * before the instrument became theirs nor lines received before: both times are checked, because a gateway may deliver
 * late and a clock may be ahead.
 */
export function logEntries(db: Db, scope: DataScope) {
  const lines = db
    .selectFrom('log_entry as l')
    .innerJoin('instrument as i', 'i.id', 'l.instrument_id')
    .where('i.deleted_at', 'is', null)
  if (scope === 'all') return lines
  return lines
    .where(inScope(scope, sql.ref('i.customer_id')))
    .where(reportedSince(scope, sql.ref('l.received_at')))
    .where(reportedSince(scope, sql.ref('l.ts')))
}

/**
 * Returns the scope for reading the lines of one instrument: 'all' if the scope contains the instrument and it never
 * had another customer, so that nothing is hidden and an index alone answers; otherwise the scope itself.
 */
export async function scopeOfLines(
  db: Db,
  { scope, instrumentId }: { scope: DataScope; instrumentId: number },
): Promise<DataScope> {
  if (scope === 'all') return scope
  const whole = await instruments(db, scope)
    .where('i.id', '=', instrumentId)
    .where('i.customer_since', '=', sql<Date>`'-infinity'`)
    .select('i.id')
    .executeTakeFirst()
  return whole ? 'all' : scope
}

/**
 * Returns the scope as a condition on a customer column, for hand-written SQL: `WHERE … AND ${inScope(scope,
 * sql.ref('e.customer_id'))}`.
 */
export function inScope(scope: DataScope, customerColumn: RawBuilder<unknown>): RawBuilder<boolean> {
  return scope === 'all' ? sql<boolean>`true` : sql<boolean>`${customerColumn} = ANY(${[...scope]}::int[])`
}
