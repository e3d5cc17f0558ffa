import type { LogType } from '@benchwatch/contract/vocabulary'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gatewayItems } from '../../../testing/gateway-items.ts'
import { registerSampleFleet, type SampleFleet } from '../../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../../testing/test-app.ts'
import { testDatabase } from '../../../testing/test-database.ts'

let server: TestApp
let fleet: SampleFleet
let support: Caller
/** A service user for Nordic Pharma only. */
let nordic: Caller
let customer: Caller

const FIRST = 'IP-20431187'

beforeAll(async () => {
  const database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database)
  const login = 's@benchwatch.example'
  support = await server.as(await addSamplePerson(database, { login, name: 'Sara Support', role: 'support' }))
  nordic = await server.as(
    await addSamplePerson(database, { login: 'n@benchwatch.example', scope: [fleet.customers.nordic] }),
  )
  customer = await server.as(
    await addSamplePerson(database, { login: 'c@helixbio.example', role: 'customer', scope: [fleet.customers.helix] }),
  )
  await database.db.insertInto('feature_flag').values({ key: 'BACKOFFICE', user_id: null, value: true }).execute()
  const items = gatewayItems('l', TEST_NOW)
  const { name, key } = fleet.gateways.helix
  const { body } = await server.withHeaders({ authorization: `Bearer ${key}` }).call('ingestBatch', {
    params: { gateway: name },
    body: [
      items.clients({ clientPcNames: ['PC-013', 'PC-012'] }),
      items.clients({ clientPcNames: ['PC-012'] }, { subject: 'IP-20431188' }),
    ],
  })
  expect(body.accepted).toBe(2)
})
afterAll(() => server.close())

const inject = (body: object, caller = support) => caller.call('injectLog', { body })
async function newest(logType: LogType, query: object = { instrumentInstalledProductId: FIRST }, caller = support) {
  const { body } = await caller.call('listInstrumentLogs', { query: { logType, size: '1', ...query } })
  return body.body.hits.hits[0]
}

const lines = {
  VID: { module: 'P9-B' },
  COMM: { module: 'CAN' },
  AUDITTRAIL: {},
  INSTRUMENTSERVER: {},
  UNICORNCLIENT: { hostHostname: 'PC-012' },
  WINDOWSSYSTEMEVENT: { logLevel: 'ERROR', eventCode: '7036', winlogUserName: 'LAB\\anna', hostHostname: 'PC-012' },
  CONNECTIVITY: {},
  THRESHOLD: {},
  SYSTEMREPORT: {},
  EVENT: { componentName: 'Pump B (P9-B)', errorCode: 'P9B-1042' },
} satisfies Record<LogType, object>

describe('a line that is inserted', () => {
  it.each(Object.entries(lines) as [LogType, object][])(
    'into %s is found by the viewer at once',
    async (logType, fields) => {
      const message = `A line of ${logType}\nwith <b>markup</b>`
      const { status, body } = await inject({ logType, message, instrumentInstalledProductId: FIRST, ...fields })
      expect(status).toBe(201)
      const hit = await newest(logType, { instrumentInstalledProductId: FIRST }, customer)
      expect([hit?._id, hit?._source.message, hit?._source['@timestamp']]).toEqual([
        body._id,
        message,
        TEST_NOW.toISOString(),
      ])
      const search = { logType, instrumentInstalledProductId: FIRST, searchString: 'markup' }
      const { body: found } = await support.call('searchInstrumentLogs', { query: search })
      expect(found.body.hits.total.value).toBe(1)
    },
  )

  it('has its fields where the viewer shows them', async () => {
    expect((await newest('EVENT'))?._source).toMatchObject({ module: 'Pump B (P9-B)', 'event.code': 'P9B-1042' })
    expect((await newest('WINDOWSSYSTEMEVENT'))?._source).toMatchObject({
      'log.level': 'ERROR',
      'event.code': '7036',
      'winlog.user.name': 'LAB\\anna',
      'host.hostname': 'PC-012',
    })
  })

  it('has the time that it is given', async () => {
    const form = { logType: 'THRESHOLD', message: 'x', instrumentInstalledProductId: FIRST }
    const { body } = await inject({ ...form, timestamp: '2026-11-20T15:00:00.123+02:00' })
    const window = { timeLessThan: '2026-11-20T13:00:01Z', instrumentInstalledProductId: FIRST }
    expect(await newest('THRESHOLD', window)).toMatchObject({
      _id: body._id,
      _source: { '@timestamp': '2026-11-20T13:00:00.123Z' },
    })
  })

  it('is on record by the user', async () => {
    const { body } = await inject({
      logType: 'AUDITTRAIL',
      message: 'y'.repeat(20_000),
      instrumentInstalledProductId: FIRST,
    })
    const { actor_name, property, new_value } = await server.database.db
      .selectFrom('audit')
      .where('action', '=', 'log-line-added')
      .orderBy('id', 'desc')
      .select(['actor_name', 'property', 'new_value'])
      .executeTakeFirstOrThrow()
    expect([actor_name, property]).toEqual(['Sara Support', 'AUDITTRAIL'])
    expect(JSON.parse(new_value ?? '')).toEqual({
      id: body._id,
      timestamp: TEST_NOW.toISOString(),
      message: 'y'.repeat(500),
    })
  })
})

describe('a client line without an installed product id', () => {
  const form = { logType: 'UNICORNCLIENT', message: 'Logged on', hostHostname: 'PC-013', enterprise: 'Helix Biologics' }

  it('is that of its computer at the customer', async () => {
    const { status, body } = await inject(form)
    expect(status).toBe(201)
    const hit = await newest('UNICORNCLIENT', { computerName: 'PC-013', enterprise: 'Helix Biologics' })
    expect(hit?._id).toBe(body._id)
    expect((await newest('UNICORNCLIENT', { instrumentInstalledProductId: FIRST, computerName: 'PC-013' }))?._id).toBe(
      body._id,
    )
  })

  it('is of a computer that is linked, or names an instrument', async () => {
    const { status, problem } = await inject({ ...form, hostHostname: 'PC-99' })
    const message =
      'Host hostname is not a client PC of an instrument of Helix Biologics. Enter another one, or an installed product ID.'
    expect([status, problem.code, problem.errors]).toEqual([400, 'bad-log', [{ path: 'body.hostHostname', message }]])
    const { status: named } = await inject({ ...form, hostHostname: 'PC-99', instrumentInstalledProductId: FIRST })
    expect(named).toBe(201)
  })

  it('is 404 for a customer outside the scope', async () => {
    expect((await inject({ ...form, message: '' }, nordic)).problem.code).toBe('not-found')
    expect((await inject({ ...form, enterprise: 'Nobody' })).problem.code).toBe('not-found')
    expect((await inject({ ...form, enterprise: 'Nordic Pharma' }, nordic)).problem.code).toBe('bad-log')
  })
})

describe('what is refused', () => {
  it('names each field, the first one as ErrorBody', async () => {
    const { status, problem } = await inject({})
    expect([status, problem.code, problem.ErrorBody]).toEqual([400, 'bad-log', 'Message cannot be empty.'])
    expect(problem.errors?.map(({ path }) => path)).toEqual([
      'body.message',
      'body.logType',
      'body.instrumentInstalledProductId',
    ])
    const second = await inject({ logType: 'EVENT', message: 'x', instrumentInstalledProductId: FIRST })
    expect(second.problem.errors?.map(({ message }) => message)).toEqual([
      ...['Component cannot be empty.', 'Error code cannot be empty.'],
    ])
  })

  it('is 404 for an instrument outside the scope, before other fields', async () => {
    expect((await inject({ instrumentInstalledProductId: FIRST }, nordic)).problem.code).toBe('not-found')
    expect((await inject({ instrumentInstalledProductId: "IP' OR 1=1--" })).problem.code).toBe('not-found')
  })

  it('is 403 for customers, and 400 for bad syntax', async () => {
    expect((await inject({}, customer)).problem.code).toBe('wrong-role')
    const good = { logType: 'VID', message: 'x', module: 'm', instrumentInstalledProductId: FIRST }
    for (const over of [
      { message: 'x'.repeat(20_001) },
      { message: 'a\u0000' },
      { hostHostname: 'PC\r\n1' },
      { module: ['m'] },
      { nonsense: 1 },
    ])
      expect((await inject({ ...good, ...over })).problem.code).toBe('validation-failed')
    for (const timestamp of ['9999-12-31T00:00:00Z', '1969-01-01', 'now'])
      expect((await inject({ ...good, timestamp })).problem.code).toBe('bad-log')
  })
})

describe('suggestions', () => {
  it('customer e-mails are those of the instruments in scope, with their contacts', async () => {
    const { body } = await support.call('listCustomerEmails')
    expect(body).toEqual([
      {
        instrumentInstalledProductId: FIRST,
        instrumentCustomer: 'Helix Biologics',
        contactEmails: ['maria.oberg@helixbio.example'],
      },
      { instrumentInstalledProductId: 'IP-20431188', instrumentCustomer: 'Helix Biologics', contactEmails: [] },
      { instrumentInstalledProductId: 'IP-30000001', instrumentCustomer: 'Nordic Pharma', contactEmails: [] },
    ])
    expect((await nordic.call('listCustomerEmails')).body.map((one) => one.instrumentInstalledProductId)).toEqual([
      'IP-30000001',
    ])
    expect((await customer.call('listCustomerEmails')).problem.code).toBe('wrong-role')
  })

  it('unicorn PC names are by installed product id; ids outside the scope are left out', async () => {
    const ask = (ids: string[], caller = support) =>
      caller.call('readUnicornPcNames', { body: { instrumentInstalledProductIds: ids } })
    expect((await ask([FIRST, 'IP-20431188', 'IP-30000001', 'IP-9'])).body).toEqual({
      [FIRST]: ['PC-012', 'PC-013'],
      'IP-20431188': ['PC-012'],
      'IP-30000001': [],
    })
    expect((await ask([FIRST, 'IP-30000001'], nordic)).body).toEqual({ 'IP-30000001': [] })
    expect((await ask([])).body).toEqual({})
    expect((await ask(['<b>'])).problem.code).toBe('validation-failed')
    expect((await ask([FIRST], customer)).problem.code).toBe('wrong-role')
  })
})
