import type { Engine } from '../arguments.ts'
import type { BenchData } from '../generate/bench-data.ts'
import { FIRST_ID } from '../generate/event-rows.ts'
import { fillOrigins } from '../generate/event-table.ts'
import { connectBeside } from '../product/database.ts'
import { startProduct } from '../product/product.ts'

/**
 * Restores generated data: deletes events that measures added, and makes changed ones new again. Otherwise each run
 * would measure more recent events than the one before it. Returns whether anything was changed. No product may run on
 * the directory meanwhile. The audit log is kept. With ClickHouse, log lines are deleted, because the product would move
 * them during the measures; the group `logs` makes its own.
 */
export async function tidy(dataDir: string, data: BenchData, engine: Engine = 'index'): Promise<boolean> {
  const last = FIRST_ID + data.events - 1
  const product = await startProduct({ dataDir, environment: { EVENT_INDEX: 'off' } })
  const client = await connectBeside(dataDir)
  try {
    if (engine === 'clickhouse') await client.query('TRUNCATE log_entry')
    // A separate SELECT, because it may use every core.
    const changed = await client.query<{ id: number }>(
      'SELECT id FROM service_event WHERE id <= $1 AND alert_status <> 1 AND last_action_at > $2',
      [last, data.now],
    )
    await client.query('BEGIN')
    const restored = await client.query(
      `UPDATE service_event SET alert_status = 1, claimed_by = NULL, claimed_at = NULL, closed_at = NULL, reason_closed = NULL,
         reason_closed_comment = NULL, last_action_at = created_at
       WHERE id = ANY($1::bigint[])`,
      [changed.rows.map(({ id }) => id)],
    )
    await client.query('DELETE FROM latched_alert WHERE event_id > $1', [last])
    const removed = await client.query('DELETE FROM service_event WHERE id > $1', [last])
    await client.query('COMMIT')
    if ((removed.rowCount ?? 0) + (restored.rowCount ?? 0) === 0) return false
    if ((removed.rowCount ?? 0) > 0) {
      await fillOrigins(client)
      await client.query("DELETE FROM taken_number WHERE series LIKE 'measured-%'")
      await client.query('DELETE FROM live_message')
    }
    await client.query('VACUUM (ANALYZE) service_event, taken_number, live_message, event_origin')
    await client.query('CHECKPOINT')
    return true
  } finally {
    await client.end()
    await product.stop()
  }
}
