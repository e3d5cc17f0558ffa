import { anInstrument, aSite } from '@benchwatch/samples/registry-objects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { appendSampleLines, messagesOf } from '../../testing/log-lines.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { storeSoftware } from '../ingest/readings.store.ts'
import { upsertSites } from '../registry/customers.store.ts'
import { upsertInstruments } from '../registry/instruments.store.ts'

/** PC-012 is a computer name in both customers' laboratories; at Helix two instruments use it. */
let server: TestApp
let fleet: SampleFleet
let service: Caller
let helix: Caller
let nordic: Caller

const FIRST = 'IP-20431187'
const NORDIC = 'IP-30000001'
const minutes = (count: number) => new Date(TEST_NOW.getTime() + count * 60_000)

beforeAll(async () => {
  const database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database)
  const customer = async (login: string, id: number) =>
    server.as(await addSamplePerson(database, { login, role: 'customer', scope: [id] }))
  service = await server.as(await addSamplePerson(database, { login: 'sven@benchwatch.example' }))
  helix = await customer('lab@helixbio.example', fleet.customers.helix)
  nordic = await customer('lab@nordic.example', fleet.customers.nordic)
  const client = { logType: 'UNICORNCLIENT' as const, hostname: 'PC-012' }
  const { first, second } = fleet.instruments
  await appendSampleLines(database, [
    { ...client, instrumentId: first, message: 'of helix' },
    { ...client, instrumentId: second, message: 'of the second' },
    { ...client, instrumentId: fleet.instruments.nordic, message: 'of nordic' },
    { ...client, instrumentId: first, hostname: 'PC-013', message: 'of another computer' },
    { ...client, instrumentId: first, hostname: null, message: 'of no computer', timestamp: minutes(-9) },
    { instrumentId: first, logType: 'EVENT', message: 'an event', timestamp: minutes(-5) },
    { instrumentId: first, logType: 'VID', message: 'old' },
    { instrumentId: first, logType: 'VID', message: 'new', timestamp: minutes(3) },
  ])
})
afterAll(() => server.close())

const tellClients = (instrumentId: number, clientPcNames: string[], at = TEST_NOW) =>
  inTransaction(server.database.db, (trx) =>
    storeSoftware(trx, [{ instrumentId, at, epoch: 1, sequence: at.getTime(), software: { clientPcNames } }]),
  )

describe('the log of a client', () => {
  it('is named by its computer, and by its customer where several have a computer of that name', async () => {
    const query = { logType: 'UNICORNCLIENT', computerName: 'PC-012', order: 'ASC' } as const
    const read = async (caller: Caller, more = {}) => {
      const { status, body } = await caller.call('listInstrumentLogs', { query: { ...query, ...more } })
      expect(status).toBe(200)
      return messagesOf(body.body.hits.hits)
    }
    expect(await read(service)).toEqual(['of helix', 'of the second', 'of nordic'])
    expect(await read(service, { enterprise: 'Nordic Pharma' })).toEqual(['of nordic'])
    expect(await read(service, { enterprise: 'No Such Customer' })).toEqual([])
    expect(await read(service, { instrumentInstalledProductId: FIRST })).toEqual(['of helix'])
    expect(await read(helix)).toEqual(['of helix', 'of the second'])
    expect(await read(helix, { computerName: 'PC-099' })).toEqual([])
  })
})

describe('which logs there are', () => {
  const available = async (caller: Caller, instrumentInstalledProductId = FIRST) =>
    (await caller.call('listAvailableLogs', { query: { instrumentInstalledProductId } })).body.values

  it('is one a log type with the time of its newest line, and one a client', async () => {
    const now = TEST_NOW.toISOString()
    expect(await available(helix)).toEqual([
      { logType: 'VID', computerName: null, newest: minutes(3).toISOString() },
      { logType: 'UNICORNCLIENT', computerName: 'PC-012', newest: now },
      { logType: 'UNICORNCLIENT', computerName: 'PC-013', newest: now },
      { logType: 'UNICORNCLIENT', computerName: null, newest: minutes(-9).toISOString() },
      { logType: 'EVENT', computerName: null, newest: minutes(-5).toISOString() },
    ])
  })

  it('holds linked computers without lines, and those whose lines are there though they are linked no more', async () => {
    await tellClients(fleet.instruments.first, ['PC-014', 'PC-012'])
    const clients = (await available(helix)).filter(({ logType }) => logType === 'UNICORNCLIENT')
    expect(clients.map(({ computerName, newest }) => [computerName, newest !== null])).toEqual([
      ['PC-012', true],
      ['PC-013', true],
      ['PC-014', false],
      [null, true],
    ])
  })

  it('is nothing of an instrument that has told nothing', async () => {
    const quiet = anInstrument({ key: 'IP-20431199' })
    const writing = { actor: { type: 'command', name: 'test' }, at: TEST_NOW } as const
    await inTransaction(server.database.db, (trx) => upsertInstruments(trx, writing, [quiet]))
    expect(await available(helix, 'IP-20431199')).toEqual([])
  })
})

describe('another customer', () => {
  const routes = ['listInstrumentLogs', 'searchInstrumentLogs'] as const
  /** Calls all three routes as a user who requests a log of Helix with every combination of parameters. */
  const ask = (name: (typeof routes)[number], caller: Caller, query: object) =>
    caller.call(name, {
      query: { logType: 'UNICORNCLIENT', ...query, ...(name === 'searchInstrumentLogs' && { searchString: 'of' }) },
    } as never)

  it.each(routes)('finds none of its instruments, whatever else is named: %s', async (name) => {
    for (const more of [{}, { computerName: 'PC-012' }, { enterprise: 'Helix Biologics' }]) {
      const { status, problem } = await ask(name, nordic, { instrumentInstalledProductId: FIRST, ...more })
      const missing = await ask(name, nordic, { instrumentInstalledProductId: 'IP-99999999', ...more })
      expect([status, missing.status]).toEqual([404, 404])
      expect({ ...problem, requestId: '' }).toEqual({ ...missing.problem, requestId: '' })
    }
    const asked = { query: { instrumentInstalledProductId: FIRST } }
    expect((await nordic.call('listAvailableLogs', asked)).status).toBe(404)
    expect((await helix.call('listAvailableLogs', asked)).status).toBe(200)
  })

  it.each(routes)('reads of a computer of that name only its own lines: %s', async (name) => {
    const read = async (query: object) => {
      const { status, body } = await ask(name, nordic, query)
      expect(status).toBe(200)
      return { messages: messagesOf(body.body.hits.hits), total: body.body.hits.total.value }
    }
    const none = { messages: [], total: 0 }
    const computerName = 'PC-012'
    expect(await read({ computerName })).toEqual({ messages: ['of nordic'], total: 1 })
    expect(await read({ computerName: 'PC-013' })).toEqual(none)
    expect(await read({ computerName, enterprise: 'Helix Biologics' })).toEqual(none)
    expect(await read({ computerName, instrumentInstalledProductId: NORDIC })).toEqual({
      messages: ['of nordic'],
      total: 1,
    })
    expect(await read({ computerName, instrumentInstalledProductId: NORDIC, enterprise: 'Helix Biologics' })).toEqual(
      none,
    )
    expect(await read({ computerName: 'PC-013', instrumentInstalledProductId: NORDIC })).toEqual(none)
  })

  it.each(routes)('gets to nothing by the cursor of a line that is not theirs: %s', async (name) => {
    const theirs = await ask(name, helix, { computerName: 'PC-012', order: 'ASC' })
    const [timestamp, id] = theirs.body.body.hits.hits[0]?.sort ?? []
    const cursor = { openSearchTimeStamp: String(timestamp), openSearchLogId: String(id) }
    for (const order of ['ASC', 'DESC']) {
      const { body } = await ask(name, nordic, { computerName: 'PC-012', order, ...cursor })
      for (const message of messagesOf(body.body.hits.hits)) expect(message).toBe('of nordic')
    }
  })

  it('gets the same answer for a log that is named without instrument or computer', async () => {
    for (const name of routes) {
      for (const query of [{}, { enterprise: 'Helix Biologics' }]) {
        const { status, problem } = await ask(name, nordic, query)
        expect([status, problem.ErrorBody]).toEqual([400, 'Missing UNICORNCLIENT search index/id'])
      }
    }
    const { problem } = await nordic.call('listInstrumentLogs', { query: { logType: 'VID' } })
    expect(problem.ErrorBody).toBe('Missing VID search index/id')
  })
})

// The last of this file: the instrument stays with its new customer.
describe('an instrument that moves to another customer', () => {
  it('shows them nothing of before, by either clock, and its former customer nothing at all', async () => {
    const { db } = server.database
    const writing = { actor: { type: 'command', name: 'test' } as const, at: minutes(60) }
    const instrumentId = fleet.instruments.first
    const append = (message: string, timestamp: Date, receivedAt: Date) =>
      appendSampleLines(
        server.database,
        [
          { instrumentId, logType: 'CONNECTIVITY', message, timestamp },
          { instrumentId, logType: 'UNICORNCLIENT', hostname: `PC of ${message}`, message, timestamp },
        ],
        receivedAt,
      )
    await append('before', minutes(49), minutes(50))
    await append('before, by a clock that ran ahead', minutes(90), minutes(51))
    await tellClients(instrumentId, ['PC-HELIX'], minutes(52))
    await inTransaction(db, async (trx) => {
      await upsertSites(trx, writing, [aSite({ key: 'nordic-pharma-oslo', customer: 'nordic-pharma' })])
      await upsertInstruments(trx, writing, [
        anInstrument({ site: 'nordic-pharma-oslo', gateway: null, contract: null, contact: null }),
      ])
    })
    await append('before, delivered late', minutes(55), minutes(70))
    await append('after', minutes(69), minutes(70))

    const seenBy = async (caller: Caller) => {
      const query = { logType: 'CONNECTIVITY', instrumentInstalledProductId: FIRST, order: 'ASC' } as const
      return messagesOf((await caller.call('listInstrumentLogs', { query })).body.body.hits.hits)
    }
    expect(await seenBy(nordic)).toEqual(['after'])
    expect(await seenBy(service)).toEqual([
      'before',
      'before, delivered late',
      'after',
      'before, by a clock that ran ahead',
    ])
    const asked = { query: { instrumentInstalledProductId: FIRST } }
    const logs = await nordic.call('listAvailableLogs', asked)
    expect(logs.body.values).toEqual([
      { logType: 'UNICORNCLIENT', computerName: 'PC of after', newest: minutes(69).toISOString() },
      { logType: 'CONNECTIVITY', computerName: null, newest: minutes(69).toISOString() },
    ])
    const search = { logType: 'CONNECTIVITY', instrumentInstalledProductId: FIRST, searchString: 'before' } as const
    expect((await nordic.call('searchInstrumentLogs', { query: search })).body.body.hits.total.value).toBe(0)
    expect((await nordic.call('getLinkedClients', asked)).body.clientPcNames).toEqual([])
    expect((await service.call('getLinkedClients', asked)).body.clientPcNames).toEqual(['PC-HELIX'])
    for (const name of ['listAvailableLogs', 'getLinkedClients'] as const) {
      expect((await helix.call(name, asked)).status).toBe(404)
    }
    const byComputer = { logType: 'UNICORNCLIENT', computerName: 'PC-012' } as const
    const former = await helix.call('listInstrumentLogs', { query: byComputer })
    expect(messagesOf(former.body.body.hits.hits)).toEqual(['of the second'])
    const next = await nordic.call('listInstrumentLogs', { query: byComputer })
    expect(messagesOf(next.body.body.hits.hits)).toEqual(['of nordic'])
  })
})
