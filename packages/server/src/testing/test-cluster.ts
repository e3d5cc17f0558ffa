import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type ConnectionTarget, connectClient } from '../db/connect.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts'
import { migrate } from '../db/migrate/migrate.ts'

/**
 * Shared by a test run: one PostgreSQL server with a migrated database as template for each worker's copy.
 * TEST_DATABASE_URL names a server to use instead of an embedded one; its own databases are not touched.
 */
export interface TestCluster {
  /** A user who may create databases. */
  administrator: ConnectionTarget
  /** Prefix of the names of this run's databases. */
  prefix: string
}

declare module 'vitest' {
  interface ProvidedContext {
    testCluster: TestCluster
    /** True for the project that repeats chosen files on an external PostgreSQL. */
    isSecondServer: boolean
  }
}

let embedded: EmbeddedPostgres | undefined
let folder: string | undefined
let cluster: TestCluster | undefined

/** vitest calls it once before the first test file of the run. */
export async function setup(project: TestProject): Promise<void> {
  try {
    cluster = await shareServer(project, await startServer())
  } catch (error) {
    // vitest does not call teardown if the set-up failed.
    await teardown()
    throw error
  }
}

/** Creates the template on this server and gives its address to the test files of the project. */
export async function shareServer(project: TestProject, administrator: ConnectionTarget): Promise<TestCluster> {
  const shared = { administrator, prefix: `benchwatch_test_${randomBytes(4).toString('hex')}` }
  const template = templateName(shared)
  await asAdministrator(shared, `CREATE DATABASE ${template}`)
  await migrate(inDatabase(administrator, template))
  project.provide('testCluster', shared)
  return shared
}

/** vitest calls it once at the end, also after failures. A killed run leaves no server, only its folder. */
export async function teardown(): Promise<void> {
  if (embedded) await embedded.stop()
  else if (cluster) await dropDatabases(cluster)
  if (folder) rmSync(folder, { recursive: true, force: true })
}

async function startServer(): Promise<ConnectionTarget> {
  const external = process.env['TEST_DATABASE_URL']
  if (external) return { connectionString: external }
  folder = mkdtempSync(join(tmpdir(), 'benchwatch-test-'))
  embedded = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), fsync: false })
  return embedded.connection
}

export function templateName({ prefix }: TestCluster): string {
  return `${prefix}_template`
}

/** Returns the same server and user with another database. */
export function inDatabase(target: ConnectionTarget, database: string): ConnectionTarget {
  if (target.connectionString === undefined) return { ...target, database }
  const url = new URL(target.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

/** Runs one statement as the administrator. */
export async function asAdministrator({ administrator }: TestCluster, statement: string): Promise<void> {
  const client = await connectClient(administrator)
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function dropDatabases({ administrator, prefix }: TestCluster): Promise<void> {
  const client = await connectClient(administrator)
  try {
    const { rows } = await client.query<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
      [prefix],
    )
    for (const { name } of rows) await client.query(`DROP DATABASE ${name} WITH (FORCE)`)
  } finally {
    await client.end()
  }
}
