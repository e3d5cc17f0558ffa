import { anInstrument } from '@benchwatch/samples/registry-objects'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Trx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { messagesOf } from '../../testing/log-lines.ts'
import { registerSampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { waitingFor } from '../../testing/waiting-for-lock.ts'
import { lockInstruments } from '../ingest/inbox.store.ts'
import { appendLogLines } from '../ingest/readings.store.ts'

let server: TestApp
let admin: Caller
let nordic: Caller

beforeAll(async () => {
  const database = await testDatabase()
  const { customers } = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database)
  admin = await server.as(await addSamplePerson(database, { login: 'admin@x.example', role: 'admin' }))
  nordic = await server.as(
    await addSamplePerson(database, { login: 'n@nordic.example', role: 'customer', scope: [customers.nordic] }),
  )
})
afterAll(() => server.close())

const movedTo = (key: string) =>
  anInstrument({ key, site: 'nordic-pharma-oslo', gateway: 'GW-OSL-01', contract: null, contact: null })

/** Writes a line as ingest does, which locks the instrument first. */
async function report(
  trx: Trx,
  { key, message, meanwhile }: { key: string; message: string; meanwhile?: () => Promise<void> },
) {
  const instrumentId = (await lockInstruments(trx, [key])).get(key)?.id ?? 0
  await meanwhile?.()
  server.clock.advance(1000)
  const at = server.clock.now()
  await appendLogLines(trx, { lines: [{ instrumentId, logType: 'VID', timestamp: at, message }], now: at })
  server.clock.advance(1000)
}

test.each([
  [
    'a registration',
    'IP-20431187',
    ({ key, input: body }: ReturnType<typeof movedTo>) => admin.call('putInstrument', { params: { key }, body }),
  ],
  [
    'an import',
    'IP-20431188',
    ({ key, input }: ReturnType<typeof movedTo>) =>
      admin.call('importRegistry', {
        query: { kind: 'instruments', dryRun: 'false' },
        body: JSON.stringify({ key, ...input }),
        headers: { 'content-type': 'application/x-ndjson' },
      }),
  ],
])('what %s waits for still belongs to the former customer of the instrument', async (_name, key, move) => {
  const { db } = server.database
  const moving: ReturnType<typeof move>[] = []
  await inTransaction(db, (trx) => {
    const meanwhile = async () => {
      moving.push(move(movedTo(key)))
      await waitingFor(trx)
    }
    return report(trx, { key, message: 'of Helix', meanwhile })
  })
  const [answer] = await Promise.all(moving)
  expect(answer?.status).toBe(200)
  await inTransaction(db, (trx) => report(trx, { key, message: 'of Nordic' }))
  const query = { logType: 'VID', instrumentInstalledProductId: key } as const
  const { body } = await nordic.call('listInstrumentLogs', { query })
  expect(messagesOf(body.body.hits.hits)).toEqual(['of Nordic'])
})
