import type { UnnumberedLiveMessage } from '@benchwatch/contract/live'
import type { WebhookInput } from '@benchwatch/contract/messages/webhooks'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { connectClient, type Trx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { hasDueDelivery, insertDeliveries, lockPosition, readDueDelivery, takePublished } from './deliveries.store.ts'
import { insertWebhook, lockWebhook, noteReceiver, takeWebhook } from './webhooks.store.ts'

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

const at = new Date('2026-11-20T14:00:00Z')

async function addWebhook(login: string): Promise<number> {
  const ownerId = await addSamplePerson(database, { login })
  const secrets = { url: 'https://hooks.example.com/x', routingKey: null, secret: 'whsec_AAAA', previousSecret: null }
  const input: WebhookInput = {
    name: 'Duty',
    url: secrets.url,
    format: 'plain',
    routingKey: null,
    occasions: ['event.raised'],
    filter: {} as WebhookInput['filter'],
    isOn: true,
  }
  return inTransaction(database.db, (trx) => insertWebhook(trx, { ownerId, input, secrets, at }))
}

const deliveriesOf = (webhookId: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    webhookId,
    messageId: `msg_${webhookId}_${index}`,
    occasion: 'event.raised' as const,
    key: `raised/${index}`,
    subject: `event/${index}`,
    eventId: null,
    customerId: null,
    body: '{}',
    giveUpAt: new Date(at.getTime() + 86_400_000),
  }))

describe('a webhook that its receiver ends while deliveries are decided', () => {
  it('gets none of them, which nobody would send or park', async () => {
    const owner = await connectClient(database.owner)
    const waitingForLock = async () => {
      const { rows } = await owner.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
      return rows.length
    }
    const webhookId = await addWebhook('ended@benchwatch.example')
    const deliveries = deliveriesOf(webhookId, 2)
    let decided: Promise<void> | undefined
    await inTransaction(database.db, async (trx) => {
      await lockWebhook(trx, webhookId)
      decided = inTransaction(database.db, (other) => insertDeliveries(other, { deliveries, at }))
      await expect.poll(waitingForLock).toBe(1)
      const state = { failures: 1, openUntil: null, isGone: true, hasSent: false }
      await noteReceiver(trx, { id: webhookId, state, at })
    })
    await decided
    await owner.end()
    expect(await database.db.selectFrom('webhook_delivery').select('id').execute()).toEqual([])
    await database.db.deleteFrom('webhook').execute()
  })
})

describe('a long backlog', () => {
  /** Returns how many rows and index entries of deliveries this transaction has read. */
  async function readSoFar(trx: Trx): Promise<number> {
    const { rows } = await sql<{ entries: number }>`
      SELECT sum(pg_stat_get_xact_tuples_returned(c.oid))::int AS entries FROM pg_class c
      WHERE c.oid = 'webhook_delivery'::regclass
        OR c.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'webhook_delivery'::regclass)`.execute(trx)
    return rows[0]?.entries ?? Number.NaN
  }

  it.each([
    ['before the planner knows of it', false],
    ['once the planner knows of it', true],
  ])('is not read for each delivery, %s', async (_when, isAnalyzed) => {
    const webhookId = await addWebhook(`owner-${isAnalyzed}@benchwatch.example`)
    const deliveries = deliveriesOf(webhookId, 10_000)
    await inTransaction(database.db, (trx) => insertDeliveries(trx, { deliveries, at }))
    if (isAnalyzed) {
      const owner = await connectClient(database.owner)
      await owner.query('ANALYZE webhook_delivery')
      await owner.end()
    }
    await database.db.transaction().execute(async (trx) => {
      const before = await readSoFar(trx)
      expect(await hasDueDelivery(trx, at)).toBe(true)
      expect((await takeWebhook(trx, { at, busyUntil: new Date(at.getTime() + 60_000) }))?.id).toBe(webhookId)
      expect((await readDueDelivery(trx, { webhookId, at }))?.messageId).toBe(`msg_${webhookId}_0`)
      expect((await readSoFar(trx)) - before).toBeLessThan(100)
    })
    await database.db.deleteFrom('webhook').execute()
  })
})
