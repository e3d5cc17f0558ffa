import type { EventOutcomes } from '@benchwatch/contract/events/event-details'
import { type CloseReason, closeReasons, outcomeLimits } from '@benchwatch/contract/vocabulary'
import { aCustomer, aSite } from '@benchwatch/samples/registry-objects'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../db/transaction.ts'
import { registerSampleFleet, type SampleFleet } from '../../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import { upsertCustomers, upsertSites } from '../../registry/customers.store.ts'
import { insertServiceEvents } from '../events.store.ts'
import { isAnonymous } from './outcomes.queries.ts'

const PRESSURE = 'P9B-1042'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let engineer: Caller
let helix: Caller
let nordic: Caller
/** Sites with their customers: Helix first, then four others. */
let places: { id: number; customer_id: number }[]

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
  const others = ['atlas', 'boreal', 'cedar', 'delta']
  await inTransaction(database.db, async (trx) => {
    const writing = { actor: { type: 'command', name: 'test' } as const, at: TEST_NOW }
    await upsertCustomers(
      trx,
      writing,
      others.map((key) => aCustomer({ key, name: key })),
    )
    await upsertSites(
      trx,
      writing,
      others.map((key) => aSite({ key: `${key}-site`, customer: key, name: key })),
    )
  })
  const add = async (login: string, person: object) => app.as(await addSamplePerson(database, { login, ...person }))
  engineer = await add('engineer@benchwatch.example', { name: 'Ines Berg' })
  helix = await add('lab@helixbio.example', { role: 'customer', scope: [fleet.customers.helix] })
  nordic = await add('lab@nordic.example', { role: 'customer', scope: [fleet.customers.nordic] })
  const sites = await database.db.selectFrom('site').select(['id', 'customer_id']).orderBy('id').execute()
  const own = sites.filter(({ customer_id }) => customer_id === fleet.customers.helix)
  const foreign = sites.filter(
    ({ customer_id }) => customer_id !== fleet.customers.helix && customer_id !== fleet.customers.nordic,
  )
  places = [...own, ...foreign]
})
afterAll(() => app.close())
beforeEach(() => database.db.deleteFrom('service_event').execute())

/** Returns the instant this many days before the test's now. */
const daysAgo = (days: number) => new Date(TEST_NOW.getTime() - days * 24 * 3_600_000)

interface Happened {
  /** Days before now when it was raised, and closed. */
  raised: number
  closed?: number
  reason?: CloseReason
  instrument?: number
  /** Index into `places`. */
  place?: number
  templateId?: string
}

let alerts = 0

/** Stores events as they were raised and closed; returns their ids. */
async function happen(...events: Happened[]): Promise<string[]> {
  const ids = await insertServiceEvents(
    database.db,
    events.map(({ raised, instrument, place = 0, templateId = PRESSURE }) => {
      alerts += 1
      return {
        createdAt: daysAgo(raised),
        logGeneratedAt: daysAgo(raised),
        clearedAt: daysAgo(raised),
        alertId: `outcome-${alerts}`,
        templateId,
        severity: 'high' as const,
        alertType: 1 as const,
        alertSource: 'INSTRUMENT',
        description: 'Pressure limit exceeded',
        userMessage: null,
        instrumentId: instrument ?? fleet.instruments.first,
        componentId: null,
        gatewayId: fleet.gateways.helix.id,
        siteId: places[place]?.id ?? 0,
        customerId: places[place]?.customer_id ?? 0,
        instrumentStatusAtEvent: null,
        fullSupport: false,
      }
    }),
  )
  for (const [index, { closed, reason = 'No action required' }] of events.entries()) {
    if (closed === undefined) continue
    await database.db
      .updateTable('service_event')
      .set({ alert_status: 3, closed_at: daysAgo(closed), reason_closed: closeReasons.indexOf(reason) + 1 })
      .where('id', '=', ids.get(index) ?? 0)
      .execute()
  }
  return events.map((_, index) => String(ids.get(index)))
}

async function outcomes(id: string | undefined, caller = engineer): Promise<EventOutcomes> {
  const answer = await caller.call('getEventOutcomes', { params: { id: id ?? '' } })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

describe('outcomes of the same error', () => {
  test('count its closed events by reason, the most frequent first, with the median time to close', async () => {
    const [event] = await happen(
      { raised: 1 },
      { raised: 50, closed: 49, reason: 'Service Case Created' },
      { raised: 60, closed: 57, reason: 'Service Case Created' },
      { raised: 70, closed: 60, reason: 'Service Case Created' },
      { raised: 80, closed: 79, reason: 'Duplicate event' },
      { raised: 90, closed: 80, reason: 'Duplicate event', templateId: 'UV-2001' },
    )
    const answer = await outcomes(event)
    expect(answer.everywhere).toBeNull()
    expect(
      answer.inScope.values.map(({ reasonClosed, events, medianSeconds }) => [reasonClosed, events, medianSeconds]),
    ).toEqual([
      ['Service Case Created', 3, 3 * 24 * 3600],
      ['Duplicate event', 1, 24 * 3600],
    ])
  })

  test('leave out the event itself', async () => {
    const [event] = await happen({ raised: 9, closed: 8 }, { raised: 20, closed: 19 })
    expect((await outcomes(event)).inScope.values).toMatchObject([{ events: 1 }])
  })

  test('say how often the error came back on the same instrument within 7 and 30 days of closing', async () => {
    const { first, second } = fleet.instruments
    await happen(
      // Came back after 6 days.
      { raised: 100, closed: 99, instrument: first },
      // Came back after 20 days.
      { raised: 93, closed: 92, instrument: first },
      // The next one was raised before this was closed, so it did not come back.
      { raised: 72, closed: 10, instrument: first },
      { raised: 71, instrument: first },
      // Another instrument, and another error.
      { raised: 91, closed: 90, instrument: second },
      { raised: 89, instrument: second, templateId: 'UV-2001' },
    )
    const [asked] = await happen({ raised: 8, instrument: second })
    const [row] = (await outcomes(asked)).inScope.values
    expect(row).toMatchObject({
      events: 4,
      within7Days: { events: 4, cameBack: 1 },
      // The one closed 10 days ago may still come back within 30 days.
      within30Days: { events: 3, cameBack: 2 },
    })
  })

  test('do not count a return at the moment of closing, nor one after the last day', async () => {
    await happen({ raised: 50, closed: 40 }, { raised: 40 }, { raised: 32.9 })
    const [asked] = await happen({ raised: 1, instrument: fleet.instruments.second })
    const [row] = (await outcomes(asked)).inScope.values
    expect(row).toMatchObject({ within7Days: { cameBack: 0 }, within30Days: { cameBack: 1 } })
  })

  test('reach three years back', async () => {
    const [event] = await happen({ raised: 1 }, { raised: 1095, closed: 1094 }, { raised: 1097, closed: 1096 })
    const answer = await outcomes(event)
    expect(answer.inScope.values).toMatchObject([{ events: 1 }])
    expect(answer.inScope.start).toBe('2023-11-20T14:00:00.000Z')
  })

  test('show callers only events of their own customers', async () => {
    const [event] = await happen({ raised: 1 }, { raised: 9, closed: 8 }, { raised: 9, closed: 8, place: 1 })
    expect((await outcomes(event, helix)).inScope.values).toMatchObject([{ events: 1 }])
  })

  test('another customer’s event is answered like one that does not exist', async () => {
    const [event] = await happen({ raised: 1 })
    const foreign = await nordic.call('getEventOutcomes', { params: { id: event ?? '' } })
    expect(foreign.status).toBe(404)
    const missing = await nordic.call('getEventOutcomes', { params: { id: '999999999' } })
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
  })
})

describe('outcomes of all customers', () => {
  const ofPlaces = (count: number, reason: CloseReason = 'No action required') =>
    Array.from({ length: count }, (_, place) => ({ raised: 60, closed: 59, place, reason }))

  test('are hidden while a reason has events of four customers, and shown from five on', async () => {
    const [event] = await happen({ raised: 1 }, ...ofPlaces(4))
    expect((await outcomes(event, helix)).everywhere?.values).toEqual([])
    await happen({ raised: 60, closed: 59, place: 4 })
    expect((await outcomes(event, helix)).everywhere?.values).toEqual([
      {
        reasonClosed: 'No action required',
        events: 5,
        medianSeconds: 24 * 3600,
        within7Days: { events: 5, cameBack: 0 },
        within30Days: { events: 5, cameBack: 0 },
      },
    ])
  })

  test('are counted for each reason alone, and for each period of returns', async () => {
    const [event] = await happen(
      { raised: 1 },
      ...ofPlaces(5),
      ...ofPlaces(4, 'Duplicate event'),
      ...ofPlaces(4, 'Customer resolved on own'),
      { raised: 10, closed: 9, place: 4, reason: 'Customer resolved on own' },
    )
    expect((await outcomes(event, helix)).everywhere?.values).toMatchObject([
      { reasonClosed: 'Customer resolved on own', events: 5, within7Days: { events: 5 }, within30Days: null },
      { reasonClosed: 'No action required', events: 5 },
    ])
  })

  test('contain nothing from which one customer’s counts can be derived', () => {
    const five = [1, 2, 3, 4, 5]
    expect(isAnonymous(five, [])).toBe(true)
    expect(isAnonymous(five, [1])).toBe(true)
    expect(isAnonymous(five, [1, 2])).toBe(false)
    expect(isAnonymous([...five, 6], [1, 2])).toBe(true)
    expect(isAnonymous([1, 2, 3, 4], [])).toBe(false)
    expect(outcomeLimits.customers).toBe(5)
  })
})
