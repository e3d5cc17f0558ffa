import { anInstrument, aSite } from '@benchwatch/samples/registry-objects'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { upsertInstruments } from '../registry/instruments.store.ts'
import { planRecurringMaintenance } from './maintenance.service.ts'

let server: TestApp
let fleet: SampleFleet
let service: Caller
let helix: Caller
let nordic: Caller
let epochs = 0

beforeAll(async () => {
  const database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database)
  const { customers } = fleet
  service = signedIn(await addSamplePerson(database, { login: 'sven@benchwatch.example', name: 'Sven Berg' }))
  helix = signedIn(
    await addSamplePerson(database, { login: 'h@helixbio.example', role: 'customer', scope: [customers.helix] }),
  )
  nordic = signedIn(
    await addSamplePerson(database, { login: 'n@nordic.example', role: 'customer', scope: [customers.nordic] }),
  )
})
afterEach(async () => {
  const { db } = server.database
  server.clock.set(TEST_NOW)
  await db.deleteFrom('maintenance').execute()
  await db.deleteFrom('live_outbox').execute()
  await db.deleteFrom('live_message').execute()
})
afterAll(() => server.close())

/** Signs in for each call, because the test moves the clock beyond the end of a session. */
function signedIn(userId: number): Caller {
  return { call: async (name, sent) => (await server.as(userId)).call(name, sent) }
}

const FIRST = 'IP-20431187'
const hours = (count: number) => new Date(TEST_NOW.getTime() + count * 3_600_000).toISOString()

type Body = Record<string, unknown>
const post = (caller: Caller, body: Body, instrumentId = FIRST) =>
  caller.call('setMaintenance', { query: { instrumentId }, body: body as never })
const ofInstrument = async (caller = service) =>
  (await caller.call('getInstrument', { params: { id: FIRST } })).body.maintenances

/** Returns pending and sent notifications in order. One read, because rows move from one table to the other. */
async function liveMessages() {
  const { db } = server.database
  const rows = await db
    .selectFrom('live_message')
    .select(['seq', 'customer_id', 'message', sql<boolean>`true`.as('published')])
    .unionAll(
      db.selectFrom('live_outbox').select(['id as seq', 'customer_id', 'message', sql<boolean>`false`.as('published')]),
    )
    .orderBy('published', 'desc')
    .orderBy('seq')
    .execute()
  return rows.map(({ customer_id, message }) => ({ customer_id, ...message }))
}

describe('POST /maintenance', () => {
  it('puts an instrument into maintenance and ends it, as its customer or as staff', async () => {
    for (const caller of [service, helix]) {
      const { status, body } = await post(caller, { start: hours(0), reason: ' Seals ' })
      expect(status).toBe(200)
      const on = { id: expect.any(String), start: hours(0), end: null, reason: 'Seals', rrule: null, timeZone: null }
      expect(body).toEqual({ maintenances: [on] })
      expect(await ofInstrument(helix)).toEqual([on])
      expect((await post(caller, { start: null })).body).toEqual({ maintenances: [] })
      expect(await ofInstrument(helix)).toEqual([])
    }
  })

  it('takes the id of the instrument as well', async () => {
    expect((await post(service, { start: hours(0) }, String(fleet.instruments.first))).status).toBe(200)
    expect(await ofInstrument()).toHaveLength(1)
  })

  it('does not exist for another customer', async () => {
    expect(await post(nordic, { start: hours(0) })).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    expect((await post(nordic, { start: hours(0) }, String(fleet.instruments.first))).status).toBe(404)
    expect((await post(service, { start: hours(0) }, 'IP-99999999')).status).toBe(404)
    expect(await ofInstrument()).toEqual([])
  })

  it.each<[string, Body, string]>([
    ['an end that is not after the start', { start: hours(2), end: hours(2) }, 'bad-maintenance'],
    ['a start before today', { start: hours(-25) }, 'bad-maintenance'],
    ['a rule without a zone', { start: hours(1), end: hours(2), rrule: 'FREQ=DAILY' }, 'bad-maintenance'],
    ['a rule that is none', { start: hours(1), end: hours(2), rrule: 'DAILY', timeZone: 'UTC' }, 'bad-maintenance'],
    ['an id that is over', { id: '999999999999', start: hours(1) }, 'bad-maintenance'],
    ['no start', {}, 'validation-failed'],
    ['a zone that is none', { start: hours(1), timeZone: 'Mars/Olympus' }, 'validation-failed'],
    ['a further field', { start: hours(1), mode: 'on' }, 'validation-failed'],
  ])('refuses %s', async (_name, body, code) => {
    expect(await post(service, body)).toMatchObject({ status: 400, problem: { code } })
    expect(await ofInstrument()).toEqual([])
  })

  it('records who changed what, and tells those who see the instrument', async () => {
    await post(service, { start: hours(0), end: hours(4), reason: 'Seals' })
    const entry = await server.database.db
      .selectFrom('audit')
      .where('entity_type', '=', 'instrument')
      .where('entity_id', '=', String(fleet.instruments.first))
      .orderBy('id', 'desc')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({ actor_name: 'Sven Berg', property: 'maintenances', old_value: '[]', reason: 'Seals' })
    expect(JSON.parse(entry.new_value ?? '')).toMatchObject([{ start: hours(0), end: hours(4) }])
    expect(await liveMessages()).toMatchObject([
      {
        customer_id: fleet.customers.helix,
        entity: 'instrument',
        action: 'update',
        property: 'maintenances',
        payload: {
          id: String(fleet.instruments.first),
          instrumentInstalledProductId: FIRST,
          maintenances: [{ start: hours(0), end: hours(4), reason: 'Seals' }],
        },
      },
    ])
  })

  it('changes nothing and tells nobody when it is repeated', async () => {
    const first = await post(service, { start: hours(0) })
    server.clock.advance(5000)
    expect((await post(service, { start: hours(0) })).body).toEqual(first.body)
    expect(await liveMessages()).toHaveLength(1)
  })

  it('keeps several, the current one first, and forgets those that have passed', async () => {
    await post(service, { start: hours(30), end: hours(40) })
    await post(service, { start: hours(0), end: hours(2) })
    await post(service, { start: hours(50), end: hours(60) })
    const starts = async () => (await ofInstrument()).map(({ start }) => start)
    expect(await starts()).toEqual([hours(0), hours(30), hours(50)])
    server.clock.advance(3 * 3_600_000)
    expect(await starts()).toEqual([hours(30), hours(50)])
  })

  it('gives one that is named another end', async () => {
    const [before] = (await post(service, { start: hours(0) })).body.maintenances
    server.clock.advance(3_600_000)
    const { body } = await post(service, { id: before?.id, start: before?.start, end: hours(5), reason: 'Longer' })
    expect(body.maintenances).toEqual([{ ...before, end: hours(5), reason: 'Longer' }])
  })
})

describe('a recurring maintenance', () => {
  const nightly = { start: hours(8), end: hours(12), rrule: 'FREQ=DAILY', timeZone: 'Europe/Stockholm' }

  it('shows the window that is on, else the next one, and tells of it as one has passed', async () => {
    const { body } = await post(service, nightly)
    expect(body.maintenances).toMatchObject([nightly])
    server.clock.advance(11 * 3_600_000)
    expect(await ofInstrument()).toMatchObject([{ start: hours(8), end: hours(12) }])
    server.clock.advance(3_600_000)
    expect(await ofInstrument()).toMatchObject([{ start: hours(32), end: hours(36), rrule: 'FREQ=DAILY' }])
    const { database, clock } = server
    await planRecurringMaintenance({ db: database.db, clock })
    expect((await liveMessages()).at(-1)).toMatchObject({
      payload: { maintenances: [{ start: hours(32), end: hours(36) }] },
    })
    const count = (await liveMessages()).length
    await planRecurringMaintenance({ db: database.db, clock })
    expect(await liveMessages()).toHaveLength(count)
  })

  it('goes on for ever, also after a time in which nobody looked', async () => {
    await post(service, nightly)
    const { database, clock } = server
    clock.advance(200 * 24 * 3_600_000)
    await planRecurringMaintenance({ db: database.db, clock })
    // 200 days later Stockholm has summer time.
    expect(await ofInstrument()).toMatchObject([{ start: hours(200 * 24 + 7), end: hours(200 * 24 + 11) }])
    const windows = await database.db.selectFrom('maintenance_window').selectAll().execute()
    expect(windows.length).toBeGreaterThan(200 + 80)
  })

  it('is over after its last window', async () => {
    await post(service, { ...nightly, rrule: 'FREQ=DAILY;COUNT=2' })
    const { database, clock } = server
    clock.advance(37 * 3_600_000)
    expect(await ofInstrument()).toEqual([])
    await planRecurringMaintenance({ db: database.db, clock })
    expect((await liveMessages()).at(-1)).toMatchObject({ payload: { maintenances: [] } })
  })

  it('gets another reason without being counted anew', async () => {
    const [one] = (await post(service, { ...nightly, rrule: 'FREQ=DAILY;COUNT=2' })).body.maintenances
    server.clock.advance(13 * 3_600_000)
    const [next] = await ofInstrument()
    const { body } = await post(service, { ...next, reason: 'Filter' })
    expect(body.maintenances).toEqual([{ ...one, start: hours(32), end: hours(36), reason: 'Filter' }])
    const windows = await server.database.db.selectFrom('maintenance_window').selectAll().execute()
    expect(windows).toHaveLength(2)
  })

  it('ends as a whole, the window that is on with it', async () => {
    await post(service, nightly)
    server.clock.advance(9 * 3_600_000)
    expect((await post(service, { start: null })).body.maintenances).toEqual([])
    const windows = await server.database.db.selectFrom('maintenance_window').selectAll().execute()
    expect(windows.map(({ end_at }) => end_at?.toISOString())).toEqual([hours(9)])
  })
})

describe('POST /maintenance/preview', () => {
  const preview = (body: Body) => service.call('previewMaintenance', { body: body as never })
  // Saturday 23:00 in Stockholm, the day before the clocks change.
  const nightly = {
    start: '2027-03-27T22:00:00.000Z',
    end: '2027-03-28T03:00:00.000Z',
    rrule: 'FREQ=DAILY',
    timeZone: 'Europe/Stockholm',
  }

  it('answers the next three windows by the clock of the zone, and changes nothing', async () => {
    const { status, body } = await preview(nightly)
    expect(status).toBe(200)
    expect(body.windows).toEqual([
      { start: '2027-03-27T22:00:00.000Z', end: '2027-03-28T03:00:00.000Z' },
      { start: '2027-03-28T21:00:00.000Z', end: '2027-03-29T03:00:00.000Z' },
      { start: '2027-03-29T21:00:00.000Z', end: '2027-03-30T03:00:00.000Z' },
    ])
    expect(await liveMessages()).toEqual([])
  })

  it('leaves out what is over, and what would come after the last', async () => {
    const { body } = await preview({ start: hours(-30), end: hours(-29), rrule: 'FREQ=DAILY;COUNT=3', timeZone: 'UTC' })
    expect(body.windows).toEqual([{ start: hours(18), end: hours(19) }])
  })

  it.each([
    ['windows that overlap', { end: '2027-03-29T22:00:00Z' }],
    ['an end before the start', { end: '2027-03-27T21:00:00Z' }],
    ['a first window beside the rule', { rrule: 'FREQ=WEEKLY;BYDAY=MO' }],
    ['a pace that leaves the calendar', { rrule: 'FREQ=YEARLY;INTERVAL=5000' }],
    ['a pace that is no number', { rrule: 'FREQ=DAILY;INTERVAL=abc' }],
  ])('refuses %s as setting it does', async (_name, wrong) => {
    const [seen, set] = [await preview({ ...nightly, ...wrong }), await post(service, { ...nightly, ...wrong })]
    expect(seen).toMatchObject({ status: 400, problem: { code: 'bad-maintenance' } })
    expect(set).toMatchObject({ status: 400, problem: { code: 'bad-maintenance' } })
  })
})

describe('GET /maintenance', () => {
  const SECOND = 'IP-20431188'
  const listed = async (caller: Caller, query: { keyword?: string; limit?: string; offset?: string } = {}) => {
    const { body } = await caller.call('listPlannedMaintenance', { query })
    return {
      total: body.total,
      rows: body.values.map(({ maintenance, instrument, plannedBy }) => [
        instrument.instrumentInstalledProductId,
        maintenance.start,
        plannedBy,
      ]),
    }
  }

  it('lists what is on and what is planned for all instruments, by start, with who set it', async () => {
    await post(service, { start: hours(30), end: hours(31) })
    await post(
      service,
      { start: hours(2), end: hours(3), rrule: 'FREQ=DAILY', timeZone: 'UTC', reason: 'Nightly' },
      SECOND,
    )
    await post(helix, { start: hours(0), reason: 'Seals' }, SECOND)
    const { body } = await service.call('listPlannedMaintenance', { query: {} })
    expect(body.values[0]).toMatchObject({
      maintenance: { start: hours(0), end: null, reason: 'Seals' },
      plannedAt: hours(0),
      instrument: { instrumentInstalledProductId: SECOND, maintenances: [{ reason: 'Seals' }, { reason: 'Nightly' }] },
    })
    const recurring = [SECOND, hours(2), 'Sven Berg']
    const later = [FIRST, hours(30), 'Sven Berg']
    expect(await listed(service)).toEqual({
      total: 3,
      rows: [[SECOND, hours(0), expect.any(String)], recurring, later],
    })
    expect(await listed(service, { limit: '1', offset: '1' })).toEqual({ total: 3, rows: [recurring] })
    expect(await listed(service, { offset: '3' })).toEqual({ total: 3, rows: [] })
    // A day later, the next window of the recurring one; single windows that are over are gone.
    server.clock.set(new Date(hours(48)))
    expect((await listed(service)).rows).toEqual([
      [SECOND, hours(0), expect.any(String)],
      [SECOND, hours(50), 'Sven Berg'],
    ])
  })

  it('names the user who set what replaced it, and leaves out what was ended', async () => {
    await post(service, { start: hours(1), end: hours(2) })
    await post(helix, { start: hours(1), end: hours(4) })
    const { rows } = await listed(service)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.[2]).not.toBe('Sven Berg')
    await post(helix, { start: null })
    expect(await listed(service)).toEqual({ total: 0, rows: [] })
  })

  it('is what the caller may see, narrowed by every word of the keyword', async () => {
    await post(service, { start: hours(0) })
    await post(service, { start: hours(5), end: hours(6) }, SECOND)
    expect((await listed(helix)).total).toBe(2)
    expect(await listed(nordic)).toEqual({ total: 0, rows: [] })
    expect(await listed(nordic, { keyword: 'IP-20431187' })).toEqual({ total: 0, rows: [] })
    expect((await listed(helix, { keyword: 'uppsala helix 1188' })).rows.map(([id]) => id)).toEqual([SECOND])
    expect((await listed(helix, { keyword: 'uppsala oslo' })).total).toBe(0)
  })
})

describe('an event', () => {
  async function raise(logGeneratedAt: string, templateId: string): Promise<string> {
    const items = gatewayItems(`m${++epochs}`, TEST_NOW)
    const answer = await server
      .withHeaders({ authorization: `Bearer ${fleet.gateways.helix.key}` })
      .call('ingestBatch', {
        params: { gateway: 'GW-UPP-01' },
        body: [items.raised({ logGeneratedAt, templateId, alertId: `alert-${epochs}` })],
      })
    expect(answer.body.accepted).toBe(1)
    const { id } = await server.database.db
      .selectFrom('service_event')
      .orderBy('id', 'desc')
      .select('id')
      .executeTakeFirstOrThrow()
    return String(id)
  }

  it('is recorded during maintenance as ever, and marked by when it happened', async () => {
    await post(service, { start: hours(0), end: hours(2) })
    await post(service, { start: hours(4), end: hours(5), rrule: 'FREQ=DAILY', timeZone: 'UTC' })
    const marked = async (at: string, templateId: string) => {
      const { body } = await service.call('getServiceEvent', { params: { id: await raise(at, templateId) } })
      return body.duringMaintenance
    }
    expect(await marked(hours(-0.01), 'P9B-1')).toBe(false)
    expect(await marked(hours(0), 'P9B-2')).toBe(true)
    expect(await marked(hours(1.99), 'P9B-3')).toBe(true)
    expect(await marked(hours(2), 'P9B-4')).toBe(false)
    expect(await marked(hours(4.5), 'P9B-5')).toBe(true)
    expect(await marked(hours(28.5), 'P9B-6')).toBe(true)
    const { body } = await helix.call('listServiceEvents', { query: {}, body: {} })
    expect(body.total.events).toBe(6)
    expect(body.values.filter(({ alarm }) => alarm.duringMaintenance)).toHaveLength(4)
  })
})

it('what its former customer planned for an instrument ends as it leaves them', async () => {
  await post(helix, { start: hours(0), reason: 'Secret of Helix' })
  await post(helix, { start: hours(4), end: hours(5), rrule: 'FREQ=DAILY', timeZone: 'UTC', reason: 'Another one' })
  const { db } = server.database
  const writing = { actor: { type: 'command', name: 'test' }, at: new Date(hours(1)) } as const
  const at = { site: 'nordic-pharma-oslo', gateway: 'GW-OSL-01', contract: null, contact: null }
  await inTransaction(db, (trx) => upsertInstruments(trx, writing, [anInstrument(at)]))
  server.clock.advance(2 * 3_600_000)
  const { body } = await nordic.call('getInstrument', { params: { id: FIRST } })
  expect(body.maintenances).toEqual([])
  const timeline = await nordic.call('getInstrumentTimeline', { params: { id: FIRST }, query: {} })
  expect(timeline.body.maintenances).toEqual([])
  expect(JSON.stringify(timeline.body)).not.toContain('Helix')
  await inTransaction(db, (trx) => upsertInstruments(trx, writing, [anInstrument({ site: aSite().key })]))
})
