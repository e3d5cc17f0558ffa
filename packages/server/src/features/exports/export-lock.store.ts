import { advisoryLocks } from '../../db/advisory-locks.ts'
import type { DatabaseHandle } from '../../db/connect.ts'
import { type ExportToWrite, readUnwrittenExports } from './exports.store.ts'

/** An export that is this process's alone to write. */
export interface TakenExport {
  wanted: ExportToWrite
  /** Lets go of it. */
  release(): Promise<void>
}

/**
 * Takes the oldest export that nobody writes; undefined where there is none. The lock lives on a connection of its own, so
 * that it goes with the process that holds it, and another one may take the export at once.
 */
export async function takeUnwrittenExport(
  { db, dedicatedClient }: Pick<DatabaseHandle, 'db' | 'dedicatedClient'>,
  at: Date,
): Promise<TakenExport | undefined> {
  if ((await readUnwrittenExports(db, at)).length === 0) return undefined
  const client = await dedicatedClient()
  const release = () => client.end()
  try {
    for (const { id } of await readUnwrittenExports(db, at)) {
      const { rows } = await client.query<{ taken: boolean }>(
        'SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken',
        [advisoryLocks.exports, id],
      )
      if (!rows[0]?.taken) continue
      // Whoever held the lock a moment ago may have written it.
      const wanted = (await readUnwrittenExports(db, at)).find((unwritten) => unwritten.id === id)
      if (wanted) return { wanted, release }
    }
  } catch (error) {
    await release()
    throw error
  }
  await release()
  return undefined
}
