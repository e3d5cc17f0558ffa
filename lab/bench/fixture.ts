import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Engine } from '../arguments.ts'
import type { BenchData, Viewer } from '../generate/bench-data.ts'
import type { Goal, Measure } from '../measure/measure.ts'
import { type Summary, summarise } from '../measure/percentiles.ts'
import { type SamplingOptions, samplePair, type Timed } from '../measure/sampling.ts'
import { type ApiClient, signedIn } from '../product/api-client.ts'
import type { ClickhouseProcess } from '../product/clickhouse-process.ts'
import { connectBeside } from '../product/database.ts'
import { INDEXED_FROM, type Product, type StartOptions, startProduct } from '../product/product.ts'

/** Everything that a group of measures needs. */
export interface Fixture {
  data: BenchData
  /** The engine that answers searches; null as the process of ClickHouse with any other engine. */
  engine: Engine
  clickhouse: ClickhouseProcess | null
  product: Product
  /** One signed-in client for each view. */
  clients: Record<Viewer, ApiClient>
  /** A colleague who sees everything, for a second screen. */
  admin: ApiClient
  /** A direct database connection with the product's own settings, for floors. */
  sql: Client
  sampling: SamplingOptions
  report(measure: Measure): void
  close(): Promise<void>
}

/** The settings of the product's own queries. */
const querySettings =
  "SET timezone = 'UTC'; SET plan_cache_mode = force_custom_plan; SET enable_presorted_aggregate = off; SET jit = off; SET work_mem = '32MB'"

/** The longest wait for an engine: ClickHouse copies ten million events at its first start. */
const ENGINE_MS = 1_800_000

/** Returns the configuration of the product that makes an engine answer searches. */
export function engineEnvironment({
  engine,
  clickhouse,
}: Pick<Fixture, 'engine' | 'clickhouse'>): Record<string, string> {
  if (engine === 'clickhouse') return { CLICKHOUSE_URL: clickhouse?.url ?? '' }
  return { EVENT_INDEX: engine === 'index' ? 'on' : 'off' }
}

/** Returns whether an engine other than PostgreSQL answers searches among this number of events. */
export function isEngineUsed(engine: Engine, events: number): boolean {
  return engine === 'clickhouse' || (engine === 'index' && events >= INDEXED_FROM)
}

/** Starts the product on the data, signs all users in, and waits until the engine answers searches. */
export async function openFixture(
  data: BenchData,
  {
    dataDir,
    engine,
    clickhouse,
    sampling,
    report,
    environment,
    onLog,
  }: Pick<Fixture, 'engine' | 'clickhouse' | 'sampling' | 'report'> &
    Pick<StartOptions, 'dataDir' | 'environment' | 'onLog'>,
): Promise<Fixture> {
  const product = await startProduct({
    dataDir,
    environment: { ...engineEnvironment({ engine, clickhouse }), ...environment },
    ...(onLog && { onLog }),
  })
  if (isEngineUsed(engine, data.events)) await engineStart(product)
  const as = (login: string) => signedIn(product.baseUrl, { login, password: data.password })
  const clients = { all: await as(data.logins.all), one: await as(data.logins.one), sixty: await as(data.logins.sixty) }
  const admin = await as(data.logins.admin)
  const sql = await connectBeside(dataDir)
  await sql.query(querySettings)
  return {
    ...{ data, engine, clickhouse, product, clients, admin, sql, sampling, report },
    async close() {
      for (const client of [...Object.values(clients), admin]) client.close()
      await sql.end()
      await product.stop()
    },
  }
}

/** Returns the milliseconds until the engine of a started product answers searches. Throws when it takes too long. */
export async function engineStart(product: Product): Promise<number> {
  const milliseconds = await Promise.race([product.engineMs, pause(ENGINE_MS, null, { ref: false })])
  if (milliseconds === null) throw new Error('The engine does not answer searches: see the log of the server.')
  return milliseconds
}

export type Group = (fixture: Fixture) => Promise<void>

type TimesMeasure = Pick<Measure, 'group' | 'name'> & { goal?: Goal | undefined; note?: string | undefined }

/** Times a request of the product, and beside it the same in SQL if there is a `floor`, and reports the p95 of both. */
export async function measureTimes(
  { sampling, report }: Pick<Fixture, 'sampling' | 'report'>,
  { ask, floor, ...measure }: TimesMeasure & { ask: Timed; floor?: { how: string; ask: Timed } | undefined },
): Promise<void> {
  const times = await samplePair({ product: ask, floor: floor?.ask }, sampling)
  report({
    ...timesMeasure(measure, times.product),
    ...(floor && times.floor && { floor: { value: times.floor.p95, how: floor.how, summary: times.floor } }),
  })
}

/** Reports the p95 of times that were taken elsewhere. */
export function reportTimes(
  { report }: Pick<Fixture, 'report'>,
  {
    times,
    floor,
    ...measure
  }: TimesMeasure & { times: readonly number[]; floor?: { how: string; times: readonly number[] } },
): void {
  const summary = floor && summarise(floor.times)
  report({
    ...timesMeasure(measure, summarise(times)),
    ...(floor && summary && { floor: { value: summary.p95, how: floor.how, summary } }),
  })
}

function timesMeasure({ group, name, goal, note }: TimesMeasure, summary: Summary): Measure {
  const measure = { group, name, unit: 'ms', value: summary.p95, summary } as const
  return { ...measure, ...(goal && { goal }), ...(note !== undefined && { note }) }
}

/** Returns ids of untouched events of all ages. Throws when there are too few for any measure. */
export async function takeNewEvents(sql: Client, count: number): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    'SELECT id FROM service_event WHERE alert_status = 1 AND claimed_by IS NULL ORDER BY id % 1009, id LIMIT $1',
    [count],
  )
  if (rows.length < 40) {
    throw new Error(
      'These data have too few new events: make them again, or larger ones, with npm run lab -- generate.',
    )
  }
  return rows.map(({ id }) => id)
}

/** Returns the body of a claim: the event for this user, in progress. */
export async function claimFor(sql: Client, login: string): Promise<{ claimedBy: string; alertStatus: 'IN_PROGRESS' }> {
  const { rows } = await sql.query<{ id: number }>('SELECT id FROM app_user WHERE login = $1', [login])
  return { claimedBy: String(rows[0]?.id), alertStatus: 'IN_PROGRESS' }
}
