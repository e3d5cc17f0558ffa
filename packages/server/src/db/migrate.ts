import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Client } from 'pg'
import { APPLICATION_ROLE, type ConnectionTarget, connectClient, OperatorError } from './connect.ts'

const releasedMigrations = new URL('../../migrations/', import.meta.url)
/** Two processes that start at once migrate one after the other. */
const MIGRATION_LOCK = 7_201_927
/** Longest that a process waits for another one's migration. */
const TURN_MS = 600_000
/** Longest that a migration waits for a table that others use; meanwhile everybody else waits behind it. */
const TABLE_LOCK_MS = 10_000
/** Another process made or granted the role in the same moment: duplicate object, unique violation, tuple updated. */
const SAME_MOMENT = new Set(['42710', '23505', 'XX000'])
const NOT_ALLOWED = '42501'

interface Migration {
  name: string
  sql: string
  sha256: string
}

/**
 * Brings the database to the newest schema, as its owner; returns the names of what was applied. Files run in the order
 * of their number, each in its own transaction, and are never edited once released: a changed, unknown or belated one
 * stops the start with a sentence (OperatorError). `folder` ends with a slash.
 */
export async function migrate(connection: ConnectionTarget, folder: URL = releasedMigrations): Promise<string[]> {
  const client = await connectClient(connection, ['client_min_messages=warning', 'statement_timeout=0'])
  try {
    await takeTurn(client)
    await client.query(`SET lock_timeout = ${TABLE_LOCK_MS}`)
    await ensureApplicationRole(client)
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_migration (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    )
    await client.query(`GRANT SELECT ON schema_migration TO ${APPLICATION_ROLE}`)
    const pending = await pendingMigrations(client, folder)
    for (const migration of pending) await apply(client, migration)
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/**
 * Names of migrations that are not applied yet; empty when the schema is the one this program knows. Throws
 * OperatorError for a schema that it doesn't know.
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
        `The database was made by a newer version: it holds the migration ${name}, which this version does not know. Start that newer version, or restore a backup.`,
      )
    }
    if (file.sha256 !== sha256) {
      throw new OperatorError(
        `The migration ${name} was changed after it had been applied. Restore the file as it was released, or set DATA_DIR to an empty directory to begin anew.`,
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

async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      // A checkout may have turned line ends; that is no change.
      const sql = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function takeTurn(client: Client): Promise<void> {
  try {
    await client.query(`SET lock_timeout = ${TURN_MS}`)
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
  } catch (error) {
    throw new OperatorError(
      `Another process has been migrating this database for ${TURN_MS / 60_000} minutes: wait until it is done, or end it, and start again.`,
      { cause: error },
    )
  }
}

async function apply(client: Client, { name, sql, sha256 }: Migration): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query(sql)
    await client.query('INSERT INTO schema_migration (name, sha256) VALUES ($1, $2)', [name, sha256])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw new OperatorError(`The migration ${name} failed and was rolled back: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** Roles belong to the whole cluster, so another database's migration may be making this one right now. */
async function ensureApplicationRole(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: number; exists: boolean }>(
    `SELECT current_setting('server_version_num')::int AS version,
      EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS exists`,
    [APPLICATION_ROLE],
  )
  if (!rows[0]?.exists) await changeRoles(client, `CREATE ROLE ${APPLICATION_ROLE} NOLOGIN`)
  // Since 16, whoever creates a role belongs to it without the right to act as it.
  const privilege = (rows[0]?.version ?? 0) >= 160_000 ? 'SET' : 'MEMBER'
  const member = await client.query<{ may: boolean }>('SELECT pg_has_role($1, $2) AS may', [
    APPLICATION_ROLE,
    privilege,
  ])
  if (!member.rows[0]?.may) await changeRoles(client, `GRANT ${APPLICATION_ROLE} TO CURRENT_USER`)
}

async function changeRoles(client: Client, statement: string): Promise<void> {
  try {
    await client.query(statement)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== undefined && SAME_MOMENT.has(code)) return
    if (code !== NOT_ALLOWED) throw error
    throw new OperatorError(
      `The user of DATABASE_URL may not set up the role of the application. Let an administrator run: CREATE ROLE ${APPLICATION_ROLE} NOLOGIN; GRANT ${APPLICATION_ROLE} TO <that user>;`,
      { cause: error },
    )
  }
}
