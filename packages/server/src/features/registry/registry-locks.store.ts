import { sql } from 'kysely'
import { advisoryLocks, takeAdvisoryLock } from '../../db/advisory-locks.ts'
import type { Trx } from '../../db/connect.ts'
import { problem } from '../../platform/http/problem.ts'

/** Shorter than the statement timeout, so that the caller gets a specific error. */
const LOCK_WAIT_MS = 3000
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Allows one transaction at a time to write the registry. Registrations are rare; the lock keeps references valid
 * between check and use, and audit chains from forking. Throws unavailable if a large import holds the lock for too
 * long.
 */
export async function lockRegistry(trx: Trx): Promise<void> {
  await setLockTimeout(trx, LOCK_WAIT_MS)
  try {
    await takeAdvisoryLock(trx, 'registry')
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
    throw problem('unavailable', 'A file is being imported into the registry. Try again in a minute.', {
      retryAfter: 10,
    })
  }
  await setLockTimeout(trx, 0)
}

async function setLockTimeout(trx: Trx, ms: number): Promise<void> {
  await sql`SELECT set_config('lock_timeout', ${String(ms)}, true)`.execute(trx)
}

/** Returns true if this transaction may import a file; one import at a time on all nodes. */
export async function takeImportLock(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    SELECT pg_try_advisory_xact_lock(${advisoryLocks.registryImport}) AS taken`.execute(trx)
  return rows[0]?.taken ?? false
}

/**
 * Locks these instruments and those of these contracts, by key, in order of id, like ingest. Locking them batch by
 * batch in file order could deadlock.
 */
export async function lockInstrumentsOf(
  trx: Trx,
  { instruments, contracts }: { instruments: readonly string[]; contracts: readonly string[] },
): Promise<void> {
  if (instruments.length + contracts.length === 0) return
  await sql`
    SELECT 1 FROM instrument WHERE id IN (
      SELECT id FROM instrument WHERE installed_product_id = ANY(${[...instruments]}::text[])
      UNION ALL
      SELECT i.id FROM instrument i JOIN contract c ON c.id = i.contract_id WHERE c.key = ANY(${[...contracts]}::text[]))
    ORDER BY id FOR NO KEY UPDATE`.execute(trx)
}
