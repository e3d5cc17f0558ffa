import { aContract, anInstrument } from '@benchwatch/samples/registry-objects'
import { parseICS, type VEvent } from 'node-ical'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { planRecurringMaintenance } from '../maintenance/maintenance.service.ts'
import { upsertContracts } from '../registry/customers.store.ts'
import { upsertInstruments } from '../registry/instruments.store.ts'

let server: TestApp
let fleet: SampleFleet
let admin: Caller
let service: { id: number; caller: Caller }
let helix: { id: number; caller: Caller }

const FIRST = 'IP-20431187'
const SECOND = 'IP-20431188'
const NORDIC = 'IP-30000001'

beforeAll(async () => {
  const database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database, { environment: { PUBLIC_URL: 'https://benchwatch.example' } })
  admin = signedIn(await addSamplePerson(database, { login: 'a@benchwatch.example', role: 'admin' })).caller
  service = signedIn(await addSamplePerson(database, { login: 's@benchwatch.example' }))
  await setDates({ service: null })
  const { customers } = fleet
  helix = signedIn(
    await addSamplePerson(database, { login: 'h@helixbio.example', role: 'customer', scope: [customers.helix] }),
  )
})
afterEach(async () => {
  const { db } = server.database
  server.clock.set(TEST_NOW)
  await db.deleteFrom('calendar').execute()
  await db.deleteFrom('rate_use').execute()
  await db.deleteFrom('maintenance').execute()
  await setDates({ service: null })
  await db.updateTable('app_user').set({ disabled_at: null }).execute()
})
afterAll(() => server.close())

/** Signs in for each call, because tests move the clock beyond the end of a session. */
function signedIn(id: number): { id: number; caller: Caller } {
  return { id, caller: { call: async (name, sent) => (await server.as(id)).call(name, sent) } }
}

type Input = Parameters<typeof admin.call<'createCalendar'>>[1] extends { body?: infer B } | undefined ? B : never
const everything = { name: 'Laboratory', contents: ['maintenance', 'service', 'contract'] } satisfies Input

async function create(caller: Caller, over: Partial<NonNullable<Input>> = {}): Promise<string> {
  const { status, body } = await caller.call('createCalendar', { body: { ...everything, ...over } })
  expect(status).toBe(201)
  expect(body.url).toMatch(/^https:\/\/benchwatch\.example\/api\/calendars\/feeds\/[\w-]{43}\/calendar\.ics$/)
  return new URL(body.url).pathname
}

function get(path: string, headers: Record<string, string> = {}) {
  return server.app.http.inject({ method: 'GET', url: path, headers })
}

/** Returns the entries of a calendar as another program reads them, by the part of the UID before the host. */
async function read(path: string): Promise<Record<string, VEvent>> {
  const answer = await get(path)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
  const events = Object.values(parseICS(answer.body)).filter((part): part is VEvent => part?.type === 'VEVENT')
  return Object.fromEntries(events.map((event) => [event.uid.replace('@benchwatch.example', ''), event]))
}

async function setDates({ service: nextService, contract: endDate }: { service: string | null; contract?: string }) {
  const writing = { actor: { type: 'command', name: 'test' }, at: TEST_NOW } as const
  await inTransaction(server.database.db, async (trx) => {
    await upsertContracts(trx, writing, [aContract({ endDate: endDate ?? null })])
    await upsertInstruments(trx, writing, [
      anInstrument({ nextService }),
      anInstrument({ key: SECOND, systemName: 'PILOT-UPP-03', contract: null, contact: null, nextService: null }),
      anInstrument({
        key: NORDIC,
        systemName: 'PILOT-OSL-01',
        site: 'nordic-pharma-oslo',
        gateway: 'GW-OSL-01',
        contract: null,
        contact: null,
        nextService,
      }),
    ])
  })
}

async function maintain(body: Record<string, unknown>, instrumentId = FIRST): Promise<string> {
  const answer = await service.caller.call('setMaintenance', { query: { instrumentId }, body: body as never })
  expect(answer.status).toBe(200)
  return answer.body.maintenances.at(-1)?.id ?? ''
}

const hours = (count: number) => new Date(TEST_NOW.getTime() + count * 3_600_000).toISOString()

describe('what a calendar program reads', () => {
  it('is maintenance in UTC, and services and contract ends as days', async () => {
    await setDates({ service: '2026-12-03', contract: '2027-02-28' })
    const id = await maintain({ start: hours(24), end: hours(26), reason: 'Filter change; pump, seal' })
    const entries = await read(await create(helix.caller))
    expect(Object.keys(entries).sort()).toEqual([
      expect.stringMatching(/^contract-\d+$/),
      `maintenance-${id}`,
      `service-${fleet.instruments.first}`,
    ])
    expect(entries[`maintenance-${id}`]).toMatchObject({
      start: new Date(hours(24)),
      end: new Date(hours(26)),
      summary: 'Maintenance: PILOT-UPP-02',
      description: expect.stringContaining('Filter change; pump, seal\n'),
      url: { val: `https://benchwatch.example/instruments/${fleet.instruments.first}` },
      transparency: 'TRANSPARENT',
    })
    const next = entries[`service-${fleet.instruments.first}`]
    expect([next?.datetype, next?.start?.toDateString()]).toEqual(['date', 'Thu Dec 03 2026'])
    const end = Object.values(entries).find(({ uid }) => uid.startsWith('contract-'))
    expect([end?.datetype, end?.start?.toDateString(), end?.description]).toEqual([
      'date',
      'Sun Feb 28 2027',
      `Instruments: ${FIRST}`,
    ])
  })

  it('has every planned window of a recurring maintenance, at the local time of its zone', async () => {
    const id = await maintain({
      start: '2027-03-20T21:00:00.000Z',
      end: '2027-03-20T23:00:00.000Z',
      rrule: 'FREQ=WEEKLY;COUNT=3',
      timeZone: 'Europe/Stockholm',
    })
    const entries = await read(await create(service.caller))
    const starts = Object.values(entries).map(({ uid, start }) => [uid.split('@')[0], start?.toISOString()])
    const nights = ['2027-03-20T21:00:00.000Z', '2027-03-27T21:00:00.000Z', '2027-04-03T20:00:00.000Z']
    // Windows are planned 92 days ahead, at least one.
    expect(starts).toEqual([[`maintenance-${id}-${Date.parse(nights[0] ?? '')}`, nights[0]]])
    server.clock.set(new Date('2027-03-19T00:00:00.000Z'))
    await planRecurringMaintenance({ db: server.database.db, clock: server.clock })
    const later = await read(await create(service.caller))
    expect(Object.values(later).map(({ start }) => start?.toISOString())).toEqual(nights)
  })

  it('shows a maintenance without an end until the end of the day, each day with a higher number', async () => {
    const id = await maintain({ start: TEST_NOW.toISOString() })
    const path = await create(service.caller)
    const first = (await read(path))[`maintenance-${id}`]
    expect(first?.end).toEqual(new Date('2026-11-21T00:00:00.000Z'))
    server.clock.set(new Date('2026-11-22T10:00:00.000Z'))
    const third = (await read(path))[`maintenance-${id}`]
    expect(third?.end).toEqual(new Date('2026-11-23T00:00:00.000Z'))
    expect(Number(third?.sequence)).toBeGreaterThan(Number(first?.sequence))
    await maintain({ start: null })
    const ended = (await read(path))[`maintenance-${id}`]
    expect(ended?.end).toEqual(new Date('2026-11-22T10:00:00.000Z'))
    expect(Number(ended?.sequence)).toBeGreaterThan(Number(third?.sequence))
  })

  it('keeps the UID of a moved date and raises its number, which nothing else raises', async () => {
    await setDates({ service: '2026-12-03', contract: '2027-02-28' })
    const path = await create(service.caller, { contents: ['service', 'contract'] })
    const before = await read(path)
    await setDates({ service: '2026-12-03', contract: '2027-02-28' })
    expect((await get(path)).headers.etag).toBe((await get(path)).headers.etag)
    await setDates({ service: '2026-12-10', contract: '2027-03-31' })
    const after = await read(path)
    expect(Object.keys(after)).toEqual(Object.keys(before))
    for (const [uid, event] of Object.entries(after))
      expect([uid, Number(event.sequence)]).toEqual([uid, Number(before[uid]?.sequence) + 10_000])
  })

  it('contains what was chosen, for the customers and the filters that were chosen', async () => {
    await setDates({ service: '2026-12-03', contract: '2027-02-28' })
    const services = async (over: Partial<NonNullable<Input>>) =>
      Object.keys(await read(await create(service.caller, { contents: ['service'], ...over })))
    const { first, nordic } = fleet.instruments
    expect(await services({})).toEqual([`service-${first}`, `service-${nordic}`])
    expect(await services({ customers: ['Nordic Pharma'] })).toEqual([`service-${nordic}`])
    const view = { name: 'Mine', filter: { instrumentCity: ['Uppsala'] } }
    expect(await services({ view })).toEqual([`service-${first}`])
    expect(await services({ view: { name: 'Oslo', keyword: 'osl-01' } })).toEqual([`service-${nordic}`])
    expect(await services({ view, customers: ['Nordic Pharma'] })).toEqual([])
  })

  it('leaves out what ended more than 31 days ago', async () => {
    await setDates({ service: '2026-10-21', contract: '2026-10-19' })
    const entries = await read(await create(helix.caller))
    expect(Object.keys(entries)).toEqual([`service-${fleet.instruments.first}`])
    server.clock.set(new Date('2026-11-22T00:00:00.000Z'))
    expect(await read(await create(helix.caller))).toEqual({})
  })

  it('is short when nothing changed: 304 for the ETag that the program has', async () => {
    await setDates({ service: '2026-12-03' })
    const path = await create(helix.caller)
    const first = await get(path)
    expect(first.headers['cache-control']).toBe('private, no-cache')
    const etag = String(first.headers.etag)
    server.clock.advance(60_000)
    for (const known of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      const again = await get(path, { 'if-none-match': known })
      expect([known, again.statusCode, again.body, again.headers.etag]).toEqual([known, 304, '', etag])
    }
    await setDates({ service: '2026-12-04' })
    expect((await get(path, { 'if-none-match': etag })).statusCode).toBe(200)
  })
})

describe('who reads a calendar', () => {
  it('sees nothing of a customer that its owner lost, from the next request on', async () => {
    await setDates({ service: '2026-12-03', contract: '2027-02-28' })
    await maintain({ start: hours(24), end: hours(26), reason: 'Canary' })
    const person = await addSamplePerson(server.database, {
      login: 'both@benchwatch.example',
      scope: [fleet.customers.helix, fleet.customers.nordic],
    })
    const { caller } = signedIn(person)
    const all = await create(caller)
    const chosen = await create(caller, { customers: ['Helix Biologics'] })
    expect(Object.keys(await read(all))).toHaveLength(4)
    expect(Object.keys(await read(chosen))).toHaveLength(3)
    const change = { name: 'B', role: 'service', msisdn: null, smsMfa: false, disabled: false } as const
    await admin.call('updateAccount', {
      params: { id: String(person) },
      body: { ...change, customers: ['nordic-pharma'] },
    })
    const answer = await get(all)
    expect(answer.body).not.toMatch(/Helix|Canary|UPP/)
    expect(Object.keys(await read(all))).toEqual([`service-${fleet.instruments.nordic}`])
    expect(await read(chosen)).toEqual({})
    const listed = await caller.call('listCalendars')
    expect(listed.body.values.map(({ customers }) => customers)).toEqual([[], null])
  })

  it('does not see the maintenance of a former customer of an instrument', async () => {
    await maintain({ start: TEST_NOW.toISOString(), end: hours(5), reason: 'Canary' }, SECOND)
    server.clock.advance(3_600_000)
    const at = server.clock.now()
    const writing = { actor: { type: 'command', name: 'test' }, at } as const
    await inTransaction(server.database.db, async (trx) => {
      const moved = { key: SECOND, systemName: 'PILOT-UPP-03', contract: null, contact: null, gateway: null }
      await upsertInstruments(trx, writing, [anInstrument({ ...moved, site: 'nordic-pharma-oslo' })])
    })
    const nordic = await addSamplePerson(server.database, {
      login: 'n@nordic.example',
      role: 'customer',
      scope: [fleet.customers.nordic],
    })
    expect((await get(await create(signedIn(nordic).caller))).body).not.toContain('Canary')
    expect((await get(await create(service.caller))).body).toContain('Canary')
  })

  it('gets 404 for a disabled owner, a revoked link and an unknown one', async () => {
    const path = await create(helix.caller)
    const { db } = server.database
    await db.updateTable('app_user').set({ disabled_at: TEST_NOW }).where('id', '=', helix.id).execute()
    expect((await get(path)).statusCode).toBe(404)
    await db.updateTable('app_user').set({ disabled_at: null }).where('id', '=', helix.id).execute()
    expect((await get(path)).statusCode).toBe(200)
    const [link] = (await helix.caller.call('listCalendars')).body.values
    const params = { id: link?.id ?? '' }
    expect((await service.caller.call('revokeCalendar', { params })).status).toBe(404)
    expect((await helix.caller.call('revokeCalendar', { params })).status).toBe(204)
    expect((await get(path)).statusCode).toBe(404)
    expect((await get(path.replace(/[\w-]{43}/, 'x'.repeat(43)))).statusCode).toBe(404)
  })

  it('may ask 120 times an hour', async () => {
    const path = await create(helix.caller)
    await server.database.db.deleteFrom('rate_use').execute()
    for (let count = 0; count < 120; count += 1) expect((await get(path)).statusCode).toBe(200)
    const refused = await get(path)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600'])
    server.clock.advance(3_600_000)
    expect((await get(path)).statusCode).toBe(200)
  })
})

describe('a link', () => {
  it('is stored as a hash, is in no log, and its last use is known to the minute', async () => {
    const path = await create(helix.caller)
    const token = path.split('/')[4] ?? ''
    const stored = await server.database.db.selectFrom('calendar').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(stored)).not.toContain(token)
    const lastUse = async () => (await helix.caller.call('listCalendars')).body.values[0]?.lastUsedAt
    expect(await lastUse()).toBeNull()
    await get(path)
    expect(await lastUse()).toBe(TEST_NOW.toISOString())
    expect(server.logged()).not.toContain(token)
    const row = await server.database.db
      .selectFrom('audit')
      .selectAll()
      .where('entity_type', '=', 'calendar')
      .where('entity_id', '=', String(stored.id))
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ action: 'created', actor_id: String(helix.id) })
    expect(JSON.stringify(row)).not.toContain(token)
  })

  it('is one of ten', async () => {
    for (let count = 0; count < 10; count += 1) await create(helix.caller)
    const { status, problem } = await helix.caller.call('createCalendar', { body: everything })
    expect([status, problem.code]).toEqual([409, 'too-many-calendars'])
  })

  it('is refused for a customer outside the scope, as for an unknown one', async () => {
    for (const name of ['Nordic Pharma', 'Nobody']) {
      const { status, problem } = await helix.caller.call('createCalendar', {
        body: { ...everything, customers: [name] },
      })
      expect([status, problem.code]).toEqual([400, 'unknown-reference'])
    }
  })

  it('is refused for a filter by usage limit, unless the user may see usage', async () => {
    const view = { name: 'Limit', filter: { usageLimit: ['reached'] } }
    const { status, problem } = await helix.caller.call('createCalendar', { body: { ...everything, view } })
    expect([status, problem.code]).toEqual([403, 'feature-off'])
  })
})
