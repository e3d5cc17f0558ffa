import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReadiness } from '../features/system/system.routes.ts'
import { createLog } from '../platform/log.ts'
import { isPassingDatabaseError } from '../platform/passing-database-error.ts'
import { eventually } from '../testing/eventually.ts'
import { type ConnectionTarget, connectClient, connectDatabase, type Db } from './connect.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { migrate } from './migrate/migrate.ts'
import { ServerClient } from './server-client.ts'

const log = createLog('silent')
let folder: string
let primary: EmbeddedPostgres
let standby: EmbeddedPostgres
/** Names a host where nothing listens, then the standby, then the primary. */
let all: ConnectionTarget

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bw-'))
  execFileSync('chmod', ['755', folder])
  const start = (name: string) => startEmbeddedPostgres({ dataDir: join(folder, name), fsync: false })
  primary = await start('primary')
  await migrate(primary.connection)
  await primary.stop()
  execFileSync('cp', ['-a', join(folder, 'primary'), join(folder, 'standby')])
  writeFileSync(join(folder, 'standby', 'standby.signal'), '')
  primary = await start('primary')
  standby = await start('standby')
  const folders = [join(folder, 'absent'), standby.connection.host, primary.connection.host]
  const hosts = folders.map((host) => encodeURIComponent(host ?? ''))
  all = { connectionString: `postgresql://benchwatch@${hosts.join(',')}/benchwatch` }
})
afterAll(async () => {
  await Promise.all([primary.stop(), standby.stop()])
  rmSync(folder, { recursive: true })
})

async function isPrimary(db: Db): Promise<boolean | undefined> {
  const { rows } = await sql<{ is: boolean }>`SELECT NOT pg_is_in_recovery() AS is`.execute(db)
  return rows[0]?.is
}

test('a server on a standby is not ready, and says why', async () => {
  const database = await connectDatabase({ connection: standby.connection, poolSize: 1 })
  try {
    expect(await createReadiness({ database, log })()).toBe('The database is a standby, which accepts no writes.')
    const write = sql`UPDATE live_sequence SET last_seq = 1`.execute(database.db)
    expect(isPassingDatabaseError(await write.catch((error: unknown) => error))).toBe(true)
  } finally {
    await database.close()
  }
})

test('a server that shuts down while it greets fails the next query, not the process', async () => {
  const message = (type: string, content: string) => {
    const head = Buffer.from(`${type}    `)
    head.writeInt32BE(4 + content.length, 1)
    return Buffer.concat([head, Buffer.from(content)])
  }
  const accepted = message('R', '\0\0\0\0')
  const ready = message('Z', 'I')
  const shutdown = message('E', 'SFATAL\0C57P01\0Mterminating connection\0\0')
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(Buffer.concat([accepted, ready, shutdown])))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const pool = new Pool({ host: '127.0.0.1', port, user: 'a', Client: ServerClient })
  pool.on('error', () => undefined)
  await expect(pool.query('SELECT 1')).rejects.toThrow()
  await pool.end()
  server.close()
})

test('of several hosts every connection finds the one that accepts writes, also after a failover', async () => {
  expect(await migrate(all)).toEqual([])
  const database = await connectDatabase({ connection: all, poolSize: 4 })
  try {
    const many = await Promise.all(Array.from({ length: 8 }, () => isPrimary(database.db)))
    expect(many).toEqual(Array(8).fill(true))
    for (const db of [database.intake, database.reporting]) expect(await isPrimary(db)).toBe(true)
    const client = await database.dedicatedClient()
    expect((await client.query('SELECT pg_is_in_recovery() AS standby')).rows).toEqual([{ standby: false }])

    await primary.stop()
    await client.end()
    const refused = await eventually(async () => {
      const error: unknown = await isPrimary(database.db).catch((thrown: unknown) => thrown)
      expect(String(error)).toMatch(/no host accepts writes: .*absent:5432 .*ENOENT.* is a standby/)
      return error
    })
    expect(isPassingDatabaseError(refused)).toBe(true)
    expect(await createReadiness({ database, log })()).toBe('The database is not responding.')

    const administrator = await connectClient(standby.connection)
    await administrator.query('SELECT pg_promote()')
    await administrator.end()
    expect(await isPrimary(database.db)).toBe(true)
    expect(await createReadiness({ database, log })()).toBeNull()
  } finally {
    await database.close()
  }
})
