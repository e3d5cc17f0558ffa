import { aContact, anInstrument } from '@benchwatch/samples/registry-objects'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { addEvents } from '../../testing/many-events.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { upsertContacts } from '../registry/customers.store.ts'
import { upsertInstruments } from '../registry/instruments.store.ts'

let server: TestApp
let fleet: SampleFleet
let service: Caller
let helix: Caller
let nordic: Caller

const FIRST = 'IP-20431187'
const hours = (count: number) => new Date(TEST_NOW.getTime() + count * 3_600_000).toISOString()
const moving = { actor: { type: 'command', name: 'test' }, at: new Date(hours(2)) } as const

beforeAll(async () => {
  const database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database)
  const { customers } = fleet
  service = signedIn(await addSamplePerson(database, { login: 'sven@benchwatch.example' }))
  helix = signedIn(
    await addSamplePerson(database, { login: 'h@helixbio.example', role: 'customer', scope: [customers.helix] }),
  )
  nordic = signedIn(
    await addSamplePerson(database, { login: 'n@nordic.example', role: 'customer', scope: [customers.nordic] }),
  )
  const items = gatewayItems('life', TEST_NOW)
  await ingest([
    items.status('ready', { time: hours(-30) }),
    items.status('method run', { time: hours(-3) }),
    items.status('method run', { time: hours(-2) }),
    items.status('wash', { time: hours(-1) }),
    items.clients({ clientPcNames: ['PC-2', 'PC-1'], unicornVersion: '7.11', unicornNetworkConfigurations: '[]' }),
    items.raised({ templateId: 'P9B-1', alertId: 'a1' }),
    items.raised({ templateId: 'P9B-2', alertId: 'a2' }),
    items.raised({ templateId: 'P9B-3', alertId: 'a3' }),
    items.cleared('a2'),
    items.runtime('2026-11-19', 3600),
    items.runtime('2026-11-20', 1800),
  ])
  await sql`UPDATE service_event SET alert_status = 3, closed_at = now() WHERE template_id = 'P9B-3'`.execute(
    database.db,
  )
})
afterAll(() => server.close())

/** Signs in for each call: the clock is moved further than a session lasts. */
function signedIn(userId: number): Caller {
  return { call: async (name, sent) => (await server.as(userId)).call(name, sent) }
}

async function ingest(items: unknown[], gateway: 'helix' | 'nordic' = 'helix'): Promise<void> {
  const { name, key } = fleet.gateways[gateway]
  const { body } = await server
    .withHeaders({ authorization: `Bearer ${key}` })
    .call('ingestBatch', { params: { gateway: name }, body: items })
  expect(body).toMatchObject({ accepted: items.length, rejected: [] })
}

const get = (caller: Caller, id: string) => caller.call('getInstrument', { params: { id } })
const timeline = (caller: Caller, query: Record<string, string> = {}, id = FIRST) =>
  caller.call('getInstrumentTimeline', { params: { id }, query })

/** Document 2 section 3, in its groups. */
const fields = [
  'id, instrumentProductDescription, instrumentDefinedSystemName, instrumentInstalledProductId, instrumentType, qualifiedSystem',
  'instrumentRegion, instrumentSubRegion, instrumentCountry, instrumentCity, instrumentStreetAddress, instrumentZipCode',
  'instrumentDefinedBuilding, instrumentDefinedRoom',
  'instrumentCustomer, instrumentContractType, instrumentContractEndDate, instrumentContractSlaTerm',
  'instrumentContactName, instrumentContactPhone, instrumentContactMobile, instrumentContactEmail, itContactName, itContactEmail',
  'instrumentLastService, instrumentNextService, instrumentInstallationDate, connectedAt, createdAt',
  'orcStatus, unknownAt, eventCount, instrumentStatus, events, maintenances',
  'unicornVersion, unicornWinOs, unicornPcName, unicornServicePack, unicornEmbeddedPcDomain, unicornEmbeddedPcType',
  'unicornInstalledConfigFile, unicornNetworkConfigurations',
].flatMap((line) => line.split(', '))

describe('GET /instruments/{id}', () => {
  it('answers all that is known of an instrument, by either of its ids', async () => {
    for (const id of [FIRST, String(fleet.instruments.first)]) {
      const { status, body } = await get(helix, id)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        id: String(fleet.instruments.first),
        instrumentInstalledProductId: FIRST,
        instrumentType: 'AKTAPilot600',
        instrumentCustomer: 'Helix Biologics',
        instrumentCity: 'Uppsala',
        instrumentTimeZone: 'Europe/Stockholm',
        instrumentContractSlaTerm: 'Platinum 24/7',
        instrumentContactName: 'Maria Öberg',
        itContactName: null,
        instrumentNextService: '2027-03-12',
        instrumentDefinedRoom: 'Room 214',
        gatewayName: 'GW-UPP-01',
        orcStatus: 'Connected',
        unknownAt: null,
        instrumentStatus: 'wash',
        eventCount: 2,
        maintenances: [],
        unicornVersion: '7.11',
        unicornNetworkConfigurations: '[]',
        unicornWinOs: null,
        connectedAt: TEST_NOW.toISOString(),
        qualifiedSystem: true,
      })
    }
  })

  it('has every field of the specification; what nobody knows is null', async () => {
    const { body } = await get(service, FIRST)
    expect(fields.filter((field) => !(field in body))).toEqual([])
    expect(Object.entries(body).filter(([, value]) => value === undefined || value === '')).toEqual([])
  })

  it('has each field from where it belongs: registration, site, contract, contacts, gateway, software', async () => {
    const key = 'IP-20431190'
    await inTransaction(server.database.db, async (trx) => {
      const itContact = { key: 'ivo@helixbio.example', name: 'Ivo IT', phone: '+46 18 1', mobile: '+46 70 2' }
      await upsertContacts(trx, moving, [aContact(itContact)])
      await upsertInstruments(trx, moving, [anInstrument({ key, itContact: 'ivo@helixbio.example' })])
    })
    const software = {
      unicornVersion: '7.11',
      unicornWinOs: 'Windows 11',
      unicornPcName: 'PC-1',
      unicornServicePack: 'SP 2',
      unicornEmbeddedPcDomain: 'helixbio.example',
      unicornEmbeddedPcType: 'CU-950',
      unicornInstalledConfigFile: 'P600.cfg',
      unicornNetworkConfigurations: '[{"name":"LAN"}]',
    }
    const items = gatewayItems('software', new Date(hours(-1)))
    await ingest([items.status('hold', { subject: key }), items.clients(software, { subject: key })])
    const { id, ...body } = (await get(helix, key)).body
    expect(id).toMatch(/^\d+$/)
    expect(body).toEqual({
      instrumentProductDescription: 'ÄKTA pilot 600',
      instrumentDefinedSystemName: 'PILOT-UPP-02',
      instrumentInstalledProductId: key,
      instrumentType: 'AKTAPilot600',
      qualifiedSystem: true,
      instrumentRegion: 'EMEA',
      instrumentSubRegion: 'Nordics',
      instrumentCountry: 'Sweden',
      instrumentCity: 'Uppsala',
      instrumentStreetAddress: 'Björkgatan 30',
      instrumentZipCode: '753 23',
      instrumentDefinedBuilding: 'Building 7',
      instrumentDefinedRoom: 'Room 214',
      instrumentTimeZone: 'Europe/Stockholm',
      instrumentCustomer: 'Helix Biologics',
      instrumentContractType: 'Complete Care',
      instrumentContractEndDate: '2027-06-30',
      instrumentContractSlaTerm: 'Platinum 24/7',
      instrumentContactName: 'Maria Öberg',
      instrumentContactPhone: '+46 18 555 01 20',
      instrumentContactMobile: '+46 70 555 01 20',
      instrumentContactEmail: 'maria.oberg@helixbio.example',
      itContactName: 'Ivo IT',
      itContactEmail: 'ivo@helixbio.example',
      instrumentLastService: '2026-09-12',
      instrumentNextService: '2027-03-12',
      instrumentInstallationDate: '2021-05-18',
      connectedAt: TEST_NOW.toISOString(),
      createdAt: expect.any(String),
      orcStatus: 'Connected',
      unknownAt: null,
      instrumentStatus: 'hold',
      eventCount: 0,
      openEventsBySeverity: { high: 0, medium: 0, low: 0 },
      gatewayName: 'GW-UPP-01',
      statusReason: null,
      run: null,
      runSince: null,
      maintenances: [],
      events: [],
      ...software,
    })
  })

  it('holds its open events, newest first, and no closed one', async () => {
    const { events } = (await get(service, FIRST)).body
    expect(events.map(({ alarm }) => alarm.templateId)).toEqual(['P9B-2', 'P9B-1'])
  })

  it('holds the newest 100 of its open events, and counts all', async () => {
    const ids = await addEvents(server.database, { count: 103, instrumentId: fleet.instruments.second })
    const { events, eventCount } = (await get(helix, 'IP-20431188')).body
    await sql`DELETE FROM service_event WHERE instrument_id = ${fleet.instruments.second}`.execute(server.database.db)
    expect(events.map(({ alarm }) => alarm.id)).toEqual(ids.slice(3).toReversed())
    expect(eventCount).toBe(103)
  })

  it('does not exist for another customer', async () => {
    for (const id of [FIRST, String(fleet.instruments.first)]) {
      expect(await get(nordic, id)).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    }
    for (const id of ['IP-99999999', '99999999', '99999999999999', '0'])
      expect((await get(service, id)).status).toBe(404)
    expect((await get(service, "x'--")).status).toBe(400)
  })

  it('takes a number that is both for the id', async () => {
    const numeric = String(fleet.instruments.second)
    await inTransaction(server.database.db, (trx) =>
      upsertInstruments(trx, moving, [anInstrument({ key: numeric, gateway: null })]),
    )
    expect((await get(service, numeric)).body.instrumentInstalledProductId).toBe('IP-20431188')
    // If the scope holds only one instrument with that installed product ID, it is found.
    const third = String(fleet.instruments.nordic)
    await inTransaction(server.database.db, (trx) =>
      upsertInstruments(trx, moving, [anInstrument({ key: third, gateway: null })]),
    )
    expect((await get(helix, third)).body.instrumentInstalledProductId).toBe(third)
    expect((await get(service, third)).body.instrumentInstalledProductId).toBe('IP-30000001')
  })
})

describe('GET /instruments/{id}/timeline', () => {
  it('tells events, statuses, connection and maintenance of the last week', async () => {
    await service.call('setMaintenance', { query: { instrumentId: FIRST }, body: { start: hours(0), end: hours(3) } })
    const { status, body } = await timeline(service, { stop: hours(1) })
    expect(status).toBe(200)
    expect(body).toMatchObject({ start: hours(1 - 7 * 24), stop: hours(1), total: { events: 3 }, statusesCut: false })
    expect(body.events.map(({ templateId, alertStatus }) => [templateId, alertStatus])).toEqual([
      ...[
        ['P9B-1', '1_NEW'],
        ['P9B-2', '1_NEW'],
        ['P9B-3', '3_CLOSED'],
      ],
    ])
    expect(body.events[1]).toMatchObject({ clearedAt: expect.any(String), closedAt: null, severity: 'high' })
    expect(body.events[2]).toMatchObject({ clearedAt: null, closedAt: expect.any(String) })
    expect(body.statuses).toEqual([
      { from: hours(-30), instrumentStatus: 'ready' },
      { from: hours(-3), instrumentStatus: 'method run' },
      { from: hours(-1), instrumentStatus: 'wash' },
    ])
    expect(body.connections).toEqual([{ from: hours(0), orcStatus: 'Connected' }])
    expect(body.maintenances).toEqual([{ id: expect.any(String), start: hours(0), end: hours(3), reason: null }])
  })

  it('finds an event by the clock of the instrument, however late it was delivered', async () => {
    const [late] = (await timeline(service, { stop: hours(1) })).body.events
    const happened = late?.logGeneratedAt ?? ''
    await server.database.db
      .updateTable('service_event')
      .set({ log_generated_at: new Date(hours(-50)) })
      .where('id', '=', Number(late?.id))
      .execute()
    const names = async (start: number, stop: number) =>
      (await timeline(service, { start: hours(start), stop: hours(stop) })).body.events.map(({ id }) => id)
    expect(await names(-51, -49)).toEqual([late?.id])
    expect(await names(-49, 1)).not.toContain(late?.id)
    await server.database.db
      .updateTable('service_event')
      .set({ log_generated_at: new Date(happened) })
      .where('id', '=', Number(late?.id))
      .execute()
  })

  it('begins with the status that held before', async () => {
    const { body } = await timeline(service, { start: hours(-2.5), stop: hours(-0.5) })
    expect(body.statuses).toEqual([
      { from: hours(-3), instrumentStatus: 'method run' },
      { from: hours(-1), instrumentStatus: 'wash' },
    ])
    expect(body).toMatchObject({ events: [], maintenances: [], connections: [] })
  })

  it('shows recurring windows one by one, those to come as well', async () => {
    await service.call('setMaintenance', {
      query: { instrumentId: 'IP-20431188' },
      body: { start: hours(8), end: hours(9), rrule: 'FREQ=DAILY', timeZone: 'UTC', reason: 'Nightly' },
    })
    const { body } = await timeline(service, { start: hours(0), stop: hours(80) }, 'IP-20431188')
    expect(body.maintenances.map(({ start, reason }) => [start, reason])).toEqual([
      ...[
        [hours(8), 'Nightly'],
        [hours(32), 'Nightly'],
        [hours(56), 'Nightly'],
      ],
    ])
  })

  it('holds run times for whom the flag shows them', async () => {
    expect((await timeline(service)).body.runtimes).toEqual([])
    const { db } = server.database
    const flag = { key: 'FETCH_INSTRUMENT_DAILY_RUNTIMES', user_id: null, value: true } as const
    await db.insertInto('feature_flag').values(flag).execute()
    expect((await timeline(service, { start: hours(-12), stop: hours(1) })).body.runtimes).toEqual([
      { time: '2026-11-20', value: 1800 },
    ])
    expect((await timeline(service)).body.runtimes).toHaveLength(2)
  })

  it('says how many events there are beyond the newest 1,000', async () => {
    const { db } = server.database
    const before = sql<string>`(SELECT count(*) FROM service_event WHERE instrument_id = ${fleet.instruments.second})`
    await sql`INSERT INTO service_event (created_at, log_generated_at, alert_id, template_id, severity, alert_type, alert_status,
        description, text_folded, instrument_id, site_id, customer_id, full_support, last_action_at)
      SELECT at, at, 'n' || n, 'P9B-' || n, 1, 1, 3, '', '',
        i.id, i.site_id, i.customer_id, false, ${TEST_NOW}
      FROM generate_series(1, 1002) AS n, instrument i, LATERAL (SELECT ${TEST_NOW}::timestamptz - n * interval '1 minute' AS at) AS moment
      WHERE i.id = ${fleet.instruments.second} AND ${before} = 0`.execute(db)
    const { body } = await timeline(service, {}, 'IP-20431188')
    expect(body.total.events).toBe(1002)
    expect(body.events).toHaveLength(1000)
    expect([body.events[0]?.templateId, body.events.at(-1)?.templateId]).toEqual(['P9B-1000', 'P9B-1'])
  })

  it('refuses a span that is none or longer than 366 days', async () => {
    expect((await timeline(service, { start: hours(1), stop: hours(1) })).status).toBe(400)
    expect((await timeline(service, { start: hours(0), stop: hours(366 * 24 + 1) })).status).toBe(400)
    expect((await timeline(service, { start: hours(0), stop: hours(366 * 24) })).status).toBe(200)
  })

  it('does not exist for another customer, whose own holds nothing from before it came to them', async () => {
    expect((await timeline(nordic)).status).toBe(404)
    const moved = { site: 'nordic-pharma-oslo', gateway: 'GW-OSL-01', contract: null, contact: null }
    await server.database.db
      .updateTable('instrument')
      .set({ status_reason: 'The reactor of Helix is being cleaned.' })
      .where('id', '=', fleet.instruments.first)
      .execute()
    await inTransaction(server.database.db, (trx) => upsertInstruments(trx, moving, [anInstrument(moved)]))
    expect((await get(nordic, FIRST)).body).toMatchObject({ statusReason: null })
    server.clock.set(new Date(hours(4)))
    await ingest([gatewayItems('other', new Date(hours(3)), 'GW-OSL-01').status('hold', { time: hours(3) })], 'nordic')
    const { status, body } = await timeline(nordic, { start: hours(-48), stop: hours(24) })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      start: hours(2),
      stop: hours(24),
      events: [],
      connections: [],
      maintenances: [],
      runtimes: [],
    })
    expect(body.statuses).toEqual([{ from: hours(3), instrumentStatus: 'hold' }])
    expect((await timeline(nordic, { start: hours(-48), stop: hours(1) })).body.statuses).toEqual([])
    // Software, usage and events are hidden as well; staff see everything.
    expect((await get(nordic, FIRST)).body).toMatchObject({ unicornVersion: null, events: [], eventCount: 0 })
    expect((await timeline(service, { start: hours(-48), stop: hours(24) })).body.statuses).toHaveLength(4)
    expect((await timeline(helix)).status).toBe(404)
  })
})
