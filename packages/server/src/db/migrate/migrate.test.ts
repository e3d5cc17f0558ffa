import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inDatabase } from '../../testing/test-cluster.ts'
import { type ConnectionTarget, connectClient, connectDatabase, OperatorError } from '../connect.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded/embedded-postgres.ts'
import { listPendingMigrations, migrate } from './migrate.ts'

let home: string
/** A separate server, because the application's role belongs to the whole server. */
let server: EmbeddedPostgres
let folder: URL
let target: ConnectionTarget
let made = 0

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'benchwatch-migrate-'))
  server = await startEmbeddedPostgres({ dataDir: join(home, 'postgres'), fsync: false })
})
afterAll(async () => {
  await server.stop()
  rmSync(home, { recursive: true, force: true })
})
beforeEach(async () => {
  folder = pathToFileURL(`${mkdtempSync(join(home, 'migrations-'))}/`)
  target = await emptyDatabase()
})

async function emptyDatabase(owner = 'benchwatch'): Promise<ConnectionTarget> {
  made += 1
  await run(server.connection, `CREATE DATABASE empty_${made} OWNER ${owner}`)
  return inDatabase(server.connection, `empty_${made}`)
}

async function run<T extends object>(connection: ConnectionTarget, text: string): Promise<T[]> {
  const client = await connectClient(connection)
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

const file = (name: string) => new URL(name, folder)
const addMigration = (name: string, sql: string) => writeFileSync(file(name), sql)

describe('migrations', () => {
  it('are applied once, in the order of their numbers', async () => {
    addMigration('0002_second.sql', 'INSERT INTO step VALUES (2);')
    addMigration('0001_first.sql', 'CREATE TABLE step (n int); INSERT INTO step VALUES (1);')
    expect(await migrate(target, folder)).toEqual(['0001_first.sql', '0002_second.sql'])
    expect(await migrate(target, folder)).toEqual([])
    addMigration('0003_third.sql', 'INSERT INTO step VALUES (3);')
    expect(await migrate(target, folder)).toEqual(['0003_third.sql'])
    expect(await run(target, 'SELECT n FROM step')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  })

  it('leave nothing of a failed one, and name it', async () => {
    addMigration('0001_first.sql', 'CREATE TABLE step (n int);')
    addMigration('0002_broken.sql', 'INSERT INTO step VALUES (2); SELECT nonsense;')
    const failing = migrate(target, folder)
    await expect(failing).rejects.toBeInstanceOf(OperatorError)
    await expect(failing).rejects.toThrow(/^The migration 0002_broken\.sql failed and was rolled back: .*nonsense/)
    expect(await run(target, 'SELECT n FROM step')).toEqual([])
    expect(await run(target, 'SELECT name FROM schema_migration')).toEqual([{ name: '0001_first.sql' }])
  })

  it('stop at one that was changed after it was applied, but not at other line ends', async () => {
    addMigration('0001_first.sql', 'CREATE TABLE\nstep (n int);')
    await migrate(target, folder)
    writeFileSync(file('0001_first.sql'), readFileSync(file('0001_first.sql'), 'utf8').replaceAll('\n', '\r\n'))
    expect(await migrate(target, folder)).toEqual([])
    addMigration('0001_first.sql', 'CREATE TABLE step (n bigint);')
    await expect(migrate(target, folder)).rejects.toThrow(/0001_first\.sql was changed after it was applied/)
  })

  it('stop at a database of a newer version', async () => {
    addMigration('0001_first.sql', 'SELECT 1;')
    addMigration('0002_later.sql', 'SELECT 1;')
    await migrate(target, folder)
    rmSync(file('0002_later.sql'))
    await expect(migrate(target, folder)).rejects.toThrow(/made by a newer version.*0002_later\.sql/)
  })

  it('stop at one that comes before one that is applied', async () => {
    addMigration('0002_second.sql', 'SELECT 1;')
    await migrate(target, folder)
    addMigration('0001_belated.sql', 'SELECT 1;')
    await expect(migrate(target, folder)).rejects.toThrow(/0001_belated\.sql comes before 0002_second\.sql/)
  })

  it('are listed while they are pending', async () => {
    addMigration('0001_first.sql', 'SELECT 1;')
    await migrate(target, folder)
    addMigration('0002_second.sql', 'SELECT 1;')
    const client = await connectClient(target)
    expect(await listPendingMigrations(client, folder)).toEqual(['0002_second.sql'])
    await client.end()
  })

  it('of processes that start at once are applied by one of them', async () => {
    addMigration('0001_first.sql', 'SELECT pg_sleep(0.1); CREATE TABLE step (n int);')
    const applied = await Promise.all([1, 2, 3].map(() => migrate(target, folder)))
    expect(applied.flat()).toEqual(['0001_first.sql'])
  })
})

describe('the role of the application', () => {
  beforeEach(async () => {
    addMigration('0001_first.sql', 'CREATE TABLE step (n int); GRANT SELECT ON step TO benchwatch_app;')
    // The role can't be dropped while tables of an earlier test still refer to it.
    const databases = await run<{ name: string }>(
      server.connection,
      "SELECT datname AS name FROM pg_database WHERE datname LIKE 'empty%'",
    )
    for (const { name } of databases) {
      if (name !== target.database) await run(server.connection, `DROP DATABASE ${name}`)
    }
    await run(target, 'DROP ROLE IF EXISTS benchwatch_app')
  })

  it('is made once when two databases of a server are migrated at once', async () => {
    const targets = [target, await emptyDatabase(), await emptyDatabase()]
    const applied = await Promise.all(targets.map((each) => migrate(each, folder)))
    expect(applied).toEqual(targets.map(() => ['0001_first.sql']))
  })

  it('is made by an owner who is no superuser, as on managed servers', async () => {
    await run(server.connection, 'CREATE ROLE managed LOGIN CREATEROLE')
    const managed = { ...(await emptyDatabase('managed')), user: 'managed' }
    await migrate(managed, folder)
    const database = await connectDatabase({ connection: managed, poolSize: 1 })
    expect((await database.pool.query('SELECT current_user AS role')).rows).toEqual([{ role: 'benchwatch_app' }])
    await database.close()
  })

  it('that the owner may not create is requested from an administrator', async () => {
    await run(server.connection, 'CREATE ROLE plain LOGIN')
    const plain = { ...(await emptyDatabase('plain')), user: 'plain' }
    await expect(migrate(plain, folder)).rejects.toThrow(/Let an administrator run: CREATE ROLE benchwatch_app NOLOGIN/)
  })
})

describe('a database that is unfit for the tables', () => {
  beforeEach(() => addMigration('0001_first.sql', 'CREATE TABLE step (n int);'))

  async function as(user: string): Promise<ConnectionTarget> {
    await run(server.connection, `CREATE ROLE ${user} LOGIN CREATEROLE`)
    return { ...target, user }
  }

  it('is distinguished from missing rights, which an administrator has to grant', async () => {
    await run(target, 'DROP ROLE IF EXISTS benchwatch_app')
    const guest = await as('guest')
    await expect(migrate(guest, folder)).rejects.toThrow(
      /^The user guest may not create tables in the database empty_\d+\. Let an administrator run there: GRANT CREATE ON SCHEMA public TO guest;$/,
    )
    await run(target, 'GRANT CREATE ON SCHEMA public TO guest')
    const mayNotCreateSchemas =
      /^The user guest may not create schemas and extensions in the database (empty_\d+)\. Let an administrator run: GRANT CREATE ON DATABASE \1 TO guest;$/
    await expect(migrate(guest, folder)).rejects.toThrow(mayNotCreateSchemas)
    await run(target, `GRANT CREATE ON DATABASE ${target.database} TO guest`)
    expect(await migrate(guest, folder)).toEqual(['0001_first.sql'])
  })

  it('is distinguished from an encoding that lacks letters', async () => {
    await run(
      server.connection,
      "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0",
    )
    await expect(migrate(inDatabase(server.connection, 'latin'), folder)).rejects.toThrow(
      /^The database latin has the encoding LATIN1, and texts of instruments need UTF8\. .*ENCODING 'UTF8' TEMPLATE template0/,
    )
  })
})
