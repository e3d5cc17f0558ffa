import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
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
    return asked.mock.calls.filter(([text]) => String(text).includes('pg_is_in_recovery')).length
  }
  expect(await rounds()).toBe(1)
  now = 999
  expect(await rounds()).toBe(1)
  now = 1000
  expect(await rounds()).toBe(2)
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
