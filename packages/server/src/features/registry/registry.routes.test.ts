import {
  aContact,
  aContract,
  aCustomer,
  aGateway,
  anEventTemplate,
  anInstrument,
  aSite,
  type Keyed,
} from '@benchwatch/samples/registry-objects'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { storeBatches } from '../ingest/ingest.service.ts'
import { readItems } from '../ingest/read-items.ts'

let server: TestApp
let admin: Caller
let adminId: number

beforeAll(async () => {
  server = await testApp(await testDatabase())
  adminId = await addSamplePerson(server.database, { login: 'admin@x.example', name: 'Ada Admin', role: 'admin' })
  admin = await server.as(adminId)
})
afterAll(() => server.close())

const sent = <I>({ key, input: body }: Keyed<I>) => ({ params: { key }, body })
const template = ({ key, input: body }: ReturnType<typeof anEventTemplate>) => ({ params: { '*': key }, body })

const record = async (entityId: string) =>
  server.database.db
    .selectFrom('audit')
    .select(['action', 'property', 'old_value', 'new_value', 'actor_type', 'actor_id', 'at'])
    .where('entity_type', '=', 'registry')
    .where('entity_id', '=', entityId)
    .orderBy('entity_seq')
    .execute()

describe('the registry', () => {
  it('accepts each kind, answers 201 then 200, and returns what is stored', async () => {
    const puts = [
      () => admin.call('putCustomer', sent(aCustomer())),
      () => admin.call('putSite', sent(aSite())),
      () => admin.call('putContract', sent(aContract())),
      () => admin.call('putContact', sent(aContact())),
      () => admin.call('putGateway', sent(aGateway())),
      () => admin.call('putEventTemplate', template(anEventTemplate())),
      () => admin.call('putInstrument', sent(anInstrument())),
    ]
    for (const put of puts) expect((await put()).status).toBe(201)
    const stored: unknown[] = []
    for (const put of puts) {
      const { status, body } = await put()
      expect(status).toBe(200)
      stored.push(body)
    }
    const gets = [
      await admin.call('getCustomer', { params: { key: aCustomer().key } }),
      await admin.call('getSite', { params: { key: aSite().key } }),
      await admin.call('getContract', { params: { key: aContract().key } }),
      await admin.call('getContact', { params: { key: aContact().key } }),
      await admin.call('getGateway', { params: { key: aGateway().key } }),
      await admin.call('getEventTemplate', { params: { '*': anEventTemplate().key } }),
      await admin.call('getRegisteredInstrument', { params: { key: anInstrument().key } }),
    ]
    expect(gets.map(({ body }) => body)).toEqual(stored)
    const { key, input } = anInstrument()
    expect((await admin.call('getRegisteredInstrument', { params: { key } })).body).toEqual({
      key,
      id: expect.stringMatching(/^\d+$/),
      ...input,
      instrumentStatus: 'Unknown',
      orcStatus: 'Onboarding',
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    })
    expect((await admin.call('getSite', { params: { key: aSite().key } })).body).toEqual({
      key: aSite().key,
      ...aSite().input,
    })
    expect((await admin.call('getGateway', { params: { key: 'GW-UPP-01' } })).body).toMatchObject({ lastSeenAt: null })
    expect((await admin.call('getEventTemplate', { params: { '*': 'AKTAPilot600/P9B-1042' } })).body).toMatchObject({
      instrumentType: 'AKTAPilot600',
      templateId: 'P9B-1042',
      severity: 'high',
    })
  })

  it('refuses a change that is based on another version than the stored one', async () => {
    const site = aSite()
    const { headers, body } = await admin.call('getSite', { params: { key: site.key } })
    const { key: _key, ...stored } = body
    const based = (etag: unknown, over: Partial<typeof stored>) =>
      admin.call('putSite', {
        params: { key: site.key },
        body: { ...stored, ...over },
        headers: { 'if-match': String(etag) },
      })
    const first = await based(headers['etag'], { city: 'Luleå' })
    expect(first.status).toBe(200)
    expect(await based(headers['etag'], { name: 'Pilot plant' })).toMatchObject({
      status: 412,
      problem: { code: 'version-mismatch' },
    })
    expect((await admin.call('getSite', { params: { key: site.key } })).body).toEqual({ ...body, city: 'Luleå' })
    expect((await based(first.headers['etag'], {})).status).toBe(200)
    const unknown = { params: { key: 'no-such-site' }, body: stored, headers: { 'if-match': '*' } }
    expect((await admin.call('putSite', unknown)).status).toBe(412)
  })

  it('records who changed what, and nothing when nothing changed', async () => {
    const key = 'recorded'
    await admin.call('putCustomer', sent(aCustomer({ key, name: 'Before' })))
    await admin.call('putCustomer', sent(aCustomer({ key, name: 'Before' })))
    server.clock.advance(1000)
    await admin.call('putCustomer', sent(aCustomer({ key, name: 'After' })))
    expect(await record(`customers/${key}`)).toEqual([
      expect.objectContaining({ action: 'created', property: null, new_value: '{"name":"Before"}', at: TEST_NOW }),
      {
        action: 'update',
        property: 'name',
        old_value: 'Before',
        new_value: 'After',
        actor_type: 'user',
        actor_id: String(adminId),
        at: new Date(TEST_NOW.getTime() + 1000),
      },
    ])
  })

  it('records one entry per changed property', async () => {
    const key = 'moved-house'
    await admin.call('putSite', sent(aSite({ key })))
    await admin.call(
      'putSite',
      sent(aSite({ key, street: 'Nya gatan 1', latitude: 59.123456789, longitude: 17.1, zip: null })),
    )
    expect(
      (await record(`sites/${key}`))
        .slice(1)
        .map(({ property, old_value, new_value }) => [property, old_value, new_value]),
    ).toEqual([
      ['street', 'Björkgatan 30', 'Nya gatan 1'],
      ['zip', '753 23', null],
      ['latitude', '59.85178', '59.12346'],
      ['longitude', '17.65892', '17.1'],
    ])
  })

  it('stores absent optional values as null', async () => {
    const { status, body } = await admin.call('putSite', {
      params: { key: 'bare' },
      body: { customer: 'helix-biologics' },
    })
    expect([status, body]).toEqual([
      201,
      {
        key: 'bare',
        customer: 'helix-biologics',
        name: null,
        street: null,
        zip: null,
        city: null,
        country: null,
        region: null,
        subRegion: null,
        latitude: null,
        longitude: null,
        timeZone: 'UTC',
      },
    ])
    const gateway = await admin.call('putGateway', { params: { key: 'GW-BARE' }, body: { site: 'bare' } })
    expect(gateway.body).toMatchObject({ installedProductId: 'GW-BARE', location: null })
  })

  it('lists a page by key with the number of all, and an empty one beyond the end', async () => {
    const all = await admin.call('listSites', { query: {} })
    const keys = all.body.values.map(({ key }) => key)
    expect(keys).toEqual([...keys].sort())
    expect(all.body.total).toBe(keys.length)
    const second = await admin.call('listSites', { query: { limit: '1', offset: '1' } })
    expect(second.body).toEqual({ values: [all.body.values[1]], total: keys.length })
    const beyond = await admin.call('listSites', { query: { offset: '1000' } })
    expect(beyond.body).toEqual({ values: [], total: keys.length })
    for (const name of [
      'listCustomers',
      'listContracts',
      'listContacts',
      'listGateways',
      'listRegisteredInstruments',
      'listEventTemplates',
    ] as const) {
      const { status, body } = await admin.call(name, { query: {} })
      expect([name, status, body.total > 0]).toEqual([name, 200, true])
    }
  })

  it('keeps what keywords are compared with', async () => {
    await admin.call('putSite', sent(aSite({ key: 'folded', city: 'Ærøskøbing', country: 'Dänemark' })))
    await admin.call('putInstrument', sent(anInstrument({ key: 'IP-F', systemName: 'Łódź 1', site: 'folded' })))
    const site = await server.database.db
      .selectFrom('site')
      .select('place_folded')
      .where('key', '=', 'folded')
      .executeTakeFirst()
    const instrument = await server.database.db
      .selectFrom('instrument')
      .select('search_folded')
      .where('installed_product_id', '=', 'IP-F')
      .executeTakeFirst()
    expect([site?.place_folded, instrument?.search_folded]).toEqual([
      'aeroskobing danemark',
      'akta pilot 600 lodz 1 ip-f',
    ])
  })

  it('sanitises the HTML of templates', async () => {
    const { body } = await admin.call(
      'putEventTemplate',
      template(
        anEventTemplate({
          key: 'AKTAPure/X-1',
          troubleshooting: '<p onclick="x()">Check</p><script>x()</script>',
          remedy: '<script>x()</script>',
        }),
      ),
    )
    expect(body).toMatchObject({ troubleshooting: '<p>Check</p>', remedy: null })
  })

  it('has the same version of a gateway before and after it was heard', async () => {
    const params = { key: aGateway().key }
    const before = await admin.call('getGateway', { params })
    await server.database.db
      .updateTable('gateway')
      .set({ last_seen_at: TEST_NOW })
      .where('name', '=', params.key)
      .execute()
    const after = await admin.call('getGateway', { params })
    expect(after.body).not.toEqual(before.body)
    expect(after.headers['etag']).toBe(before.headers['etag'])
  })
})

describe('a reference', () => {
  it.each([
    ['putSite', aSite({ key: 's', customer: 'nobody' }), 'There is no customer "nobody".'],
    ['putContract', aContract({ key: 'c', customer: 'nobody' }), 'There is no customer "nobody".'],
    ['putContact', aContact({ key: 'c@x.example', customer: 'nobody' }), 'There is no customer "nobody".'],
    ['putGateway', aGateway({ key: 'G', site: 'nowhere' }), 'There is no site "nowhere".'],
    ['putInstrument', anInstrument({ key: 'I', site: 'nowhere' }), 'There is no site "nowhere".'],
    ['putInstrument', anInstrument({ key: 'I', type: 'Toaster' }), 'There is no instrument type "Toaster".'],
    ['putInstrument', anInstrument({ key: 'I', gateway: 'GW-NO' }), 'There is no gateway "GW-NO".'],
    ['putInstrument', anInstrument({ key: 'I', contract: 'SC-NO' }), 'There is no contract "SC-NO".'],
    ['putInstrument', anInstrument({ key: 'I', contact: 'no@x' }), 'There is no contact "no@x".'],
    ['putInstrument', anInstrument({ key: 'I', itContact: 'no@x' }), 'There is no contact "no@x".'],
  ] as const)('%s to something unknown names it', async (name, object, sentence) => {
    const { status, problem } = await admin.call(name, sent(object as Keyed<never>))
    expect([status, problem.code]).toEqual([400, 'unknown-reference'])
    expect(problem.ErrorBody).toContain(sentence)
    expect(problem.ErrorBody).toContain('PUT /api/registry/v1/')
  })

  it('to something of another customer is refused', async () => {
    await admin.call('putCustomer', sent(aCustomer({ key: 'other', name: 'Other' })))
    await admin.call('putSite', sent(aSite({ key: 'other-site', customer: 'other' })))
    await admin.call('putContract', sent(aContract({ key: 'SC-OTHER', customer: 'other' })))
    await admin.call('putContact', sent(aContact({ key: 'x@other.example', customer: 'other' })))
    await admin.call('putGateway', sent(aGateway({ key: 'GW-OTHER', site: 'other-site', installedProductId: 'IP-O' })))
    for (const wrong of [
      { site: 'other-site' },
      { contract: 'SC-OTHER' },
      { contact: 'x@other.example' },
      { itContact: 'x@other.example' },
      { gateway: 'GW-OTHER' },
    ]) {
      const { status, problem } = await admin.call('putInstrument', sent(anInstrument(wrong)))
      expect([wrong, status, problem.code]).toEqual([wrong, 400, 'unknown-reference'])
      expect(problem.ErrorBody).toContain('does not belong to the customer of the site')
    }
  })

  it.each([
    ['putSite', aSite({ customer: 'other' })],
    ['putContract', aContract({ customer: 'other' })],
    ['putContact', aContact({ customer: 'other' })],
    ['putGateway', aGateway({ site: 'other-site' })],
  ] as const)('%s cannot take what is in use to another customer', async (name, object) => {
    const { status, problem } = await admin.call(name, sent(object as Keyed<never>))
    expect([status, problem.code]).toEqual([400, 'validation-failed'])
    expect(problem.ErrorBody).toContain('is in use')
  })

  it('a site that an instrument has left keeps its customer, to whom its late alarms belong', async () => {
    const at = (site: string) =>
      admin.call(
        'putInstrument',
        sent(anInstrument({ key: 'IP-LEAVES', site, contract: null, contact: null, gateway: null })),
      )
    expect((await admin.call('putSite', sent(aSite({ key: 'left' })))).status).toBe(201)
    expect((await at('left')).status).toBe(201)
    expect((await at('other-site')).status).toBe(200)
    const { status, problem } = await admin.call('putSite', sent(aSite({ key: 'left', customer: 'other' })))
    expect([status, problem.code]).toEqual([400, 'validation-failed'])
  })

  it('a gateway that has reported keeps its customer, whose items it has parked', async () => {
    const move = (site: string) =>
      admin.call('putGateway', sent(aGateway({ key: 'GW-MOVES', site, installedProductId: null })))
    expect((await move('helix-biologics-uppsala')).status).toBe(201)
    expect((await move('other-site')).status).toBe(200)
    const seen = { last_seen_at: TEST_NOW }
    await server.database.db.updateTable('gateway').set(seen).where('name', '=', 'GW-MOVES').execute()
    const { status, problem } = await move('helix-biologics-uppsala')
    expect([status, problem.code]).toEqual([400, 'validation-failed'])
    expect(problem.ErrorBody).toContain('is in use')
  })

  it('to an installed product id that is taken is refused', async () => {
    const gateway = await admin.call('putGateway', sent(aGateway({ key: 'GW-2', installedProductId: 'IP-20431187' })))
    expect([gateway.status, gateway.problem.ErrorBody]).toEqual([
      400,
      expect.stringContaining('belongs to an instrument'),
    ])
    const twin = await admin.call('putGateway', sent(aGateway({ key: 'GW-2' })))
    expect([twin.status, twin.problem.ErrorBody]).toEqual([400, expect.stringContaining('the gateway "GW-UPP-01"')])
    const instrument = await admin.call('putInstrument', sent(anInstrument({ key: 'IP-29000001' })))
    expect([instrument.status, instrument.problem.ErrorBody]).toEqual([400, expect.stringContaining('GW-UPP-01')])
  })
})

describe('bad input', () => {
  const helix = { customer: 'helix-biologics' }
  const backwards = { ...helix, startDate: '2026-02-02', endDate: '2026-02-01' }

  it.each([
    { what: 'an unknown field', name: 'putCustomer', body: { name: 'X', colour: 'red' } },
    { what: 'a missing name', name: 'putCustomer', body: {} },
    { what: 'a name of blanks', name: 'putCustomer', body: { name: '   ' } },
    { what: 'a name that is too long', name: 'putCustomer', body: { name: 'x'.repeat(201) } },
    { what: 'a NUL character', name: 'putCustomer', body: { name: 'a\0b' } },
    { what: 'a NUL character in the key', name: 'putCustomer', key: 'a\0b', body: { name: 'X' } },
    { what: 'an offset for a zone', name: 'putSite', body: { ...helix, timeZone: '+05:30' } },
    { what: 'a zone that does not exist', name: 'putSite', body: { ...helix, timeZone: 'Mars/Olympus' } },
    { what: 'half a position', name: 'putSite', body: { ...helix, latitude: 5 } },
    { what: 'a position beyond the pole', name: 'putSite', body: { ...helix, latitude: 91, longitude: 0 } },
    { what: 'a malformed instrument type', name: 'putInstrument', body: { ...anInstrument().input, type: 'ÄKTA' } },
    { what: 'a bad date', name: 'putContract', body: { ...helix, endDate: '2026-02-30' } },
    { what: 'an end before the start', name: 'putContract', body: backwards },
    { what: 'a template without a code', name: 'putEventTemplate', key: 'AKTAPure/P', body: anEventTemplate().input },
  ] as const)('$what is answered 400', async (given) => {
    const key = 'key' in given ? given.key : 'x'
    const params = given.name === 'putEventTemplate' ? { '*': key } : { key }
    const { status, problem } = await admin.call(given.name, { params, body: given.body } as never)
    expect([status, problem.code]).toEqual([400, 'validation-failed'])
    expect(problem.ErrorBody.length).toBeGreaterThan(10)
  })

  it('what is not registered is answered 404', async () => {
    for (const [name, params] of [
      ['getCustomer', { key: 'nobody' }],
      ['getRegisteredInstrument', { key: 'IP-NONE' }],
      ['getEventTemplate', { '*': 'Toaster/P-1' }],
    ] as const) {
      const { status, problem } = await admin.call(name, { params: params as never })
      expect([name, status, problem.code]).toEqual([name, 404, 'not-found'])
    }
  })

  it('only administrators may read or write', async () => {
    for (const role of ['customer', 'service', 'support'] as const) {
      const caller = await server.as(await addSamplePerson(server.database, { login: `${role}@x.example`, role }))
      expect((await caller.call('listCustomers', { query: {} })).problem.code).toBe('wrong-role')
      const { status, problem } = await caller.call('putCustomer', { params: { key: 'x' }, body: {} as never })
      expect([status, problem.code]).toEqual([403, 'wrong-role'])
    }
    expect((await server.call('listCustomers', { query: {} })).status).toBe(401)
    expect((await server.call('putCustomer', sent(aCustomer()))).problem.code).toBe('session-expired')
  })
})

describe('open events', () => {
  const items = gatewayItems('life', TEST_NOW)
  const fullSupport = async () => {
    const rows = await server.database.db
      .selectFrom('service_event')
      .select(['alert_id', 'full_support'])
      .orderBy('id')
      .execute()
    return Object.fromEntries(rows.map((row) => [row.alert_id, row.full_support]))
  }
  const raise = async (alertId: string, subject = 'IP-20431187') => {
    const row = await server.database.db
      .selectFrom('gateway')
      .select('id')
      .where('name', '=', 'GW-UPP-01')
      .executeTakeFirstOrThrow()
    const gateway = { type: 'gateway', id: row.id, name: 'GW-UPP-01' } as const
    const item = items.raised({ alertId, componentName: `Pump (${alertId})` }, { subject })
    await storeBatches(server.database.db, { batches: [{ gateway, items: readItems([item]) }], now: TEST_NOW })
  }

  it('follow a changed contract, closed ones do not', async () => {
    await raise('open')
    await raise('closed')
    await sql`UPDATE service_event SET alert_status = 3 WHERE alert_id = 'closed'`.execute(server.database.db)
    expect(await fullSupport()).toEqual({ open: true, closed: true })
    await admin.call('putContract', sent(aContract({ slaTerm: 'Gold 8/5' })))
    expect(await fullSupport()).toEqual({ open: false, closed: true })
    await admin.call('putContract', sent(aContract({ endDate: '2026-11-19' })))
    expect(await fullSupport()).toEqual({ open: false, closed: true })
    await admin.call('putContract', sent(aContract({ endDate: '2026-11-20' })))
    expect(await fullSupport()).toEqual({ open: true, closed: true })
    const history = await server.database.db
      .selectFrom('audit')
      .select(['property', 'old_value', 'new_value', 'reason', 'actor_name'])
      .where('entity_type', '=', 'service_event')
      .orderBy('id')
      .execute()
    expect(history[0]).toEqual({
      property: 'fullSupport',
      old_value: 'true',
      new_value: 'false',
      reason: 'Contract SC-100001',
      actor_name: 'Ada Admin',
    })
    expect(history).toHaveLength(2)
  })

  it('follow an instrument that gets another contract or none', async () => {
    await admin.call('putInstrument', sent(anInstrument({ contract: null })))
    expect((await fullSupport())['open']).toBe(false)
    await admin.call('putInstrument', sent(anInstrument()))
    expect((await fullSupport())['open']).toBe(true)
  })

  it('stay with the customer and the contract under whom they were raised when the instrument moves', async () => {
    const moved = anInstrument({ site: 'other-site', contract: null, contact: null, gateway: 'GW-OTHER' })
    const before = await server.database.db
      .selectFrom('service_event')
      .selectAll()
      .where('alert_id', '=', 'open')
      .executeTakeFirst()
    await sql`UPDATE instrument SET status_epoch = 3, status_sequence = 9`.execute(server.database.db)
    await sql`INSERT INTO runtime_day (instrument_id, day, epoch, sequence, seconds)
      SELECT id, '2026-11-19', 3, 8, 60 FROM instrument WHERE installed_product_id = 'IP-20431187'`.execute(
      server.database.db,
    )
    expect((await admin.call('putInstrument', sent(moved))).status).toBe(200)
    const after = await server.database.db
      .selectFrom('service_event')
      .selectAll()
      .where('alert_id', '=', 'open')
      .executeTakeFirst()
    expect(after).toEqual(before)
    expect(after?.full_support).toBe(true)
  })

  it('leave the instrument, for which the new gateway starts statuses and run time again', async () => {
    const row = await server.database.db
      .selectFrom('instrument')
      .select(['status_epoch', 'status_sequence'])
      .where('installed_product_id', '=', 'IP-20431187')
      .executeTakeFirst()
    expect(row).toEqual({ status_epoch: 0, status_sequence: -1 })
    const runtime = await server.database.db
      .selectFrom('runtime_day')
      .select(['epoch', 'sequence', 'seconds'])
      .execute()
    expect(runtime).toEqual([{ epoch: 0, sequence: -1, seconds: 60 }])
  })
})
