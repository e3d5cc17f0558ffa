import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { switchFlag } from '../../testing/switched-flags.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

/** An instrument without a contract. */
const subject = 'IP-20431188'
let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let support: Caller
let epochs = 0

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  app = await testApp(database)
  support = await app.as(await addSamplePerson(database, { login: 'sara@benchwatch.example', role: 'support' }))
  await switchFlag(database, 'BACKOFFICE', { value: true })
})
beforeEach(forgetEvents)
afterAll(() => app.close())

async function forgetEvents() {
  for (const table of ['held_back_event', 'latched_alert', 'service_event', 'pending_clear'] as const)
    await database.db.deleteFrom(table).execute()
}

const holdsBack = (value: boolean) => switchFlag(database, 'CREATE_EVENTS_WITH_CONTRACT_ONLY', { value })

/** A step in the life of an alarm: `1` raises it under this ID, `-1` clears that ID. */
type Happening = number

/** Sends batches; times and descriptions show which step an event refers to. */
function gateway() {
  epochs += 1
  const items = gatewayItems(`c${epochs}`, TEST_NOW)
  let count = 0
  return async (...batches: Happening[][]) => {
    for (const batch of batches) {
      const payload = batch.map((happening) => {
        count += 1
        const alertId = String(Math.abs(happening))
        if (happening < 0) return items.cleared(alertId, { subject })
        return items.raised({ alertId, description: `Happening ${count}`, userMessage: `Say ${count}` }, { subject })
      })
      const answer = await app.app.http.inject({
        method: 'POST',
        url: '/api/ingest/v1/gateways/GW-UPP-01/batches',
        headers: { authorization: `Bearer ${fleet.gateways.helix.key}` },
        payload,
      })
      expect(answer.json()).toMatchObject({ accepted: batch.length, rejected: [] })
    }
  }
}

const heldBack = async () =>
  (await support.call('listHeldBackEvents', { query: { state: 'open' } })).body.values.toReversed()

async function releaseAll(): Promise<void> {
  for (const { id } of await heldBack())
    expect((await support.call('releaseHeldBackEvent', { params: { id } })).status).toBe(201)
}

/** Returns the alarm's own fields, in the order of its raises. */
async function events() {
  const { body } = await support.call('listServiceEvents', { query: {}, body: {} })
  return body.values
    .map(({ alarm }) => alarm)
    .map(({ alertId, description, userMessage, logGeneratedAt, latchedCount, clearedAt, severity, alertStatus }) => ({
      alertId,
      description,
      userMessage,
      logGeneratedAt,
      latchedCount,
      clearedAt,
      severity,
      alertStatus,
    }))
    .toSorted((one, other) => one.logGeneratedAt.localeCompare(other.logGeneratedAt))
}

/** Returns the events created when the flag is off. */
async function madeAtOnce(...batches: Happening[][]) {
  await holdsBack(false)
  await gateway()(...batches)
  const made = await events()
  await forgetEvents()
  await holdsBack(true)
  return made
}

describe('a released event is as the one that would have been made', () => {
  const runs: [string, Happening[][]][] = [
    ['two raises in two batches', [[1], [2]]],
    ['two raises in one batch', [[1, 2]]],
    ['three raises in two batches', [[1], [2, 3]]],
    ['three raises in one batch', [[1, 2, 3]]],
    ['three raises in three batches, the first id again', [[1], [2], [1]]],
  ]
  const clears = runs.flatMap(([what, raises]) =>
    [...new Set(raises.flat())].map((id): [string, number, Happening[][]] => [what, id, raises]),
  )

  test.each(runs)('%s, not cleared', async (_what, raises) => {
    const expected = await madeAtOnce(...raises)
    expect(expected).toMatchObject([{ alertId: '1', description: 'Happening 1', clearedAt: null }])
    await gateway()(...raises)
    expect(await heldBack()).toMatchObject([{ raises: raises.flat().length, description: 'Happening 1' }])
    await releaseAll()
    expect(await events()).toEqual(expected)
  })

  test.each(clears)('%s, id %i cleared before the release', async (_what, id, raises) => {
    const expected = await madeAtOnce(...raises, [-id])
    expect(expected).toMatchObject([{ alertId: '1', clearedAt: expect.any(String) }])
    await gateway()(...raises, [-id])
    await releaseAll()
    expect(await events()).toEqual(expected)
  })

  test.each(clears)('%s, id %i cleared after the release', async (_what, id, raises) => {
    const expected = await madeAtOnce(...raises, [-id])
    const send = gateway()
    await send(...raises)
    await releaseAll()
    expect(await events()).toMatchObject([{ clearedAt: null }])
    await send([-id])
    expect(await events()).toEqual(expected)
  })

  test.each<[string, Happening[][]]>([
    ['a repeat and the clear of the first in one batch', [[1], [2, -1]]],
    ['everything in one batch', [[1, 2, -1]]],
    ['a clear that overtakes its repeat', [[1], [-2], [2]]],
    ['a clear that overtakes its raise, in one batch', [[-1, 1]]],
    ['a raise after a clear', [[1], [2], [-1], [3], [4]]],
    ['a raise after a clear, in the batch of the clear', [[1, 2], [-2, 3], [-3]]],
    ['raised anew under the same id, in one batch', [[1, -1, 1]]],
    ['raised anew three times', [[1], [-1], [1], [-1], [1, 2]]],
  ])('%s', async (_what, batches) => {
    const expected = await madeAtOnce(...batches)
    await gateway()(...batches)
    expect(await heldBack()).toMatchObject(
      expected.map(({ description, latchedCount, logGeneratedAt }) => ({
        description,
        raises: latchedCount + 1,
        raisedAt: logGeneratedAt,
      })),
    )
    await releaseAll()
    expect(await events()).toEqual(expected)
  })
})

describe('beside an event of the same alarm that was made meanwhile', () => {
  test('the release counts all its raises there, and each of their ids ends it', async () => {
    for (const id of [1, 2, 3]) {
      const send = gateway()
      await holdsBack(true)
      await send([1], [2])
      await holdsBack(false)
      await send([3])
      await releaseAll()
      expect(await events()).toMatchObject([{ alertId: '3', latchedCount: 2, clearedAt: null }])
      await send([-id])
      expect(await events()).toMatchObject([{ alertId: '3', clearedAt: expect.any(String) }])
      await forgetEvents()
    }
  })

  test('one that had returned to normal before is an event of its own', async () => {
    const send = gateway()
    await holdsBack(true)
    await send([1], [2], [-1])
    await holdsBack(false)
    await send([3])
    await releaseAll()
    expect(await events()).toMatchObject([
      { alertId: '1', latchedCount: 1, clearedAt: expect.any(String) },
      { alertId: '3', latchedCount: 0, clearedAt: null },
    ])
  })

  test('once that has returned to normal a raise is counted on what is held back', async () => {
    const send = gateway()
    await holdsBack(true)
    await send([1])
    await holdsBack(false)
    await send([2])
    await holdsBack(true)
    await send([-2, 3])
    expect(await heldBack()).toMatchObject([{ raises: 2 }])
    await send([-3])
    await releaseAll()
    expect(await events()).toMatchObject([
      { alertId: '1', latchedCount: 1, clearedAt: expect.any(String) },
      { alertId: '2', latchedCount: 0, clearedAt: expect.any(String) },
    ])
  })
})
