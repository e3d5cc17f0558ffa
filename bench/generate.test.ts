import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBenchData } from './bench-data.ts'
import { connectBeside } from './database.ts'
import { generate } from './generate.ts'
import { startProduct } from './product.ts'
import { tidy } from './tidy.ts'

// The product is started several times, and makes a database.
const LONG_MS = 120_000
const EVENTS = 3000
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'benchwatch-bench-test-'))
  await generate({ events: EVENTS, dataDir, seed: 'test', size: { customers: 6, sites: 9, instruments: 60 } })
}, LONG_MS)

afterAll(() => rm(dataDir, { recursive: true, force: true }), LONG_MS)

/** What the rollups say beside what the events say, and the indexes that are there. */
async function look(): Promise<{ rollups: unknown; events: unknown; indexes: number; settings: number }> {
  const product = await startProduct({ dataDir })
  const client = await connectBeside(dataDir)
  const one = async (query: string) => (await client.query<Record<string, unknown>>(query)).rows
  try {
    const [counts] = await one(`
      SELECT (SELECT count(*) FROM pg_indexes WHERE tablename = 'service_event') AS indexes,
        (SELECT count(*) FROM pg_file_settings WHERE sourcefile LIKE '%auto.conf') AS settings`)
    return {
      rollups: [
        ...(await one('SELECT day::text, events FROM event_day ORDER BY 1')),
        ...(await one('SELECT customer_id, day::text, events FROM event_day_customer ORDER BY 1, 2')),
        ...(await one('SELECT * FROM event_seen ORDER BY customer_id, instrument_id, component_id, site_id')),
      ],
      events: [
        ...(await one(`SELECT (created_at AT TIME ZONE 'UTC')::date::text AS day, count(*) AS events FROM service_event
          GROUP BY 1 ORDER BY 1`)),
        ...(await one(`SELECT customer_id, (created_at AT TIME ZONE 'UTC')::date::text AS day, count(*) AS events
          FROM service_event GROUP BY 1, 2 ORDER BY 1, 2`)),
        ...(await one(`SELECT coalesce(instrument_id, 0) AS instrument_id, coalesce(component_id, 0) AS component_id, site_id,
            customer_id, min(created_at) AS first_at, max(created_at) AS last_at
          FROM service_event GROUP BY 1, 2, 3, 4 ORDER BY customer_id, instrument_id, component_id, site_id`)),
      ],
      indexes: Number(counts?.indexes),
      settings: Number(counts?.settings),
    }
  } finally {
    await client.end()
    await product.stop()
  }
}

test(
  'rollups equal a count of the events, and nothing of the load is left behind',
  async () => {
    const { rollups, events, indexes, settings } = await look()
    expect(rollups).toEqual(events)
    // Without them the next start would be slow, or lose what a crash would.
    expect(indexes).toBeGreaterThan(10)
    expect(settings).toBe(0)
  },
  LONG_MS,
)

test(
  'what a measure added and changed is taken back, and the rollups with it',
  async () => {
    const before = await look()
    const product = await startProduct({ dataDir })
    const client = await connectBeside(dataDir)
    await client.query(`
    INSERT INTO service_event (created_at, log_generated_at, alert_id, template_id, severity, alert_type, description,
      text_folded, instrument_id, component_id, site_id, customer_id, full_support, last_action_at)
    SELECT now(), now(), 'measured', 'BEN-1', severity, alert_type, description, text_folded, instrument_id, component_id,
      site_id, customer_id, full_support, now() FROM service_event WHERE NOT is_edge_issue ORDER BY id LIMIT 1`)
    const { rows } = await client.query<{ id: number }>(
      `UPDATE service_event SET alert_status = 2, claimed_by = 1, claimed_at = now(), last_action_at = now(),
       version = version + 1
     WHERE id = (SELECT min(id) FROM service_event WHERE alert_status = 1) RETURNING id`,
    )
    await client.end()
    await product.stop()
    const data = await readBenchData(dataDir)
    expect(await tidy(dataDir, data)).toBe(true)
    expect(await tidy(dataDir, data)).toBe(false)
    expect(await look()).toEqual(before)
    expect(rows).toHaveLength(1)
  },
  LONG_MS,
)
