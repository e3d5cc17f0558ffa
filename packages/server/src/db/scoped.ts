import { type RawBuilder, sql } from 'kysely'
import type { DataScope } from './actor.ts'
import type { Db } from './connect.ts'
import { rowId } from './wire-id.ts'

/**
 * The only FROM of tables that belong to a customer. Whoever reads service events, instruments or logs must say on
 * whose behalf; the architecture check looks for others. Hand-written SQL takes `inScope`.
 */

/** Service events that the scope holds, as `e`. */
export function serviceEvents(db: Db, scope: DataScope) {
  const events = db.selectFrom('service_event as e')
  return scope === 'all' ? events : events.where(inScope(scope, sql.ref('e.customer_id')))
}

/** Of a service event, as `e`: not closed. */
export const isOpen = sql<boolean>`e.alert_status <> 3`

/** Instruments that the scope holds, as `i`; none that was deleted, whose events and logs may still be on their way out. */
export function instruments(db: Db, scope: DataScope) {
  const all = db.selectFrom('instrument as i').where('i.deleted_at', 'is', null)
  return scope === 'all' ? all : all.where(inScope(scope, sql.ref('i.customer_id')))
}

/**
 * The one instrument, as `i`, with this id or installed product id. Where a number is the id of one and the installed product
 * id of another, it is the id: the console's own addresses hold ids.
 */
export function instrumentNamed(db: Db, { id, scope }: { id: string; scope: DataScope }) {
  const number = rowId(id) ?? null
  return instruments(db, scope)
    .where(sql<boolean>`(i.installed_product_id = ${id} OR i.id = ${number}::int)`)
    .orderBy(sql`i.id = ${number}::int`, (order) => order.desc().nullsLast())
    .limit(1)
}

/**
 * What instruments `i` told at `at` as a scope may see it: what they told before they came to their customer is nothing to
 * them.
 */
export function reportedSince(scope: DataScope, at: RawBuilder<unknown>): RawBuilder<boolean> {
  return scope === 'all' ? sql<boolean>`true` : sql<boolean>`${at} >= i.customer_since`
}

/**
 * Log lines of instruments that the scope holds, as `l`, with their instrument as `i`. What happened at an instrument
 * before it came to its customer is nothing to them, and neither is what came in before: by both times, because a gateway
 * may deliver late and a clock may run ahead.
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
 * With which scope the lines of one instrument are read: with none where the scope holds the instrument and it never
 * belonged to anybody else, so that nothing of it is hidden and the index alone answers; else with the scope itself.
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

/** The scope as a condition on a customer column, for hand-written SQL: `WHERE … AND ${inScope(scope, sql.ref('e.customer_id'))}`. */
export function inScope(scope: DataScope, customerColumn: RawBuilder<unknown>): RawBuilder<boolean> {
  return scope === 'all' ? sql<boolean>`true` : sql<boolean>`${customerColumn} = ANY(${[...scope]}::int[])`
}
