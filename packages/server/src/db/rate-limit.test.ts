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
  test('allows so many, then says when there is room again', async () => {
    for (const second of [0, 10, 59]) {
      expect(await takeTurn(database.db, limit('one', second))).toEqual({ isAllowed: true })
    }
    expect(await takeTurn(database.db, limit('one', 59))).toEqual({ isAllowed: false, retryAfter: 1 })
    expect(await takeTurn(database.db, limit('other', 59))).toEqual({ isAllowed: true })
    expect(await takeTurn(database.db, limit('one', 60))).toEqual({ isAllowed: true })
    expect(await takeTurn(database.db, limit('one', 60))).toEqual({ isAllowed: false, retryAfter: 10 })
    expect(await turnLeft(database.db, limit('one', 69))).toEqual({ isAllowed: false, retryAfter: 1 })
    expect(await turnLeft(database.db, limit('one', 70))).toEqual({ isAllowed: true })
  })

  test('allows no more than its number in any period, and never asks for a longer wait', async () => {
    const taken: number[] = []
    for (let second = 0; second < 400; second += 7) {
      const turn = await takeTurn(database.db, limit('any', second))
      if (turn.isAllowed) taken.push(second)
      else expect(turn.retryAfter).toBeLessThanOrEqual(60)
    }
    for (const from of taken) {
      expect(taken.filter((second) => second >= from && second < from + 60).length).toBeLessThanOrEqual(3)
    }
    // Three every 63 s, starting seven seconds after a minute.
    expect(taken).toHaveLength(21)
  })

  test('is whole again after a rest', async () => {
    for (let count = 0; count < 3; count += 1) await takeTurn(database.db, limit('rested'))
    for (let count = 0; count < 3; count += 1) {
      expect(await takeTurn(database.db, limit('rested', 60))).toEqual({ isAllowed: true })
    }
    expect(await takeTurn(database.db, limit('rested', 60))).toEqual({ isAllowed: false, retryAfter: 60 })
  })

  test('applies to any number of simultaneous requests', async () => {
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
    const rows = await database.db.selectFrom('rate_use').selectAll().where('key', '=', 'failing').execute()
    expect(rows).toEqual([])
  })

  test('is forgotten when its uses count no more', async () => {
    await takeTurn(database.db, limit('old'))
    await takeTurn(database.db, limit('newer', 1))
    await forgetOldTurns(database.db, at(60))
    const rows = await database.db.selectFrom('rate_use').select('key').where('key', 'in', ['old', 'newer']).execute()
    expect(rows).toEqual([{ key: 'newer' }])
  })
})
