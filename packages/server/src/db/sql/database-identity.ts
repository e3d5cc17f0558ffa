import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import type { SnapshotXid } from '../queues/queue-position.ts'

/**
 * Identifies the database that transaction ids belong to: they start again in a restored one, and may repeat after a
 * failover to a replica that was behind, which begins another timeline.
 */
export interface DatabaseIdentity {
  system: string
  database: number
  /** The file of the events, another one after a backup was restored into a database that had been emptied. */
  events: number
  timeline: string
}

/** Distinguishes the databases of all servers; a replica has the same as its primary. */
export const databaseId = `((SELECT system_identifier FROM pg_control_system()) || '-' ||
  (SELECT oid FROM pg_database WHERE datname = current_database()))`

/** The timeline that the server writes. The control file shows it only after the next checkpoint. */
export const timeline = sql<string>`CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END`

/** Returns the identity of the database, and the id of its next transaction. */
export async function readIdentity(db: Db): Promise<{ identity: DatabaseIdentity; nextXid: SnapshotXid }> {
  const { rows } = await sql<{ identity: DatabaseIdentity; nextXid: SnapshotXid }>`
    SELECT json_build_object('system', (SELECT system_identifier::text FROM pg_control_system()), 'database', oid::int8,
      'events', pg_relation_filenode('service_event')::int8,
      'timeline', ${timeline}) AS identity, pg_snapshot_xmax(pg_current_snapshot())::text AS "nextXid"
    FROM pg_database WHERE datname = current_database()`.execute(db)
  return rows[0] as (typeof rows)[number]
}
