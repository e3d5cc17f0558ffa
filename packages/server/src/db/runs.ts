import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * Runs follow from the history of statuses, in the order of the instrument's clock: a status names the run in progress
 * until the next one. Whatever order statuses and events arrive in, an event gets the same run.
 */

/** Condition: the status `h` of the history says which run is in progress, if any. A lost connection says nothing. */
export const reportsRun = sql<SqlBool>`(h.run_id IS NOT NULL OR h.status NOT IN ('Unknown', 'disconnected'))`

/** Stored with a status that says that no run is on, in the place of the id: the status alone may not say it. */
export const NO_RUN = 0

/** The run that the status `h` reports; null for none. */
export const reportedRun = sql<number | null>`nullif(h.run_id, ${sql.lit(NO_RUN)})`

/** Place of the status `h` in the history. */
export const inHistory = sql`(h.at, h.epoch, h.sequence)`

/**
 * Returns the id of the run of instrument `i` at a time by its own clock, if it is one of this customer, else null. A run
 * ends for its customer when the instrument moves to another one.
 */
export function runAt(
  at: RawBuilder<unknown>,
  customer: RawBuilder<unknown> = sql.ref('i.customer_id'),
): RawBuilder<number | null> {
  return sql<number | null>`(
    SELECT r.id FROM (
      SELECT h.run_id FROM instrument_status_history h
      WHERE h.instrument_id = i.id AND h.at <= ${at} AND ${reportsRun}
      ORDER BY h.at DESC, h.epoch DESC, h.sequence DESC LIMIT 1
    ) AS reported JOIN run r ON r.id = reported.run_id AND r.customer_id = ${customer}
    WHERE i.run_since IS NOT NULL)`
}
