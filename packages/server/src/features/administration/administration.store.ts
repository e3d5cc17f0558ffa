import { takeAdvisoryLock } from '../../db/advisory-locks.ts'
import type { Trx } from '../../db/connect.ts'

/**
 * Lets one transaction at a time change accounts and flags, until it ends. Such changes are few; so two administrators
 * can't disable each other at the same moment, and a flag that has no row yet needs no other lock.
 */
export async function lockAdministration(trx: Trx): Promise<void> {
  await takeAdvisoryLock(trx, 'administration')
}
