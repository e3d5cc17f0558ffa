import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tidy } from '../bench/tidy.ts'
import { connectBeside } from '../product/database.ts'
import { startProduct } from '../product/product.ts'
import { readBenchData } from './bench-data.ts'
import { generate } from './generate.ts'

// The product is started several times and creates a database: ten seconds, and many more on a busy machine.
const LONG_MS = 300_000
const EVENTS = 3000
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'benchwatch-bench-test-'))
  await generate({
    events: EVENTS,
    dataDir,
    seed: 'test',
    running: 20,
    size: { customers: 6, sites: 9, instruments: 60 },
  })
}, LONG_MS)

afterAll(() => rm(dataDir, { recursive: true, force: true }), LONG_MS)

async function withDatabase<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const product = await startProduct({ dataDir })
  const client = await connectBeside(dataDir)
  try {
    return await work(client)
  } finally {
    await client.end()
    await product.stop()
  }
}

/** Reads the origins that the product keeps, and the same from the events. */
async function origins(client: Client): Promise<{ kept: unknown[]; events: unknown[] }> {
  const all = async (query: string) => (await client.query<Record<string, unknown>>(query)).rows
  return {
    kept: await all('SELECT * FROM event_origin ORDER BY customer_id, site_id, component_id'),
    events: await all(
      `SELECT DISTINCT customer_id, site_id, coalesce(component_id, 0) AS component_id
       FROM service_event ORDER BY customer_id, site_id, component_id`,
    ),
  }
}

/** Reads everything that users can change about events. */
async function states(client: Client): Promise<unknown[]> {
  const { rows } = await client.query<Record<string, unknown>>(
    'SELECT id, alert_status, claimed_by, claimed_at, closed_at, reason_closed, last_action_at FROM service_event ORDER BY id',
  )
  return rows
}

test(
  'origins are those of the events, nothing of the load is left behind, and what a measure did is taken back',
  async () => {
    const before = await withDatabase(async (client) => {
      const { kept, events } = await origins(client)
      expect(kept).toEqual(events)
      const { rows } = await client.query<{ indexes: number; settings: number }>(`
        SELECT (SELECT count(*) FROM pg_indexes WHERE tablename = 'service_event') AS indexes,
          (SELECT count(*) FROM pg_file_settings WHERE sourcefile LIKE '%auto.conf') AS settings`)
      expect(rows[0]?.indexes).toBeGreaterThan(10)
      expect(rows[0]?.settings).toBe(0)
      const { rows: runs } = await client.query<{ events: number; wrong: number }>(`
        SELECT count(e.run_id)::int AS events, (count(*) FILTER (WHERE e.run_id IS DISTINCT FROM (
          SELECT h.run_id FROM instrument_status_history h
          WHERE h.instrument_id = e.instrument_id AND h.at <= e.log_generated_at
          ORDER BY h.at DESC, h.epoch DESC, h.sequence DESC LIMIT 1)))::int AS wrong FROM service_event e`)
      expect(runs[0]?.events).toBeGreaterThan(100)
      expect(runs[0]?.wrong).toBe(0)
      const made = await states(client)
      expect(made).toHaveLength(EVENTS)
      await client.query(`
        INSERT INTO service_event (created_at, log_generated_at, alert_id, template_id, severity, alert_type, description,
          text_folded, instrument_id, component_id, site_id, customer_id, full_support, last_action_at)
        SELECT now(), now(), 'measured', 'BEN-1', severity, alert_type, description, text_folded, instrument_id,
          component_id, site_id, customer_id, full_support, now() FROM service_event WHERE NOT is_edge_issue ORDER BY id LIMIT 1`)
      await client.query(`
        UPDATE service_event SET alert_status = 2, claimed_by = 1, claimed_at = now(), last_action_at = now()
        WHERE id = (SELECT min(id) FROM service_event WHERE alert_status = 1)`)
      expect(await states(client)).not.toEqual(made)
      return { kept, made }
    })
    expect(await tidy(dataDir, await readBenchData(dataDir))).toBe(true)
    await withDatabase(async (client) => {
      expect(await states(client)).toEqual(before.made)
      expect((await origins(client)).kept).toEqual(before.kept)
    })
  },
  LONG_MS,
)
