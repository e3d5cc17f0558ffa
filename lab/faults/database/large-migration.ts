import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { startEmbeddedPostgres } from '../../../packages/server/src/db/embedded/embedded-postgres.ts'
import { migrate } from '../../../packages/server/src/db/migrate/migrate.ts'
import { repositoryRoot } from '../../repository.ts'
import { runFault } from '../script/fault-script.ts'

const FIRST_NEW = '0021'

/**
 * Large tables are migrated while a gateway of the previous release writes: each transaction takes an item, locks its
 * instrument and appends a log line, as ingest does. Writers may wait for a moment, but nothing is refused.
 */
await runFault({
  name: 'large-migration',
  parameters: { lines: 5_000_000, items: 1_000_000, perSecond: 50 },
  async run({ workplace, verdict, parameters: { lines, items, perSecond } }) {
    const released = join(repositoryRoot, 'packages/server/migrations')
    const earlier = join(workplace.folder, 'earlier')
    mkdirSync(earlier)
    for (const name of readdirSync(released)) {
      if (name < FIRST_NEW) copyFileSync(join(released, name), join(earlier, name))
    }
    const { connection, stop } = await startEmbeddedPostgres({ dataDir: join(workplace.folder, 'postgres') })
    workplace.atEnd(stop)
    await migrate(connection, pathToFileURL(`${earlier}/`))
    const client = new Client(connection)
    await client.connect()
    workplace.atEnd(() => client.end())
    await fill(client, { lines, items })

    let isDone = false
    let written = 0
    const waits: number[] = []
    const failures: string[] = []
    const writing = (async () => {
      for (let next = Date.now(); !isDone; next += 1000 / perSecond) {
        await pause(Math.max(0, next - Date.now()))
        const from = performance.now()
        try {
          await write(client, (written += 1))
        } catch (error) {
          failures.push((error as Error).message)
          await client.query('ROLLBACK')
        }
        waits.push(performance.now() - from)
      }
    })()
    await pause(2000)
    const before = waits.length
    const from = performance.now()
    const applied = await migrate(connection)
    verdict.figure('migrations', applied.length)
    verdict.figure('migrations ms', performance.now() - from)
    const during = waits.length
    await pause(2000)
    isDone = true
    await writing

    verdict.percentiles('write before', waits.slice(0, before))
    verdict.percentiles('write during', waits.slice(before, during + 1))
    verdict.atMost('longest write', { figure: Math.max(...waits), most: 5000, unit: 'ms' })
    verdict.atMost('refused writes', { figure: failures.length, most: 0 })
    const { rows } = await client.query<{ lines: number; items: number }>(
      `SELECT (SELECT count(*) FROM log_entry)::int AS lines, (SELECT count(*) FROM gateway_inbox)::int AS items`,
    )
    verdict.atMost('lines lost', { figure: lines + written - (rows[0]?.lines ?? 0), most: 0 })
    verdict.atMost('items lost', { figure: items + written - (rows[0]?.items ?? 0), most: 0 })
    for (const failure of new Set(failures)) console.log(`  refused: ${failure}`)
  },
})

async function fill(client: Client, { lines, items }: { lines: number; items: number }): Promise<void> {
  await client.query(`
    SET session_replication_role = 'replica';
    INSERT INTO instrument (installed_product_id, type, product_description, customer_id, site_id, search_folded)
      SELECT 'IP-' || n, 'AKTAPure', 'fleet', 1, 1, '' FROM generate_series(1, 5000) AS n;
    INSERT INTO gateway (name, site_id, installed_product_id) SELECT 'GW-' || n, 1, 'GW-' || n FROM generate_series(1, 100) AS n;
    INSERT INTO log_entry (instrument_id, log_type, ts, message, hostname, received_at)
      SELECT 1 + n % 5000, (ARRAY['VID', 'COMM', 'UNICORNCLIENT', 'AUDITTRAIL'])[1 + n / 5000 % 4], t,
        'PreC pressure ' || n || ' MPa, flow 12 ml/min, instruction queue loaded', 'LAB-PC' || n % 9, t
      FROM (SELECT n, now() - (${lines} - n) * interval '390 days' / ${lines} AS t FROM generate_series(1, ${lines}) AS n) AS line;
    INSERT INTO gateway_inbox (gateway_id, item_id, received_at)
      SELECT 1 + n % 100, 'e1-' || n / 100, now() FROM generate_series(0, ${items - 1}) AS n;
    SET session_replication_role = 'origin'`)
  await client.query('VACUUM (ANALYZE) log_entry, gateway_inbox, instrument')
}

async function write(client: Client, number: number): Promise<void> {
  const now = new Date()
  await client.query('BEGIN')
  await client.query('SELECT id FROM instrument WHERE id = $1 FOR NO KEY UPDATE', [1 + (number % 5000)])
  await client.query(
    `INSERT INTO gateway_inbox (gateway_id, item_id, received_at) VALUES (1, $1, $2) ON CONFLICT DO NOTHING`,
    [`e2-${number}`, now],
  )
  await client.query(
    `INSERT INTO log_entry (instrument_id, log_type, ts, message, received_at) VALUES ($1, 'VID', $2, 'written', $2)`,
    [1 + (number % 5000), now],
  )
  await client.query('COMMIT')
}
