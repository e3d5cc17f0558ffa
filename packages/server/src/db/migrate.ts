import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { APPLICATION_ROLE, type ConnectionTarget, OperatorError } from './connect.ts'

const migrationsFolder = new URL('../../migrations/', import.meta.url)
/** Two processes that start at once migrate one after the other. */
const MIGRATION_LOCK = 7_201_927
/** Duplicate object or role: another process made it in the same moment. */
const ALREADY_THERE = new Set(['42710', '23505'])

interface Migration {
  name: string
  sql: string
  sha256: string
}

/**
 * Brings the database to the newest schema, as its owner; returns the names of what was applied. Files run in the order
 * of their number, each in its own transaction, and are never edited once released: a changed or unknown one stops the
 * start with a sentence (OperatorError).
 */
export async function migrate(connection: ConnectionTarget): Promise<string[]> {
  const client = new Client({ ...connection, options: '-c lock_timeout=10s -c client_min_messages=warning' })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    await ensureApplicationRole(client)
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_migration (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    )
    await client.query(`GRANT SELECT ON schema_migration TO ${APPLICATION_ROLE}`)
    const pending = await pendingMigrations(client)
    for (const migration of pending) await apply(client, migration)
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** Names of migrations that are not applied yet; empty when the schema is the one this program knows. */
export async function listPendingMigrations(client: { query: Client['query'] }): Promise<string[]> {
  return (await pendingMigrations(client)).map(({ name }) => name)
}

async function pendingMigrations(client: { query: Client['query'] }): Promise<Migration[]> {
  const known = await readMigrations()
  const { rows: applied } = await client.query<{ name: string; sha256: string }>(
    'SELECT name, sha256 FROM schema_migration',
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
        `The migration ${name} was changed after it had been applied. Restore the file as it was released.`,
      )
    }
  }
  return known.filter(({ name }) => !applied.some((row) => row.name === name))
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(migrationsFolder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, migrationsFolder), 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function apply(client: Client, { name, sql, sha256 }: Migration): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query(sql)
    await client.query('INSERT INTO schema_migration (name, sha256) VALUES ($1, $2)', [name, sha256])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw new OperatorError(`The migration ${name} failed and was rolled back: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** Roles belong to the whole cluster, so another database's migration may be making it right now. */
async function ensureApplicationRole(client: Client): Promise<void> {
  const { rows } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [APPLICATION_ROLE])
  try {
    if (rows.length === 0) await client.query(`CREATE ROLE ${APPLICATION_ROLE} NOLOGIN`)
  } catch (error) {
    if (!ALREADY_THERE.has((error as { code?: string }).code ?? '')) throw error
  }
  try {
    await client.query(`GRANT ${APPLICATION_ROLE} TO CURRENT_USER`)
  } catch (error) {
    if (!ALREADY_THERE.has((error as { code?: string }).code ?? '')) throw error
  }
}
