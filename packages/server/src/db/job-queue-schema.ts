import { runMigrations } from 'graphile-worker'
import { type Client, Pool } from 'pg'
import { APPLICATION_ROLE, type ConnectionTarget, OperatorError } from './connect.ts'
import { mayNotCreateSchemas } from './new-database.ts'

/**
 * Brings the tables of the job queue to what its library wants, as their owner, and lets the application's role use
 * them. Called in the turn of a migration. Throws OperatorError where the owner may not.
 */
export async function installJobQueue(client: Client, connection: ConnectionTarget): Promise<void> {
  const { rows } = await client.query<{ database: string; user: string; mayInstall: boolean }>(
    `SELECT current_database() AS database, current_user AS user,
      to_regnamespace('graphile_worker') IS NOT NULL OR has_database_privilege(current_database(), 'CREATE')
        AS "mayInstall"`,
  )
  const [ground] = rows
  if (ground && !ground.mayInstall) throw new OperatorError(mayNotCreateSchemas(ground))
  const pool = new Pool({ ...connection, max: 1 })
  pool.on('error', () => undefined)
  pool.on('connect', (connected) => connected.on('error', () => undefined))
  try {
    await runMigrations({ pgPool: pool })
  } finally {
    await pool.end()
  }
  await client.query(GRANTS)
}

/**
 * The tables come with row level security and no policy, so nobody but their owner sees a row; a table that has not ours
 * yet is new. Only the table of the queue's own migrations stays closed to changes.
 */
const GRANTS = `
  DO $$
  DECLARE queue_table regclass;
  BEGIN
    FOR queue_table IN
      SELECT c.oid FROM pg_class c
      WHERE c.relnamespace = 'graphile_worker'::regnamespace AND c.relrowsecurity
        AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'application')
    LOOP
      GRANT USAGE ON SCHEMA graphile_worker TO ${APPLICATION_ROLE};
      GRANT SELECT ON graphile_worker.migrations TO ${APPLICATION_ROLE};
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO ${APPLICATION_ROLE}', queue_table);
      EXECUTE format('CREATE POLICY application ON %s TO ${APPLICATION_ROLE} USING (true) WITH CHECK (true)', queue_table);
    END LOOP;
  END $$`
