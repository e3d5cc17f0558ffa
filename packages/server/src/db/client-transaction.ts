import { Kysely, PostgresDialect } from 'kysely'
import type { Client } from 'pg'
import type { Db } from './connect.ts'
import type { Database } from './schema/database.ts'

/**
 * Runs `work` in one transaction on a connection of its own, so that stores and COPY, which needs the connection itself,
 * can share it. Without the pool's statement time-out; for imports, exports and whatever reads everything.
 */
export async function inClientTransaction<T>(
  client: Client,
  work: (trx: Db) => Promise<T>,
  { isSnapshot = false }: { isSnapshot?: boolean } = {},
): Promise<T> {
  const connection = { query: client.query.bind(client), release: () => undefined }
  const trx = new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: { connect: async () => connection as never, end: async () => undefined } as never,
    }),
  })
  await client.query(isSnapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN')
  try {
    const result = await work(trx)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}
