import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { connectDatabase } from '../../db/connect.ts'
import { createLog } from '../../platform/log.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { createReadiness } from './system.routes.ts'

const log = createLog('silent')
afterEach(() => vi.restoreAllMocks())

test('however often it is asked, the database is asked once a second', async () => {
  const database = await testDatabase()
  const asked = vi.spyOn(database.pool, 'query')
  let now = 0
  const findReason = createReadiness({ database, log, now: () => now })
  const rounds = async () => {
    await Promise.all([findReason(), findReason()])
    await findReason()
    return asked.mock.calls.filter(([text]) => String(text).includes('schema_migration')).length
  }
  expect(await rounds()).toBe(1)
  now = 999
  expect(await rounds()).toBe(1)
  now = 1000
  expect(await rounds()).toBe(2)
})

test('a server is ready once ingest reaches the database too, bypassing the pooler', async () => {
  const database = await testDatabase()
  const besides = await connectDatabase({ connection: database.owner, poolSize: 2 })
  const findReason = createReadiness({ database: { ...database, intakePool: besides.intakePool }, log, now: () => 0 })
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const taken = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
  // As if each connection of ingest waited for a primary.
  const holding = taken.map(({ resolve }) =>
    besides.intakePool.connect().then(async (client) => {
      resolve()
      await held
      client.release()
    }),
  )
  await Promise.all(taken.map(({ promise }) => promise))
  const reason = findReason()
  // The requests of a second check of this kind, which does not ask ingest's pool, are answered by then.
  await createReadiness({ database, log, now: () => 0 })()
  expect(await Promise.race([reason, Promise.resolve('waiting')])).toBe('waiting')
  release()
  expect(await reason).toBeNull()
  await Promise.all(holding)
  await besides.close()
  const afterwards = createReadiness({ database: { ...database, intakePool: besides.intakePool }, log })
  expect(await afterwards()).toBe('The database is not responding.')
})

test('a server whose database has a full disk is not ready, and is tried again after five seconds', async () => {
  const database = await testDatabase()
  const reasonAfter = (ms: number) =>
    createReadiness({ database, log, now: () => database.diskFullAt() + ms })().then(String)
  expect(await createReadiness({ database, log })()).toBeNull()
  for (const db of [database.db, database.intake]) {
    const failed = sql`DO $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$`.execute(db)
    await expect(failed).rejects.toThrow('no space left')
    expect(await createReadiness({ database, log })()).toBe('The disk of the database is full.')
    expect([await reasonAfter(4990), await reasonAfter(5010)]).toEqual(['The disk of the database is full.', 'null'])
  }
})
