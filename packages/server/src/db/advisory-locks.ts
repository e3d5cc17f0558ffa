import { sql } from 'kysely'
import type { Trx } from './connect.ts'

/**
 * The keys of all advisory locks of a database, one each: under a key of their own two things that have nothing to do with
 * each other never wait for each other. Releases run side by side for a moment, so a key keeps its meaning for ever.
 */
export const advisoryLocks = {
  /** Held by the one process that does what one does for all. */
  leader: 7_201_926,
  /** Two that lead for a moment, while the lead goes over, never tell of the same. */
  notifying: 7_201_927,
  /** Two that start at once make each key of theirs once. */
  signingKeys: 7_201_928,
  /** Accounts and flags. */
  administration: 7_201_929,
  registry: 7_201_930,
  /** One file at a time. */
  registryImport: 7_201_931,
  supportEmailTemplates: 7_201_932,
  connectionTemplates: 7_201_933,
  /** The totals of events; inserts of events don't need it. */
  rollups: 7_201_934,
  /** Two processes that start at once migrate one after the other. */
  migration: 7_201_935,
  /** With a hash of the export's id as second key. */
  exports: 7_201_936,
  /** Two who order tests of the alarm chain at once order one of each gateway. */
  alarmTests: 7_201_937,
} as const

/** Lets one transaction at a time hold this lock, until it ends. */
export async function takeAdvisoryLock(trx: Trx, lock: keyof typeof advisoryLocks): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${advisoryLocks[lock]})`.execute(trx)
}
