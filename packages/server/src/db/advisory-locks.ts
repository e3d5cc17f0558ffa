import { sql } from 'kysely'
import type { Trx } from './connect.ts'

/**
 * Keys of all advisory locks of a database. Each purpose has its own key, so that unrelated work never waits for each
 * other. Two releases may run side by side for a moment, so the meaning of a key never changes.
 */
export const advisoryLocks = {
  /** Held by the one process that runs the tasks for all. */
  leader: 7_201_926,
  /** During a change of leader, prevents two processes from sending the same notification. */
  notifying: 7_201_927,
  /** Prevents two processes that start at once from creating a key twice. */
  signingKeys: 7_201_928,
  /** Serializes changes of accounts and flags. */
  administration: 7_201_929,
  registry: 7_201_930,
  /** Allows one import file at a time. */
  registryImport: 7_201_931,
  supportEmailTemplates: 7_201_932,
  connectionTemplates: 7_201_933,
  /** Shared by inserts of events; a deletion that forgets their origins takes it alone. */
  eventOrigins: 7_201_934,
  /** Serializes the migrations of processes that start at once. */
  migration: 7_201_935,
  /** The second key is a hash of the export's id. */
  exports: 7_201_936,
  /** Prevents two simultaneous requests from creating two alarm chain tests for a gateway. */
  alarmTests: 7_201_937,
  /** Lets one process at a time copy events to ClickHouse. */
  clickhouse: 7_201_938,
  /** Keeps a log line from being deleted while it is moved to ClickHouse. */
  movedLines: 7_201_939,
} as const

/** Waits for the lock and holds it until the transaction ends. */
export async function takeAdvisoryLock(trx: Trx, lock: keyof typeof advisoryLocks): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${advisoryLocks[lock]})`.execute(trx)
}
