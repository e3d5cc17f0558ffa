import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'

/** Key of the advisory lock under which accounts and flags are changed. */
const ADMINISTRATION_LOCK = 7_201_929

/**
 * Lets one transaction at a time change accounts and flags, until it ends. Such changes are few; so two administrators
 * can't disable each other at the same moment, and a flag that has no row yet needs no other lock.
 */
export async function lockAdministration(trx: Trx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${ADMINISTRATION_LOCK})`.execute(trx)
}
