import { createRequire } from 'node:module'
import type { ClickHouseClient } from '@clickhouse/client'
import { createChdbConnection } from 'chdb/connection'
import { inject } from 'vitest'
import { Clickhouse } from '../../packages/server/src/clickhouse/clickhouse.ts'

// The client is a package of the server.
const { createClient } = createRequire(new URL('../../packages/server/package.json', import.meta.url))(
  '@clickhouse/client',
) as { createClient(options: object): ClickHouseClient }

/** ClickHouse in this process. It opens one folder per process, so test files share it, and empty what they use. */
export const client = createClient({ connection: createChdbConnection({ path: inject('engineFolder') }) })
export const clickhouse = new Clickhouse(client, { cluster: null, limitMs: 60_000 })

/** Returns the rows of a query that a test puts to the engine itself. */
export async function ask<Row>(query: string): Promise<Row[]> {
  const result = await client.query({ query, format: 'JSONEachRow' })
  return result.json<Row>()
}

/** Drops every table, like a server that starts with an empty disk. */
export async function loseEverything(): Promise<void> {
  for (const { name } of await ask<{ name: string }>('SHOW TABLES'))
    await client.command({ query: `DROP TABLE ${name}` })
}
