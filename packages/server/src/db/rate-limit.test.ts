import { beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../testing/test-database.ts'
import { forgetOldTurns, takeTurn, turnLeft } from './rate-limit.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 14, 0, seconds))
const limit = (key: string, seconds = 0) => ({ key, limit: 3, windowSeconds: 60, at: at(seconds) })

describe('a limit', () => {
  test('allows so many in a window, then says when the next one begins', async () => {
    for (const second of [0, 10, 59]) {
      expect(await takeTurn(database.db, limit('one', second))).toEqual({ isAllowed: true })
    }
    expect(await takeTurn(database.db, limit('one', 59))).toEqual({ isAllowed: false, retryAfter: 1 })
    expect(await turnLeft(database.db, limit('one', 20))).toEqual({ isAllowed: false, retryAfter: 40 })
    expect(await takeTurn(database.db, limit('other', 59))).toEqual({ isAllowed: true })
    expect(await takeTurn(database.db, limit('one', 60))).toEqual({ isAllowed: true })
  })

  test('holds however many ask at once', async () => {
    const turns = await Promise.all(Array.from({ length: 30 }, () => takeTurn(database.db, limit('many'))))
    expect(turns.filter(({ isAllowed }) => isAllowed)).toHaveLength(3)
  })

  test('is not used up by asking whether something is left', async () => {
    for (let count = 0; count < 5; count += 1) {
      expect(await turnLeft(database.db, limit('asked'))).toEqual({ isAllowed: true })
    }
  })

  test('counts nothing where the transaction of what is counted fails', async () => {
    const failing = database.db.transaction().execute(async (trx) => {
      await takeTurn(trx, limit('failing'))
      throw new Error('went wrong')
    })
    await expect(failing).rejects.toThrow('went wrong')
    const rows = await database.db.selectFrom('rate_count').selectAll().where('key', '=', 'failing').execute()
    expect(rows).toEqual([])
  })

  test('is forgotten when its window has ended', async () => {
    await takeTurn(database.db, limit('old'))
    await takeTurn(database.db, limit('old', 60))
    await forgetOldTurns(database.db, at(61))
    const rows = await database.db.selectFrom('rate_count').select('window_start').where('key', '=', 'old').execute()
    expect(rows).toEqual([{ window_start: at(60) }])
  })
})
