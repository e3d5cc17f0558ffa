import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from './schema/database.ts'

/** A transaction that lost against another one and may simply run again: serialization failure, deadlock. */
const REPEATABLE = new Set(['40001', '40P01'])
const TRIES = 4

/**
 * Runs `work` in one transaction. Deadlocks and serialization failures are repeated up to three times with a growing,
 * random wait, so `work` must do nothing outside its transaction.
 */
export async function inTransaction<T>(
  db: Kysely<Database>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === TRIES || !REPEATABLE.has((error as { code?: string }).code ?? '')) throw error
      await pause(Math.random() * 20 * 2 ** attempt)
    }
  }
}
