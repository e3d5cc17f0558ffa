import { aContact, anInstrument } from '@benchwatch/samples/registry-objects'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { switchFlag } from '../../testing/switched-flags.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { upsertContacts } from '../registry/customers.store.ts'
import { upsertInstruments } from '../registry/instruments.store.ts'
import type { NewServiceEvent } from './change-record.ts'
import { insertServiceEvents } from './events.store.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let engineer: Caller
let engineerId: number
let place: { siteId: number; customerId: number }

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
  engineerId = await addSamplePerson(database, { login: 'engineer@benchwatch.example', name: 'Ines Berg' })
  engineer = await app.as(engineerId)
  const row = await database.db
    .selectFrom('instrument')
    .select(['site_id', 'customer_id'])
    .where('id', '=', fleet.instruments.first)
    .executeTakeFirstOrThrow()
  place = { siteId: row.site_id, customerId: row.customer_id }
})
afterAll(() => app.close())

let alertNumber = 0

async function raise(createdAt: Date, changes: Partial<NewServiceEvent> = {}): Promise<string> {
  alertNumber += 1
  const ids = await insertServiceEvents(database.db, [
    {
      createdAt,
      logGeneratedAt: createdAt,
      // Clears the event, so that the same alarm can be raised again.
      clearedAt: createdAt,
      alertId: `alert-${alertNumber}`,
      templateId: 'X-1',
      severity: 'low',
      alertType: 1,
      alertSource: 'INSTRUMENT',
      description: 'Lid open',
      userMessage: null,
      instrumentId: fleet.instruments.first,
      componentId: null,
      gatewayId: fleet.gateways.helix.id,
      ...place,
      instrumentStatusAtEvent: null,
      fullSupport: false,
      ...changes,
    },
  ])
  return String(ids.get(0))
}

/** Every field of an event: those of the wire description, and the product's own. */
const fields = [
  'duringMaintenance',
  'run',
  'serviceCase',
  ...'id, alertId, eventId, templateId, eventTemplateId, eisCode, errorCode, date, createdAt, logGeneratedAt, clearedAt, severity, description, userMessage, alertType, alertSource, isEdgeIssue, alertStatus, claimedBy, claimedByName, reasonClosed, reasonClosedComment, serviceMaxCaseNumber, serviceMaxUrl, automaticEmail, automaticEmailSentAt, troubleshooting, remedy, componentName, componentType, instrumentId, instrumentInstalledProductId, instrumentProductDescription, instrumentDefinedSystemName, instrumentType, instrumentStatus, instrumentStatusAtEvent, qualifiedSystem, tierOne, fullSupport, latchedCount, enterpriseName, siteStreet, siteZip, siteCity, siteCountry, siteRegion, siteTimeZone, instrumentLocationLatitude, instrumentLocationLongitude, cpType, cpSLATerm, cpEndDate, instrumentLastMaintenance, instrumentLastService, contactName, contactMobile, contactPhone, contactEmail, itContactName, itContactEmail, gatewayName, version'.split(
    ', ',
  ),
]

describe('an event on the wire', () => {
  test('has every field; what is absent is null, never missing or empty', async () => {
    const { body } = await engineer.call('getServiceEvent', { params: { id: await raise(TEST_NOW) } })
    expect(Object.keys(body).sort()).toEqual([...fields].sort())
    expect(Object.values(body)).not.toContain('')
    expect(body).toMatchObject({ userMessage: null, componentName: null, troubleshooting: null, claimedBy: null })
  })

  test('has each field from where it belongs: report, template, instrument, site, contract, contacts, gateway', async () => {
    await inTransaction(database.db, async (trx) => {
      const writing = { actor: { type: 'command', name: 'test' } as const, at: TEST_NOW }
      await upsertContacts(trx, writing, [
        aContact({ key: 'it@helixbio.example', name: 'Ivo IT', phone: '+46 18 555 01 99', mobile: null }),
      ])
      await upsertInstruments(trx, writing, [anInstrument({ itContact: 'it@helixbio.example' })])
    })
    await sql`INSERT INTO component (id, name, type, name_folded) OVERRIDING SYSTEM VALUE
      VALUES (77, 'Pump B (P9-B)', 'Pump', 'pump b (p9-b)')`.execute(database.db)
    await sql`UPDATE instrument SET status = 'wash' WHERE id = ${fleet.instruments.first}`.execute(database.db)
    const generatedAt = new Date(TEST_NOW.getTime() - 5000)
    const id = await raise(TEST_NOW, {
      alertId: 'alarm-of-the-pump',
      templateId: 'P9B-1042',
      severity: 'high',
      alertType: 2,
      componentId: 77,
      alertSource: 'INSTRUMENT,TEST',
      description: 'Pressure above limit',
      userMessage: 'The run was paused.',
      logGeneratedAt: generatedAt,
      clearedAt: null,
      instrumentStatusAtEvent: 'method run',
      fullSupport: true,
    })
    const { body } = await engineer.call('getServiceEvent', { params: { id } })
    expect(body).toEqual({
      id,
      eventId: id,
      alertId: 'alarm-of-the-pump',
      version: 1,
      templateId: 'P9B-1042',
      eventTemplateId: 'P9B-1042',
      eisCode: 'P9B',
      errorCode: '1042',
      createdAt: TEST_NOW.toISOString(),
      clearedAt: null,
      latchedCount: 0,
      date: generatedAt.toISOString(),
      logGeneratedAt: generatedAt.toISOString(),
      severity: 'high',
      alertType: 2,
      alertSource: 'INSTRUMENT,TEST',
      isEdgeIssue: false,
      description: 'Pressure above limit',
      userMessage: 'The run was paused.',
      duringMaintenance: false,
      serviceCase: null,
      alertStatus: '1_NEW',
      claimedBy: null,
      claimedByName: null,
      reasonClosed: null,
      reasonClosedComment: null,
      serviceMaxCaseNumber: null,
      serviceMaxUrl: null,
      automaticEmail: null,
      automaticEmailSentAt: null,
      troubleshooting: '<ol><li>Check for kinked tubing after the injection valve.</li></ol>',
      remedy: '<p>Replace the inline filter.</p>',
      componentName: 'Pump B (P9-B)',
      componentType: 'Pump',
      instrumentId: String(fleet.instruments.first),
      instrumentInstalledProductId: 'IP-20431187',
      instrumentProductDescription: 'ÄKTA pilot 600',
      instrumentDefinedSystemName: 'PILOT-UPP-02',
      instrumentType: 'AKTAPilot600',
      qualifiedSystem: true,
      instrumentStatus: 'wash',
      instrumentStatusAtEvent: 'method run',
      run: null,
      gatewayName: 'GW-UPP-01',
      enterpriseName: 'Helix Biologics',
      siteStreet: 'Björkgatan 30',
      siteZip: '753 23',
      siteCity: 'Uppsala',
      siteCountry: 'Sweden',
      siteRegion: 'EMEA',
      siteTimeZone: 'Europe/Stockholm',
      instrumentLocationLatitude: 59.85178,
      instrumentLocationLongitude: 17.65892,
      cpType: 'Complete Care',
      cpSLATerm: 'Platinum 24/7',
      cpEndDate: '2027-06-30',
      tierOne: true,
      fullSupport: true,
      instrumentLastService: '2026-09-12',
      instrumentLastMaintenance: '2026-03-14',
      contactName: 'Maria Öberg',
      contactEmail: 'maria.oberg@helixbio.example',
      contactPhone: '+46 18 555 01 20',
      contactMobile: '+46 70 555 01 20',
      itContactName: 'Ivo IT',
      itContactEmail: 'it@helixbio.example',
    })
  })

  test('in a list lacks troubleshooting, remedy and the state of a case alone', async () => {
    const { body } = await engineer.call('listServiceEvents', { query: { limit: '1' }, body: {} })
    const listed = fields.filter((field) => !['troubleshooting', 'remedy', 'serviceCase'].includes(field))
    expect(Object.keys(body.values[0]?.alarm ?? {}).sort()).toEqual(listed.sort())
  })
})

test('the automatic e-mail has its body on the event, and not in lists', async () => {
  await switchFlag(database, 'AUTO_EMAIL', { value: true })
  const id = await raise(TEST_NOW)
  const sent = { contactName: 'Maria Öberg', email: 'maria@helixbio.example', subject: 'Lid', body: 'Close the lid.' }
  await sql`UPDATE service_event SET automatic_email = ${JSON.stringify(sent)}, automatic_email_sent_at = ${TEST_NOW}
    WHERE id = ${id}::int`.execute(database.db)
  const { body: event } = await engineer.call('getServiceEvent', { params: { id } })
  expect([event.automaticEmail, event.automaticEmailSentAt]).toEqual([sent, TEST_NOW.toISOString()])
  const { body: list } = await engineer.call('listServiceEvents', { query: { keyword: id }, body: {} })
  const { body: _body, ...listed } = sent
  expect(list.values.map(({ alarm }) => alarm.automaticEmail)).toEqual([listed])
})

test('a list is sorted by its creation, the newest first, unless asked for another order', async () => {
  const [older, newer] = [new Date('2026-10-15T10:00:00.000Z'), new Date('2026-10-15T11:00:00.000Z')]
  const ids = [await raise(newer), await raise(older), await raise(newer)]
  const query = { start: '2026-10-15', stop: '2026-10-16' }
  const order = async (more: object) => {
    const { body } = await engineer.call('listServiceEvents', { query: { ...query, ...more }, body: {} })
    return body.values.map(({ alarm }) => ids.indexOf(alarm.id))
  }
  expect(await order({})).toEqual([2, 0, 1])
  expect(await order({ order: 'asc' })).toEqual([1, 0, 2])
  expect(await order({ orderBy: 'eventId', order: 'DESC' })).toEqual([2, 1, 0])
})

test('a list has 20 events unless asked for another number', async () => {
  for (let count = 0; count < 21; count += 1) await raise(TEST_NOW)
  const { body } = await engineer.call('listServiceEvents', { query: {}, body: {} })
  expect(body.values).toHaveLength(20)
  expect(body.total.events).toBeGreaterThan(20)
})

test('a range holds its first instant and not its last', async () => {
  const [start, stop] = [new Date('2026-10-01T00:00:00.000Z'), new Date('2026-10-02T00:00:00.000Z')]
  const first = await raise(start)
  const last = await raise(new Date(stop.getTime() - 1))
  await raise(new Date(start.getTime() - 1))
  await raise(stop)
  const { body } = await engineer.call('listServiceEvents', {
    query: { start: start.toISOString(), stop: stop.toISOString(), order: 'asc' },
    body: {},
  })
  expect(body.values.map(({ alarm }) => alarm.id)).toEqual([first, last])
  expect(body.total).toMatchObject({ events: 2, olderOpenEvents: 1 })
})

test('a quick filter counts from 2 and from 24 hours on, to the millisecond', async () => {
  const ago = (hours: number, more = 0) => new Date(TEST_NOW.getTime() - hours * 3_600_000 - more)
  const unowned = [await raise(ago(2)), await raise(ago(2, -1))]
  const idle = [await raise(ago(30)), await raise(ago(30))]
  for (const [index, id] of idle.entries()) {
    await engineer.call('updateServiceEvent', { params: { id }, body: { claimedBy: String(engineerId) } })
    await sql`UPDATE service_event SET last_action_at = ${ago(24, -index)} WHERE id = ${id}::int`.execute(database.db)
  }
  const found = async (flag: 'noOwnerEvents' | 'noActionEvents') => {
    const query = { [flag]: 'true', limit: '100', start: ago(48).toISOString() } as object
    const { body } = await engineer.call('listServiceEvents', { query, body: {} })
    expect(body.total[flag]).toBe(body.total.events)
    return body.values.map(({ alarm }) => alarm.id)
  }
  expect(await found('noOwnerEvents')).toEqual([unowned[0]])
  expect(await found('noActionEvents')).toEqual([idle[0]])
})

describe('the contract clock', () => {
  const ago = (hours: number, more = 0) => new Date(TEST_NOW.getTime() - hours * 3_600_000 - more)
  let helix: Caller
  let running: string[]
  let others: string[]

  beforeAll(async () => {
    const { customerId } = place
    helix = await app.as(
      await addSamplePerson(database, { login: 'desk@helixbio.example', role: 'customer', scope: [customerId] }),
    )
    const fullSupport = { fullSupport: true, description: 'Clock' }
    running = []
    for (const at of [ago(30), ago(24, 1), ago(24), ago(20, 1), ago(20), ago(1)])
      running.push(await raise(at, fullSupport))
    const [taken, plain] = [await raise(ago(40), fullSupport), await raise(ago(2), { description: 'Clock' })]
    await engineer.call('updateServiceEvent', { params: { id: taken }, body: { claimedBy: String(engineerId) } })
    others = [taken, plain]
  })

  const found = async (caller: Caller, query: object, filter: Record<string, string[]> = {}) => {
    const { body } = await caller.call('listServiceEvents', {
      query: { keyword: 'clock', limit: '100', ...query },
      body: { filter },
    })
    expect(body.total.events).toBe(body.values.length)
    return body.values.map(({ alarm }) => alarm.id)
  }

  test('orders events by what runs out first; without a running clock they come last in both directions', async () => {
    for (const caller of [engineer, helix]) {
      expect(await found(caller, { orderBy: 'contractClock' })).toEqual([...running, ...others])
      expect(await found(caller, { orderBy: 'contractClock', order: 'DESC' })).toEqual([
        ...running.toReversed(),
        ...others.toReversed(),
      ])
    }
  })

  test('has at least 4 hours left, less, or is overdue, to the millisecond', async () => {
    const [overdue30, overdue24, under24, under20, over20, over1] = running
    const by = async (value: string) => found(engineer, { order: 'ASC' }, { contractClock: [value] })
    expect(await by('overdue')).toEqual([overdue30, overdue24])
    expect(await by('under4h')).toEqual([under24, under20])
    expect(await by('OVER4H')).toEqual([over20, over1])
    const any = { contractClock: ['over4h', 'under4h', 'overdue'] }
    expect(await found(helix, { order: 'ASC' }, any)).toEqual(running)
  })

  test('stops when a user takes or closes the event, and is hidden from other customers', async () => {
    const id = await raise(ago(3), { fullSupport: true, description: 'Taken clock' })
    const filter = { contractClock: ['over4h', 'under4h', 'overdue'] }
    const held = async (caller: Caller) => (await found(caller, { keyword: 'taken' }, filter)).includes(id)
    expect([await held(engineer), await held(helix)]).toEqual([true, true])
    const nordic = await addSamplePerson(database, {
      login: 'desk@nordic.example',
      role: 'customer',
      scope: [fleet.customers.nordic],
    })
    expect(await found(await app.as(nordic), {}, filter)).toEqual([])
    const stopped = { contractClock: ['stopped'] }
    const before = await found(engineer, {}, stopped)
    await engineer.call('updateServiceEvent', { params: { id }, body: { claimedBy: String(engineerId) } })
    expect(await held(engineer)).toBe(false)
    expect((await found(engineer, {}, stopped)).toSorted()).toEqual([...before, id].toSorted())
  })
})

test('closing with a case announces number and address in separate messages, with one version', async () => {
  const id = await raise(TEST_NOW)
  await engineer.call('updateServiceEvent', { params: { id }, body: { claimedBy: String(engineerId) } })
  const serviceMaxCase = {
    serviceMaxCaseNumber: '00123456',
    serviceMaxUrl: 'https://cases.benchwatch.example/00123456',
  }
  const closed = await engineer.call('updateServiceEvent', {
    params: { id },
    body: { alertStatus: 'CLOSED', reasonClosed: 'Service Case Created', ...serviceMaxCase },
  })
  expect(closed.body).toMatchObject({ ...serviceMaxCase, alertStatus: '3_CLOSED', reasonClosedComment: null })
  const { rows } = await sql<{ message: { property: string; payload: Record<string, unknown> } }>`
    SELECT message FROM live_message WHERE message->'payload'->>'id' = ${id} AND (message->'payload'->>'version')::int = 3
    UNION ALL SELECT message FROM live_outbox WHERE message->'payload'->>'id' = ${id} AND (message->'payload'->>'version')::int = 3`.execute(
    database.db,
  )
  const told = Object.fromEntries(
    rows.map(({ message: { property, payload } }) => [property, payload[property]] as const),
  )
  expect(told).toEqual({ alertStatus: '3_CLOSED', ...serviceMaxCase })
})

test('the map takes the query and the body of the list without its paging, and has its totals', async () => {
  const lowest = await raise(new Date('2026-09-01T10:00:00.000Z'))
  await raise(new Date('2026-09-01T11:00:00.000Z'), { severity: 'high' })
  const query = { keyword: 'lid', start: '2026-09-01T00:00:00.000Z', stop: '2026-09-02T00:00:00.000Z' }
  const asked = { query, body: { filter: { alertStatus: ['1_new'] } } }
  const { body: map } = await engineer.call('listEventLocations', asked)
  const { body: list } = await engineer.call('listServiceEvents', asked)
  const { body: event } = await engineer.call('getServiceEvent', { params: { id: lowest } })
  expect(map.values).toEqual([
    {
      alarm: {
        instrumentLocationLatitude: event.instrumentLocationLatitude,
        instrumentLocationLongitude: event.instrumentLocationLongitude,
        siteCountry: event.siteCountry,
        siteCity: event.siteCity,
        enterpriseName: event.enterpriseName,
      },
      ...{ high: 1, medium: 0, low: 1, total: 2 },
      ...{ openHigh: 1, openMedium: 0, openLow: 1 },
    },
  ])
  expect(map.total).toEqual({ ...list.total, eventsWithoutPosition: 0 })
  expect(list.total.events).toBe(2)
  const ordered = await engineer.call('listEventLocations', {
    ...asked,
    query: { ...query, order: 'asc', orderBy: 'eventId' },
  })
  expect(ordered.body).toEqual(map)
  const paged = await engineer.call('listEventLocations', { query: { limit: '1' } as never, body: {} })
  expect(paged.status).toBe(400)
})

test('the counts of filter values are those of the list with that value, and empty for a user of another customer', async () => {
  const day = { start: '2026-08-01T00:00:00.000Z', stop: '2026-08-02T00:00:00.000Z' }
  await raise(new Date('2026-08-01T10:00:00.000Z'))
  await raise(new Date('2026-08-01T11:00:00.000Z'), { severity: 'high' })
  await raise(new Date('2026-08-01T12:00:00.000Z'), { severity: 'high', alertType: 2 })
  const asked = { query: day, body: { filter: { severity: ['low'], 'alertType!': ['2'] } } }
  const countsFor = async (caller: Caller, key: string) => {
    const { body } = await caller.call('countFilterValues', asked)
    return body.values.find((category) => category.key === key)?.counts
  }
  // Its own choice does not restrict a category; what others exclude does.
  const severities = (await countsFor(engineer, 'severity'))?.toSorted((a, b) => a.value.localeCompare(b.value))
  expect(severities).toEqual([
    { value: 'high', events: 1 },
    { value: 'low', events: 1 },
  ])
  expect(await countsFor(engineer, 'alertType')).toEqual([{ value: '1', events: 1 }])
  const { body: list } = await engineer.call('listServiceEvents', {
    query: day,
    body: { filter: { ...asked.body.filter, severity: ['high'] } },
  })
  expect(list.total.events).toBe(1)
  const [customer] = (await countsFor(engineer, 'enterpriseName')) ?? []
  expect(customer).toMatchObject({ events: 1 })

  const { id: otherId } = await database.db
    .selectFrom('customer')
    .where('id', '!=', place.customerId)
    .select('id')
    .executeTakeFirstOrThrow()
  const login = 'stranger@benchwatch.example'
  const stranger = await app.as(await addSamplePerson(database, { login, name: 'Stan', scope: [otherId] }))
  const { body: none } = await stranger.call('countFilterValues', asked)
  expect(none.values.flatMap(({ counts }) => counts)).toEqual([])
})
