import { sql } from 'kysely'
import type { Client } from 'pg'
import type { Db, Trx } from '../db/connect.ts'

/** Returns true if the database has never held data: no customer, and no user but the system user. */
export async function isEmpty(db: Db): Promise<boolean> {
  const { rows } = await sql<{ empty: boolean }>`
    SELECT NOT EXISTS (SELECT 1 FROM customer) AND NOT EXISTS (SELECT 1 FROM app_user WHERE role <> 'system') AS empty
  `.execute(db)
  return rows[0]?.empty ?? false
}

/**
 * Keeps the plans of foreign key checks for the rest of this transaction. Planning them for each row, as for the
 * queries of screens, took more than half of the time of a COPY.
 */
export async function keepPlans(trx: Trx): Promise<void> {
  await sql`SET LOCAL plan_cache_mode = auto`.execute(trx)
}

/**
 * Collects statistics for the planner and sets visibility for index-only scans, which autovacuum would do only after a
 * minute. Needs the signed-in user, because the application's role lacks the right.
 */
export async function refreshStatistics(client: Client): Promise<void> {
  await client.query('SET ROLE NONE')
  await client.query(
    `VACUUM (ANALYZE) service_event, event_origin, latched_alert, log_entry,
      instrument_status_history, component_usage, component_usage_day, runtime_day, instrument_software, instrument,
      site, customer, run, contract, contact, component, gateway, event_template, app_user, audit, maintenance,
      maintenance_window, orc_status_history, support_email_template, support_email_unsubscription`,
  )
}
