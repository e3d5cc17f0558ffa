import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import type { BenchData, Viewer } from '../generate/bench-data.ts'
import type { Goal, Measure } from '../measure/measure.ts'
import { type Summary, summarise } from '../measure/percentiles.ts'
import { type SamplingOptions, samplePair, type Timed } from '../measure/sampling.ts'
import { type ApiClient, signedIn } from '../product/api-client.ts'
import { connectBeside } from '../product/database.ts'
import { type Product, type StartOptions, startProduct } from '../product/product.ts'

/** Everything that a group of measures needs. */
export interface Fixture {
  data: BenchData
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

/** The number of events from which the product keeps them in memory; it logs when they are loaded. */
export const KEPT_FROM = 200_000
/** The longest wait for that; then the measures run without it, and show it. */
const COLUMNS_MS = 180_000

/** Starts the product on the data, signs all users in, and waits until the events are loaded into memory. */
export async function openFixture(
  data: BenchData,
  {
    dataDir,
    sampling,
    report,
    environment,
    onLog,
  }: Pick<Fixture, 'sampling' | 'report'> & Pick<StartOptions, 'dataDir' | 'environment' | 'onLog'>,
): Promise<Fixture> {
  const product = await startProduct({ dataDir, ...(environment && { environment }), ...(onLog && { onLog }) })
  if (data.events >= KEPT_FROM) await Promise.race([product.columnsMs, pause(COLUMNS_MS, undefined, { ref: false })])
  const as = (login: string) => signedIn(product.baseUrl, { login, password: data.password })
  const clients = { all: await as(data.logins.all), one: await as(data.logins.one), sixty: await as(data.logins.sixty) }
  const admin = await as(data.logins.admin)
  const sql = await connectBeside(dataDir)
  await sql.query(querySettings)
  return {
    ...{ data, product, clients, admin, sql, sampling, report },
    async close() {
      for (const client of [...Object.values(clients), admin]) client.close()
      await sql.end()
      await product.stop()
    },
  }
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
  { times, ...measure }: TimesMeasure & { times: readonly number[] },
): void {
  report(timesMeasure(measure, summarise(times)))
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
