import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { createChdbConnection } from 'chdb/connection'
import { afterAll } from 'vitest'
import { Clickhouse } from '../../packages/server/src/clickhouse/clickhouse.ts'

// The package is one of the server's; chdb has its own copy of the common part.
const { createClient } = createRequire(new URL('../../packages/server/', import.meta.url))('@clickhouse/client') as {
  createClient(options: object): ClickHouseClient
}

export interface Engine {
  clickhouse: Clickhouse
  client: ClickHouseClient
}

let engine: Engine | undefined

/** Returns ClickHouse in this process; the same one for every test file, each with its own database. */
export function startEngine(): Engine {
  if (engine) return engine
  const folder = mkdtempSync(join(tmpdir(), 'benchwatch-clickhouse-'))
  const client = createClient({ connection: createChdbConnection({ path: folder }) })
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  engine = { clickhouse: new Clickhouse(client, null), client }
  return engine
}

/** Returns the rows of a query that a test asks the engine itself. */
export async function ask<Row>(query: string): Promise<Row[]> {
  const result = await startEngine().client.query({ query, format: 'JSONEachRow' })
  return result.json<Row>()
}

export const stopEngine = (): void => {
  afterAll(() => undefined)
}
