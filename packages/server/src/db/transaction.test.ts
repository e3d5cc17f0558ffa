import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../testing/test-database.ts'
import { connectDatabase } from './connect.ts'
import { inTransaction } from './transaction.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await testDatabase()
  await database.db.deleteFrom('customer').execute()
})

function addCustomer(db: Parameters<typeof inTransaction>[0], key: string) {
  return db.insertInto('customer').values({ key, name: key, name_folded: key }).execute()
}

async function customers(db: Parameters<typeof inTransaction>[0]): Promise<string[]> {
  const rows = await db.selectFrom('customer').select('key').orderBy('key').execute()
  return rows.map(({ key }) => key)
}

/** Fails as PostgreSQL does, with this error code. */
async function fail(db: Parameters<typeof inTransaction>[0], code: string): Promise<never> {
  await sql.raw(`DO $$ BEGIN RAISE EXCEPTION 'on purpose' USING ERRCODE = '${code}'; END $$`).execute(db)
  throw new Error('The statement should have failed.')
}

describe('a transaction', () => {
  it('keeps all of its work or none', async () => {
    await inTransaction(database.db, (trx) => addCustomer(trx, 'kept'))
    const failing = inTransaction(database.db, async (trx) => {
      await addCustomer(trx, 'lost')
      await addCustomer(trx, 'kept')
    })
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    expect(await customers(database.db)).toEqual(['kept'])
  })

  it('that loses a deadlock runs again, so that both succeed', async () => {
    await addCustomer(database.db, 'a')
    await addCustomer(database.db, 'b')
    let runs = 0
    let held = 0
    const bothHoldOne = Promise.withResolvers<void>()
    const rename = (keys: string[], name: string) =>
      inTransaction(database.db, async (trx) => {
        runs += 1
        for (const key of keys) {
          await trx.updateTable('customer').set({ name }).where('key', '=', key).execute()
          held += 1
          if (held === 2) bothHoldOne.resolve()
          await bothHoldOne.promise
        }
        return name
      })
    expect(await Promise.all([rename(['a', 'b'], 'one'), rename(['b', 'a'], 'two')])).toEqual(['one', 'two'])
    expect(runs).toBe(3)
    const names = await database.db.selectFrom('customer').select('name').distinct().execute()
    expect(names).toHaveLength(1)
  })

  it('gives up after three repetitions', async () => {
    let runs = 0
    const unlucky = inTransaction(database.db, (trx) => {
      runs += 1
      return fail(trx, '40001')
    })
    await expect(unlucky).rejects.toMatchObject({ code: '40001' })
    expect(runs).toBe(4)
  })

  it('is not repeated for any other failure', async () => {
    let runs = 0
    const wrong = inTransaction(database.db, (trx) => {
      runs += 1
      return fail(trx, '23514')
    })
    await expect(wrong).rejects.toMatchObject({ code: '23514' })
    expect(runs).toBe(1)
  })

  it('within another one is part of it', async () => {
    const outer = inTransaction(database.db, async (trx) => {
      await inTransaction(trx, (inner) => addCustomer(inner, 'inner'))
      throw new Error('on purpose')
    })
    await expect(outer).rejects.toThrow('on purpose')
    expect(await customers(database.db)).toEqual([])
  })

  it('may have a statement time-out of its own, which ends with it', async () => {
    const timeout = async (db: Parameters<typeof inTransaction>[0]) =>
      (await sql<{ value: string }>`SELECT current_setting('statement_timeout') AS value`.execute(db)).rows[0]?.value
    expect(await inTransaction(database.db, timeout, { statementTimeoutMs: 60_000 })).toBe('1min')
    expect(await timeout(database.db)).toBe('4s')
    const slow = inTransaction(database.db, (trx) => sql`SELECT pg_sleep(5)`.execute(trx), { statementTimeoutMs: 50 })
    await expect(slow).rejects.toMatchObject({ code: '57014' })
  })

  it('that is a snapshot sees one moment, changes nothing and leaves its connection free', async () => {
    const { owner } = await testDatabase()
    const single = await connectDatabase({ connection: owner, poolSize: 1 })
    try {
      await inTransaction(single.db, customers, { isSnapshot: true })
      await addCustomer(single.db, 'before')
      const seen = await inTransaction(
        single.db,
        async (trx) => {
          const first = await customers(trx)
          await addCustomer(database.db, 'meanwhile')
          return [first, await customers(trx)]
        },
        { isSnapshot: true },
      )
      expect(seen).toEqual([['before'], ['before']])
      const writing = inTransaction(single.db, (trx) => addCustomer(trx, 'never'), { isSnapshot: true })
      await expect(writing).rejects.toMatchObject({ code: '25006' })
      await addCustomer(single.db, 'after')
      expect(await customers(single.db)).toEqual(['after', 'before', 'meanwhile'])
    } finally {
      await single.close()
    }
  })
})
