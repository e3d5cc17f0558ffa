import type { UnnumberedLiveMessage } from '@benchwatch/contract/live'
import { beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { lockPosition, takePublished } from './deliveries.store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})

describe('messages of a long outage, which are published together', () => {
  it('are considered in bounded batches, and a change is never split', async () => {
    const change = (seq: number) => Math.ceil((seq + 1) / 2)
    const published = Array.from({ length: 25 }, (_, index) => {
      const seq = index + 1
      const head = { id: '7', eventId: '7', version: change(seq), instrumentInstalledProductId: 'IP-1' }
      const payload = { ...head, claimedBy: '5', claimedByName: null }
      const message: UnnumberedLiveMessage = { entity: 'alarm', action: 'update', property: 'claimedBy', payload }
      return { seq, customer_id: null, user_id: null, message: JSON.stringify(message), published_at: new Date(0) }
    })
    await database.db.insertInto('live_message').values(published).execute()
    const batches: number[][] = []
    const take = () =>
      inTransaction(database.db, async (trx) =>
        takePublished(trx, { seq: await lockPosition(trx), after: 0, limit: 5 }),
      )
    for (let batch = await take(); batch.length > 0; batch = await take()) batches.push(batch.map(({ seq }) => seq))
    expect(batches.map((batch) => batch.length)).toEqual([5, 6, 6, 6, 2])
    expect(batches.flat()).toEqual(published.map(({ seq }) => seq))
  })
})
