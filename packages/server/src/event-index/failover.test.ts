import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ConnectionTarget, connectDatabase, type DatabaseHandle } from '../db/connect.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts'
import { migrate } from '../db/migrate/migrate.ts'
import { inTransaction } from '../db/transaction.ts'
import type { EventSearch, Found } from '../features/events/search/event-search.ts'
import { postgresSearch } from '../features/events/search/postgres-search.ts'
import { createLog } from '../platform/log.ts'
import { buildEventFixture, everyEvent } from '../testing/event-fixture.ts'
import { startEventIndex } from './index-search.ts'

const NOW = new Date('2026-11-24T12:00:00Z')
const byTime = { orderBy: 'createdAt', order: 'DESC', limit: 100, offset: 0 } as const

let folder: string
let server: EmbeddedPostgres
let connection: ConnectionTarget
let database: DatabaseHandle

beforeEach(async () => {
  // Short, because it holds a socket.
  folder = mkdtempSync(join(tmpdir(), 'bw-'))
  execFileSync('chmod', ['755', folder])
  await start('primary')
  await migrate(connection)
})
afterEach(async () => {
  await database.close()
  await server.stop()
  rmSync(folder, { recursive: true })
})

/** Starts the server of a cluster; all are reached by the same address. */
async function start(cluster: string): Promise<void> {
  server = await startEmbeddedPostgres({ dataDir: join(folder, cluster), fsync: false })
  const host = join(folder, 'socket')
  rmSync(host, { force: true })
  symlinkSync(server.connection.host ?? '', host)
  connection = { ...server.connection, host }
}

function search(eventSearch: EventSearch): Promise<Found> {
  return inTransaction(database.db, (trx) => eventSearch.begin().find(trx, everyEvent(NOW), byTime), {
    isSnapshot: true,
  })
}

test('after a failover that lost the newest changes, the index shows nothing that the database does not have', async () => {
  database = await connectDatabase({ connection, poolSize: 2 })
  const { eventIds } = await buildEventFixture(database.db, { events: 50, now: NOW })
  await server.stop()
  execFileSync('cp', ['-a', join(folder, 'primary'), join(folder, 'standby')])
  await start('primary')

  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) })
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const options = { worthFrom: -1, advanceMs: 20, saveMs: 0, saveFrom: 1 }
  const index = startEventIndex({ database: { db: database.db, connection }, dataDir, log, ...options })
  try {
    await expect.poll(() => index.state()).toMatchObject({ engine: 'index', isReady: true })
    for (const id of eventIds) {
      await database.db.updateTable('service_event').set({ alert_status: 1 }).where('id', '=', id).execute()
    }
    const lost = await search(index)
    await server.stop()

    // The copy goes on in a timeline of its own, as a standby does that is promoted. Its transactions repeat the ids of
    // the lost ones.
    appendFileSync(join(folder, 'standby', 'postgresql.auto.conf'), "restore_command = 'false'\n")
    writeFileSync(join(folder, 'standby', 'recovery.signal'), '')
    await start('standby')
    const isCopying = () => sql<{ is: boolean }>`SELECT pg_is_in_recovery() AS is`.execute(database.db)
    await expect.poll(async () => (await isCopying()).rows).toEqual([{ is: false }])
    for (let more = 0; more < 2 * eventIds.length; more += 1) {
      await sql`SELECT pg_current_xact_id()`.execute(database.db)
    }
    await expect.poll(() => lines.join()).toContain('its file belongs to another history of the database')
    await expect.poll(() => index.state()).toMatchObject({ engine: 'index', isReady: true })
    const found = await search(index)
    expect(found).toEqual(await search(postgresSearch))
    expect(found).not.toEqual(lost)
  } finally {
    await index.stop()
  }
})
