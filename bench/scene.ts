import type { Client } from 'pg'
import { type ApiClient, signedIn } from './api-client.ts'
import type { BenchData, Viewer } from './bench-data.ts'
import { connectBeside } from './database.ts'
import type { Measure } from './measure.ts'
import { type Product, type StartOptions, startProduct } from './product.ts'
import type { SamplingOptions } from './sampling.ts'

/** Everything that a group of measures works with. */
export interface Scene {
  data: BenchData
  product: Product
  /** Signed in, one for each width of view. */
  clients: Record<Viewer, ApiClient>
  /** A colleague who sees everything, for the screen that looks on. */
  admin: ApiClient
  /** A connection past the product, set as the product's own are: for floors. */
  sql: Client
  sampling: SamplingOptions
  report(measure: Measure): void
  close(): Promise<void>
}

/** The settings under which the product's own queries run. */
export const querySettings =
  "SET timezone = 'UTC'; SET plan_cache_mode = force_custom_plan; SET enable_presorted_aggregate = off; SET jit = off; SET work_mem = '32MB'"

/** Starts the product on the data, signs everybody in and waits until the first requests have warmed it. */
export async function openScene(
  data: BenchData,
  {
    dataDir,
    sampling,
    report,
    environment,
    onLog,
  }: Pick<Scene, 'sampling' | 'report'> & Pick<StartOptions, 'dataDir' | 'environment' | 'onLog'>,
): Promise<Scene> {
  const product = await startProduct({ dataDir, ...(environment && { environment }), ...(onLog && { onLog }) })
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

export type Group = (scene: Scene) => Promise<void>
