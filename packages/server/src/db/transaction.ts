import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql, type TransactionBuilder } from 'kysely'
import type { Client } from 'pg'
import { type Db, isStalePlan, LONG_PAUSE_MS, type Trx } from './connect.ts'
import type { Database } from './schema/database.ts'

/** Error codes of a transaction that lost against another one and can be retried: serialization failure, deadlock. */
const REPEATABLE = new Set(['40001', '40P01'])
const TRIES = 4

interface Options {
  /** Replaces the pool's 4 s for long work such as an export. */
  statementTimeoutMs?: number
  /** True if the transaction only reads, from one snapshot. */
  isSnapshot?: boolean
}

/**
 * Runs `work` in one transaction. Deadlocks, serialization failures and statements that were prepared before a change
 * of the schema are retried up to three times after a growing, random wait, so `work` must have no effect outside its
 * transaction. If `db` is a transaction, the work joins it, and only that transaction commits and retries.
 */
export async function inTransaction<T>(
  db: Db,
  work: (trx: Trx) => Promise<T>,
  { statementTimeoutMs, isSnapshot = false }: Options = {},
): Promise<T> {
  if (isTransaction(db)) return work(db)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await newTransaction(db, { isSnapshot }).execute(async (trx) => {
        if (statementTimeoutMs !== undefined) {
          await sql`SELECT set_config('statement_timeout', ${String(statementTimeoutMs)}, true)`.execute(trx)
        }
        return work(trx)
      })
    } catch (error) {
      const isRepeatable = REPEATABLE.has((error as { code?: string }).code ?? '') || isStalePlan(error)
      if (attempt === TRIES || !isRepeatable) throw error
      await pause(Math.random() * 20 * 2 ** attempt)
    }
  }
}

/** Thrown by `work` that has to begin again, with PostgreSQL's code of a serialization failure. */
export class BeginAgain extends Error {
  readonly code = '40001'
}

/** Returns a transaction builder; the transaction has not started yet. */
export function newTransaction(
  db: Kysely<Database>,
  { isSnapshot }: Required<Pick<Options, 'isSnapshot'>>,
): TransactionBuilder<Database> {
  const transaction = db.transaction()
  return isSnapshot ? transaction.setIsolationLevel('repeatable read').setAccessMode('read only') : transaction
}

/** Lets a transaction pause for a minute instead of five seconds, while other work is awaited. */
export async function allowLongPauses(trx: Trx): Promise<void> {
  await sql`SELECT set_config('idle_in_transaction_session_timeout', ${String(LONG_PAUSE_MS)}, true)`.execute(trx)
}

function isTransaction(db: Db): db is Trx {
  return (db as Kysely<Database>).isTransaction
}

/**
 * Runs `work` in one transaction on a separate connection, so that stores can share it with COPY, which needs the
 * connection itself. It has no statement timeout; for imports, exports and reads of everything.
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
