import { Kysely, PostgresDialect } from 'kysely'
import type { Client } from 'pg'
import type { Trx } from './connect.ts'
import type { Database } from './schema/database.ts'
import { newTransaction } from './transaction.ts'

/**
 * Runs `work` in one transaction on a connection of its own, so that stores and COPY, which needs the connection itself,
 * can share it. Without the pool's statement time-out; for imports, exports and whatever reads everything.
 */
export async function inClientTransaction<T>(
  client: Client,
  work: (trx: Trx) => Promise<T>,
  { isSnapshot = false }: { isSnapshot?: boolean } = {},
): Promise<T> {
  const connection = { query: client.query.bind(client), release: () => undefined }
  const pool = { connect: async () => connection, end: async () => undefined }
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: pool as never }) })
  return newTransaction(db, { isSnapshot }).execute(work)
}
