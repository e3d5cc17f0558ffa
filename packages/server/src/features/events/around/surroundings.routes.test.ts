import type { EventSurroundings } from '@benchwatch/contract/events/event-details'
import type { InstrumentStatus } from '@benchwatch/contract/vocabulary'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { registerSampleFleet, type SampleFleet } from '../../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import type { NewServiceEvent } from '../change-record.ts'
import { insertServiceEvents } from '../events.store.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let engineer: Caller
let helix: Caller
let nordic: Caller
let place: { site_id: number; customer_id: number }

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
  const add = async (login: string, person: object) => app.as(await addSamplePerson(database, { login, ...person }))
  engineer = await add('engineer@benchwatch.example', { name: 'Ines Berg' })
  helix = await add('lab@helixbio.example', { role: 'customer', scope: [fleet.customers.helix] })
  nordic = await add('lab@nordic.example', { role: 'customer', scope: [fleet.customers.nordic] })
  place = await database.db
    .selectFrom('instrument')
    .select(['site_id', 'customer_id'])
    .where('id', '=', fleet.instruments.first)
    .executeTakeFirstOrThrow()
})
afterAll(() => app.close())
beforeEach(async () => {
  await database.db.deleteFrom('service_event').execute()
  await database.db.deleteFrom('instrument_status_history').execute()
})
afterEach(() => app.clock.set(TEST_NOW))

/** Returns the instant this many hours before (negative: after) the test's now. */
const ago = (hours: number) => new Date(TEST_NOW.getTime() - hours * 3_600_000)

let alertNumber = 0

/** Raises events of the first instrument, each happened and stored this many hours ago unless overridden. */
async function raise(...events: (Partial<NewServiceEvent> & { hours: number })[]): Promise<string[]> {
  const ids = await insertServiceEvents(
    database.db,
    events.map(({ hours, ...overrides }) => {
      alertNumber += 1
      return {
        createdAt: ago(hours),
        logGeneratedAt: ago(hours),
        clearedAt: ago(hours),
        alertId: `around-${alertNumber}`,
        templateId: 'P9B-1042',
        severity: 'high' as const,
        alertType: 1 as const,
        alertSource: 'INSTRUMENT',
        description: `Pressure ${hours}`,
        userMessage: null,
        instrumentId: fleet.instruments.first,
        componentId: null,
        gatewayId: fleet.gateways.helix.id,
        siteId: place.site_id,
        customerId: place.customer_id,
        instrumentStatusAtEvent: null,
        fullSupport: false,
        ...overrides,
      }
    }),
  )
  return events.map((_, index) => String(ids.get(index)))
}

const tell = (...statuses: [hours: number, status: InstrumentStatus][]) =>
  database.db
    .insertInto('instrument_status_history')
    .values(
      statuses.map(([hours, status], index) => ({
        instrument_id: fleet.instruments.first,
        at: ago(hours),
        epoch: 1,
        sequence: index,
        status,
        received_at: TEST_NOW,
      })),
    )
    .execute()

async function around(id: string | undefined, caller = engineer): Promise<EventSurroundings> {
  const answer = await caller.call('getEventSurroundings', { params: { id: id ?? '' } })
  expect(answer.status).toBe(200)
  return answer.body
}

const ids = ({ values }: EventSurroundings) => values.map(({ alarm }) => alarm.id)
const spans = ({ statuses }: EventSurroundings) =>
  statuses.map(({ from, instrumentStatus }) => [(TEST_NOW.getTime() - Date.parse(from)) / 3_600_000, instrumentStatus])

describe('around an event', () => {
  test('reach from six hours before it to six hours after it', async () => {
    const [before, early, event, late] = await raise(
      { hours: 26.1 },
      { hours: 26 },
      { hours: 20 },
      { hours: 14 },
      { hours: 13.9 },
    )
    const answer = await around(event)
    expect(answer).toMatchObject({ start: ago(26).toISOString(), stop: ago(14).toISOString(), total: { events: 3 } })
    expect(ids(answer)).toEqual([early, event, late])
    expect(ids(answer)).not.toContain(before)
  })

  test('or to now, while six hours have not passed', async () => {
    const [event] = await raise({ hours: 5.9 })
    expect((await around(event)).stop).toBe(TEST_NOW.toISOString())
    app.clock.set(ago(-0.05))
    expect((await around(event)).stop).toBe(ago(-0.05).toISOString())
    app.clock.set(ago(-0.15))
    expect((await around(event)).stop).toBe(ago(-0.1).toISOString())
  })

  test('the event itself is included when its clock is ahead', async () => {
    const [event] = await raise({ hours: 1, logGeneratedAt: ago(-2) })
    const answer = await around(event)
    expect(answer.stop).toBe(ago(-2).toISOString())
    expect(ids(answer)).toEqual([event])
  })

  test('what arrived late is shown at the time at which it happened', async () => {
    const [event, late, elsewhere] = await raise(
      { hours: 20 },
      { hours: 3, logGeneratedAt: ago(19) },
      { hours: 19, logGeneratedAt: ago(27) },
    )
    expect(ids(await around(event))).toEqual([event, late])
    expect(ids(await around(late))).toEqual([event, late])
    expect(ids(await around(elsewhere))).toEqual([elsewhere])
  })

  test('the statuses begin with the one that held at the start', async () => {
    await tell(
      [40, 'wash'],
      [30, 'ready'],
      [25, 'method run'],
      [24, 'method run'],
      [20, 'alarms and errors'],
      [14, 'ready'],
    )
    const [event] = await raise({ hours: 20 })
    expect(spans(await around(event))).toEqual([
      [30, 'ready'],
      [25, 'method run'],
      [20, 'alarms and errors'],
    ])
  })

  test('of which nothing is known are none', async () => {
    const [event] = await raise({ hours: 20 })
    expect((await around(event)).statuses).toEqual([])
    await tell([18, 'ready'])
    expect(spans(await around(event))).toEqual([[18, 'ready']])
  })

  test('there are a hundred events at most, the nearest, and it is said how many there are', async () => {
    const far = await raise(...Array.from({ length: 60 }, (_, index) => ({ hours: 25 - index / 1000 })))
    const [event] = await raise({ hours: 20 })
    const near = await raise(...Array.from({ length: 90 }, (_, index) => ({ hours: 19 - index / 1000 })))
    const answer = await around(event)
    expect(answer.total).toEqual({ events: 151 })
    // The far events that were raised last are the nearest of them.
    expect(ids(answer)).toEqual([...far.slice(-9), event, ...near])
  })

  test('an edge issue has its gateway’s other issues and no status', async () => {
    await tell([21, 'ready'])
    const edge = { isEdgeIssue: true, instrumentId: null, alertSource: 'EDGE_ISSUE' }
    const [event, other] = await raise({ hours: 20, ...edge }, { hours: 19, ...edge }, { hours: 18 })
    const answer = await around(event)
    expect(answer.statuses).toEqual([])
    expect(ids(answer)).toEqual([event, other])
  })

  test('another instrument’s events and statuses are not there', async () => {
    await tell([21, 'ready'])
    const [event] = await raise({ hours: 20, instrumentId: fleet.instruments.second }, { hours: 20 })
    const answer = await around(event)
    expect(ids(answer)).toEqual([event])
    expect(answer.statuses).toEqual([])
  })
})

describe('who may see it', () => {
  test('another customer’s event is answered like one that does not exist', async () => {
    const [event = ''] = await raise({ hours: 20 })
    const missing = await nordic.call('getEventSurroundings', { params: { id: '999999999999999999' } })
    const foreign = await nordic.call('getEventSurroundings', { params: { id: event } })
    expect(missing.status).toBe(404)
    expect({ ...foreign.problem, requestId: '' }).toEqual({ ...missing.problem, requestId: '' })
  })

  test('an instrument that has moved shows its former customer no status, and nobody’s events but theirs', async () => {
    await tell([30, 'ready'], [21, 'method run'])
    const [event, theirs = ''] = await raise({ hours: 20 }, { hours: 19, customerId: fleet.customers.nordic })
    expect(spans(await around(event, helix))).toHaveLength(2)
    expect(ids(await around(event, helix))).toEqual([event])
    const move = (customer_id: number) =>
      database.db.updateTable('instrument').set({ customer_id }).where('id', '=', fleet.instruments.first).execute()
    await move(fleet.customers.nordic)
    const answers = await Promise.all([around(event, helix), around(event), around(theirs, nordic)])
    await move(place.customer_id)
    const [former, everybody, now] = answers
    expect(former?.statuses).toEqual([])
    expect(ids(former as EventSurroundings)).toEqual([event])
    expect(everybody?.statuses).toEqual([])
    expect(ids(everybody as EventSurroundings)).toEqual([event, theirs])
    expect(ids(now as EventSurroundings)).toEqual([theirs])
  })

  test('an instrument shows its new customer no status from before it came to them, by either clock', async () => {
    await tell([30, 'ready'], [21, 'method run'], [19, 'wash'], [17, 'ready'])
    const receivedEarlier = { instrument_id: fleet.instruments.first, epoch: 2, sequence: 1, received_at: ago(22) }
    await database.db
      .insertInto('instrument_status_history')
      .values({ ...receivedEarlier, at: ago(18), status: 'hold' })
      .execute()
    const [event] = await raise({ hours: 16, customerId: fleet.customers.nordic })
    const move = (customer_id: number, customer_since: Date | number) =>
      database.db
        .updateTable('instrument')
        .set({ customer_id, customer_since })
        .where('id', '=', fleet.instruments.first)
        .execute()
    await move(fleet.customers.nordic, ago(20))
    const seen = await Promise.all([around(event, nordic), around(event)])
    await move(place.customer_id, Number.NEGATIVE_INFINITY)
    const [theirs, everything] = seen.map(spans)
    expect(theirs).toEqual([
      [19, 'wash'],
      [17, 'ready'],
    ])
    expect(everything).toEqual([
      [30, 'ready'],
      [21, 'method run'],
      [19, 'wash'],
      [18, 'hold'],
      [17, 'ready'],
    ])
  })
})
