import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import type { Client } from 'pg'
import { advisoryLocks } from '../advisory-locks.ts'
import { APPLICATION_ROLE, type ConnectionTarget, connectClient, OperatorError, ownerPool } from '../connect.ts'
import { ensureApplicationRole } from './application-role.ts'

interface DatabaseState {
  database: string
  user: string
  encoding: string
  mayCreateTables: boolean
  mayCreateSchemas: boolean
  hasTrigrams: boolean
  offersTrigrams: boolean
}

/**
 * The tables of the job queue come with row level security and no policy, so only their owner sees rows; a table
 * without our policy is new. The table of the queue's own migrations stays read-only.
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

const releasedMigrations = new URL('../../../migrations/', import.meta.url)
/** Longest wait for the migration of another process. */
const TURN_MS = 600_000
/** Longest wait of a migration for a table in use; meanwhile all other users of the table wait behind it. */
const TABLE_LOCK_MS = 10_000
/** A released step of the schema. */
export interface Migration {
  name: string
  sql: string
  sha256: string
}

/**
 * Migrates the database to the newest schema, as its owner; returns the names of the applied migrations. Files run in
 * numeric order, each in its own transaction, and are never edited once released: a changed, unknown or late one stops
 * the start with an OperatorError. `folder` ends with a slash.
 */
export async function migrate(connection: ConnectionTarget, folder: URL = releasedMigrations): Promise<string[]> {
  const client = await connectClient(connection, ['client_min_messages=warning', 'statement_timeout=0'])
  try {
    await awaitTurn(client)
    await client.query(`SET lock_timeout = ${TABLE_LOCK_MS}`)
    await ensureApplicationRole(client)
    await createMigrationTable(client)
    const pending = await pendingMigrations(client, folder)
    for (const migration of pending) await apply(client, migration)
    await installJobQueue(client, connection)
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** Creates the list of applied migrations in a new database. Throws OperatorError if that is not possible. */
export async function createMigrationTable(client: Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('schema_migration') IS NOT NULL AS exists",
  )
  if (!rows[0]?.exists) {
    await requireUsableDatabase(client)
    await client.query(
      'CREATE TABLE schema_migration (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    )
  }
  await client.query(`GRANT SELECT ON schema_migration TO ${APPLICATION_ROLE}`)
}

/**
 * Returns the names of migrations that are not applied yet; empty if the schema is up to date. Throws OperatorError
 * for an unknown schema.
 */
export async function listPendingMigrations(
  client: { query: Client['query'] },
  folder: URL = releasedMigrations,
): Promise<string[]> {
  return (await pendingMigrations(client, folder)).map(({ name }) => name)
}

async function pendingMigrations(client: { query: Client['query'] }, folder: URL): Promise<Migration[]> {
  const known = await readMigrations(folder)
  const { rows: applied } = await client.query<{ name: string; sha256: string }>(
    'SELECT name, sha256 FROM schema_migration ORDER BY name',
  )
  for (const { name, sha256 } of applied) {
    const file = known.find((migration) => migration.name === name)
    if (!file) {
      throw new OperatorError(
        `The database was made by a newer version: it contains the migration ${name}, which this version does not know. Start that newer version, or restore a backup.`,
      )
    }
    if (file.sha256 !== sha256) {
      throw new OperatorError(
        `The migration ${name} was changed after it was applied. Restore the file as it was released, or set DATA_DIR to an empty directory to start over.`,
      )
    }
  }
  const pending = known.filter(({ name }) => !applied.some((row) => row.name === name))
  const last = applied.at(-1)?.name ?? ''
  const belated = pending.find(({ name }) => name < last)
  if (belated) {
    throw new OperatorError(
      `The migration ${belated.name} comes before ${last}, which is applied already: give it a number above that one.`,
    )
  }
  return pending
}

/** Returns the migrations of this release in numeric order. `folder` ends with a slash. */
export async function readMigrations(folder: URL = releasedMigrations): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      // A checkout may have changed the line breaks, which does not count as a change.
      const sql = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** Waits until no other process migrates this database, then holds the lock until the connection ends. */
export async function awaitTurn(client: Client): Promise<void> {
  try {
    await client.query(`SET lock_timeout = ${TURN_MS}`)
    await client.query('SELECT pg_advisory_lock($1)', [advisoryLocks.migration])
  } catch (error) {
    throw new OperatorError(
      `Another process has been migrating this database for ${TURN_MS / 60_000} minutes: wait until it is done or stop it, then start again.`,
      { cause: error },
    )
  }
}

async function apply(client: Client, migration: Migration): Promise<void> {
  await client.query('BEGIN')
  try {
    await applyInTransaction(client, migration)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw new OperatorError(`The migration ${migration.name} failed and was rolled back: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** Applies one migration in the caller's transaction. `appliedAt` is the recorded time, by default now. */
export async function applyInTransaction(
  client: Client,
  { name, sql, sha256 }: Migration,
  appliedAt: string | null = null,
): Promise<void> {
  await client.query(sql)
  await client.query('INSERT INTO schema_migration (name, sha256, applied_at) VALUES ($1, $2, coalesce($3, now()))', [
    name,
    sha256,
    appliedAt,
  ])
}

/**
 * Brings the job queue's tables up to date for its library, as their owner, and grants the application's role access.
 * The caller holds the migration lock. Throws OperatorError if the owner lacks the right.
 */
async function installJobQueue(client: Client, connection: ConnectionTarget): Promise<void> {
  const { rows } = await client.query<{ database: string; user: string; mayInstall: boolean }>(
    `SELECT current_database() AS database, current_user AS user,
      to_regnamespace('graphile_worker') IS NOT NULL OR has_database_privilege(current_database(), 'CREATE')
        AS "mayInstall"`,
  )
  const [state] = rows
  if (state && !state.mayInstall) throw new OperatorError(mayNotCreateSchemas(state))
  const pool = ownerPool(connection)
  try {
    await runMigrations({ pgPool: pool })
  } finally {
    await pool.end()
  }
  await client.query(GRANTS)
}

/**
 * Checks that tables can be created in a new database, before a statement fails with a less helpful message. Throws
 * OperatorError with instructions for an administrator.
 */
async function requireUsableDatabase(client: Client): Promise<void> {
  const { rows } = await client.query<DatabaseState>(
    `SELECT current_database() AS database, current_user AS user, current_setting('server_encoding') AS encoding,
      has_schema_privilege('public', 'CREATE') AS "mayCreateTables",
      has_database_privilege(current_database(), 'CREATE') AS "mayCreateSchemas",
      EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AS "hasTrigrams",
      EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS "offersTrigrams"`,
  )
  const [state] = rows
  const problem = state && problemOf(state)
  if (problem) throw new OperatorError(problem)
}

function problemOf({ database, user, encoding, ...state }: DatabaseState): string | null {
  if (encoding !== 'UTF8') {
    return `The database ${database} has the encoding ${encoding}, and texts of instruments need UTF8. Let an administrator run: CREATE DATABASE <name> OWNER ${user} ENCODING 'UTF8' TEMPLATE template0; and name that one in DATABASE_URL.`
  }
  if (!state.mayCreateTables) {
    return `The user ${user} may not create tables in the database ${database}. Let an administrator run there: GRANT CREATE ON SCHEMA public TO ${user};`
  }
  if (!state.hasTrigrams && !state.offersTrigrams) {
    return `The PostgreSQL server lacks the extension pg_trgm, which keyword search needs: install its package of extensions (postgresql-contrib) and start again.`
  }
  if (!state.mayCreateSchemas) return mayNotCreateSchemas({ database, user })
  return null
}

/**
 * Returns the sentence for a user who can't create schemas or extensions: keyword search needs the extension pg_trgm,
 * the job queue its own schema.
 */
function mayNotCreateSchemas({ database, user }: { database: string; user: string }): string {
  return `The user ${user} may not create schemas and extensions in the database ${database}. Let an administrator run: GRANT CREATE ON DATABASE ${database} TO ${user};`
}
