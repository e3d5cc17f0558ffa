import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { to } from 'pg-copy-streams'
import { summarise } from '../../measure/percentiles.ts'
import { apiClient } from '../../product/api-client.ts'
import { connectBeside } from '../../product/database.ts'
import { type Product, startProduct } from '../../product/product.ts'
import { engineEnvironment, engineStart, type Fixture, isEngineUsed } from '../fixture.ts'
import { goals } from '../goals.ts'

const WARM_STARTS = 5
/** The file of the index in the data directory. */
const INDEX_FILE = 'event-index.bin'
const group = 'start'
const names = { index: 'the index', postgres: 'PostgreSQL', clickhouse: 'ClickHouse' }

type StartsInput = Pick<Fixture, 'data' | 'engine' | 'clickhouse' | 'report'> & { dataDir: string }

/**
 * Measures how long the server takes to start: on an empty directory with demo data, and again on these data, until
 * `/api/ready` answers and until the engine answers searches; the index once without its file.
 */
export async function measureStarts(input: StartsInput): Promise<void> {
  const { dataDir, data, engine, report } = input
  const empty = await mkdtemp(join(tmpdir(), 'benchwatch-bench-'))
  const cold = await startProduct({ dataDir: empty, environment: { DEMO: 'on' } })
  const coldMs = await untilReady(cold)
  await cold.stop()
  report({
    ...{ group, name: 'start cold, empty directory, with demo data', unit: 's' },
    ...{ value: coldMs / 1000, goal: goals.startCold },
  })
  await rm(empty, { recursive: true, force: true })

  const environment = engineEnvironment(input)
  const hasEngine = isEngineUsed(engine, data.events)
  if (hasEngine) await measureBuild(input, environment)
  const ready: number[] = []
  const answering: number[] = []
  for (let start = 0; start < WARM_STARTS; start++) {
    const product = await startProduct({ dataDir, environment })
    ready.push((await untilReady(product)) / 1000)
    if (hasEngine) answering.push((await engineStart(product)) / 1000)
    await product.stop()
  }
  const warm = summarise(ready)
  report({
    ...{ group, name: 'start warm, on these data, until /api/ready', unit: 's' },
    ...{ value: warm.max, summary: warm, goal: goals.startWarm },
  })
  if (!hasEngine) return
  const summary = summarise(answering)
  report({
    ...{
      group,
      name: `start warm, on these data, until ${names[engine]} answers`,
      unit: 's',
      value: summary.max,
      summary,
    },
    ...(engine === 'index' && {
      goal: goals.startEngine,
      floor: { value: await readingSeconds(join(dataDir, INDEX_FILE)), how: 'reading the file of the index' },
    }),
  })
}

/** The first start fills ClickHouse, or builds the index without its file; the next ones find it. */
async function measureBuild(
  { dataDir, engine, clickhouse, report }: StartsInput,
  environment: Record<string, string>,
): Promise<void> {
  if (engine === 'index') await rm(join(dataDir, INDEX_FILE), { force: true })
  else await clickhouse?.ask('DROP TABLE IF EXISTS feed_v1')
  const product = await startProduct({ dataDir, environment })
  const value = (await engineStart(product)) / 1000
  const floor = { value: await copySeconds(dataDir), how: 'COPY of the events out of PostgreSQL' }
  await product.stop()
  const name = engine === 'index' ? 'without its file, until the index answers' : 'until ClickHouse is filled'
  report({ group, name: `start ${name}`, unit: 's', value, floor })
}

/** Returns the milliseconds from the start until `/api/ready` answers 200, which it does from the line `ready` on. */
async function untilReady({ baseUrl, readyMs }: Product): Promise<number> {
  const begun = performance.now()
  const client = apiClient({ baseUrl, connections: 1 })
  await client.call('GET', '/api/ready')
  client.close()
  return readyMs + performance.now() - begun
}

async function readingSeconds(file: string): Promise<number> {
  const begun = performance.now()
  await readFile(file)
  return (performance.now() - begun) / 1000
}

async function copySeconds(dataDir: string): Promise<number> {
  const client = await connectBeside(dataDir)
  const begun = performance.now()
  const rows = client.query(
    to(`COPY (SELECT id, created_at, severity, alert_type, alert_status, reason_closed, instrument_id, component_id,
      site_id, customer_id, claimed_by, last_action_at, automatic_email_sent_at, text_folded FROM service_event) TO STDOUT`),
  )
  for await (const _ of rows);
  const seconds = (performance.now() - begun) / 1000
  await client.end()
  return seconds
}
