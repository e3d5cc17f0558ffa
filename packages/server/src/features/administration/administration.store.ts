import { takeAdvisoryLock } from '../../db/advisory-locks.ts'
import type { Trx } from '../../db/connect.ts'

/**
 * Locks changes to accounts and flags until the transaction ends, so that only one runs at a time. Such changes are
 * rare. The lock stops two administrators from disabling each other at the same moment, and covers flags that have no
 * row to lock yet.
 */
export async function lockAdministration(trx: Trx): Promise<void> {
  await takeAdvisoryLock(trx, 'administration')
}
