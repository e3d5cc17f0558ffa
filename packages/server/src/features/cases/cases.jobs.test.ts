import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { UserActor } from '../../db/actor.ts'
import type { Log } from '../../platform/log.ts'
import { type CaseDeskServer, startCaseDeskServer } from '../../testing/emulators/case-desk-server.ts'
import { eventually } from '../../testing/eventually.ts'
import { addEvents } from '../../testing/many-events.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import type { CaseDesk } from './case-desk.ts'
import { caseJobs, caseTasks } from './cases.jobs.ts'
import { cancelCase, requestCase } from './cases.service.ts'
import { createCaseDesk } from './desks/desk-file.ts'

const MINUTE = 60_000

let database: TestDatabase
/** Has no desk itself, so that nothing runs but what a test starts. */
let app: TestApp
let fleet: SampleFleet
let server: CaseDeskServer
let desk: CaseDesk
let ines: UserActor
/** Each call has a session of its own, because tests move the clock by hours. */
const asInes: Caller = { call: async (name, sent) => (await app.as(ines.id)).call(name, sent) }
let carl: number
const asCarl: Caller = { call: async (name, sent) => (await app.as(carl)).call(name, sent) }

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database, { environment: { PUBLIC_URL: 'https://console.example' } })
  fleet = await registerSampleFleet(database, TEST_NOW)
  const id = await addSamplePerson(database, { login: 'ines@benchwatch.example', name: 'Ines Berg' })
  ines = { type: 'user', id, name: 'Ines Berg', role: 'service', scope: 'all', sessionId: '' }
  carl = await addSamplePerson(database, { login: 'carl@benchwatch.example', name: 'Carl Lind' })
})
afterAll(() => app.close())

beforeEach(async () => {
  server = await startCaseDeskServer()
  // The numbers of earlier tests are taken.
  server.nextNumber = 20_000_000 + Math.floor(performance.now() * 10)
  desk = await deskOf('servicenow')
  await database.db.deleteFrom('service_case').where('number', 'is', null).execute()
})
afterEach(() => server.close())

async function deskOf(kind: 'servicenow' | 'salesforce' | 'rest', more?: string): Promise<CaseDesk> {
  const found = await createCaseDesk({ ...app.config, caseDeskFile: await server.file(kind, more) })
  if (!found) throw new Error('The file names no desk.')
  return found
}

const needs = () => ({
  db: database.db,
  clock: app.clock,
  config: app.config,
  log: app.app.http.log as Log,
  desk,
})

/** Runs the job once, as one server does. */
async function work(stop = new AbortController().signal): Promise<void> {
  for (const { run } of caseJobs(needs())) await run({}, stop)
}

/** Raises an event that Ines owns, and asks for its case. */
async function wanted(): Promise<string> {
  const [id = ''] = await addEvents(database, { count: 1, instrumentId: fleet.instruments.first })
  await asInes.call('updateServiceEvent', { params: { id }, body: { claimedBy: String(ines.id) } })
  await requestCase(needs(), { id, caller: ines, ifMatch: undefined })
  return id
}

const read = async (id: string) => (await asInes.call('getServiceEvent', { params: { id } })).body
const history = async (id: string) =>
  (await asInes.call('listServiceEventHistory', { params: { id } })).body.values.map(
    ({ actorName, property, newValue }) => `${actorName}: ${property} ${newValue}`,
  )
const casesOf = (id: string) => server.cases.filter(({ correlationId }) => correlationId === id)
const numberOf = (id: string) => casesOf(id)[0]?.number

describe.each(['servicenow', 'salesforce', 'rest'] as const)('a case at %s', (kind) => {
  test('closes its event with number and URL, in the name of who asked', async () => {
    desk = await deskOf(kind)
    const id = await wanted()
    expect(await read(id)).toMatchObject({
      alertStatus: '2_IN_PROGRESS',
      serviceCase: { requestedByName: 'Ines Berg', isCreated: false, lastError: null, retryAt: null },
    })
    await work()
    const event = await read(id)
    expect(event).toMatchObject({
      alertStatus: '3_CLOSED',
      claimedBy: String(ines.id),
      reasonClosed: 'Service Case Created',
      serviceMaxCaseNumber: numberOf(id),
      serviceCase: { isCreated: true, lastError: null },
    })
    expect(event.serviceMaxUrl).toContain(numberOf(id))
    expect((await history(id)).slice(-5)).toEqual([
      'Ines Berg: serviceCase requested',
      'Ines Berg: alertStatus 3_CLOSED',
      'Ines Berg: reasonClosed Service Case Created',
      `Ines Berg: serviceMaxCaseNumber ${numberOf(id)}`,
      `Ines Berg: serviceMaxUrl ${event.serviceMaxUrl}`,
    ])
  })

  test('is created once although its answer was lost', async () => {
    desk = await deskOf(kind)
    const id = await wanted()
    server.creations.push('lose')
    await work()
    expect(await read(id)).toMatchObject({
      alertStatus: '2_IN_PROGRESS',
      serviceCase: { isCreated: false, lastError: `${desk.name} could not be reached.` },
    })
    app.clock.advance(MINUTE)
    await work()
    expect(casesOf(id)).toHaveLength(1)
    expect(await read(id)).toMatchObject({ alertStatus: '3_CLOSED', serviceMaxCaseNumber: numberOf(id) })
  })
})

describe('a desk that is away', () => {
  test('leaves the event open with the reason, and is tried again after 0.5, 1, 2 … 30 minutes', async () => {
    const id = await wanted()
    server.refusal = 503
    const waits: number[] = []
    for (let attempt = 0; attempt < 9; attempt += 1) {
      await work()
      const { alertStatus, serviceCase } = await read(id)
      expect(alertStatus).toBe('2_IN_PROGRESS')
      expect(serviceCase?.lastError).toBe('ServiceNow is not available (503).')
      const retryAt = new Date(serviceCase?.retryAt ?? 0)
      waits.push((retryAt.getTime() - app.clock.now().getTime()) / MINUTE)
      const before = server.requests.length
      app.clock.set(new Date(retryAt.getTime() - 1))
      await work()
      expect(server.requests).toHaveLength(before)
      app.clock.set(retryAt)
    }
    expect(waits).toEqual([0.5, 1, 2, 4, 8, 16, 30, 30, 30])
    server.refusal = null
    await work()
    expect(await read(id)).toMatchObject({ alertStatus: '3_CLOSED', serviceMaxCaseNumber: numberOf(id) })
  })

  test('is asked again by the leader when a case is due', async () => {
    await wanted()
    await database.pool.query('DELETE FROM job_outbox')
    for (const { run } of caseTasks(needs())) await run()
    const waiting = () => database.db.selectFrom('job_outbox').select('name').execute()
    const queued = () =>
      database.pool.query('SELECT 1 FROM graphile_worker._private_jobs').then(({ rowCount }) => rowCount)
    expect((await waiting()).length + ((await queued()) ?? 0)).toBeGreaterThan(0)
  })

  test('says in the log what it answered, and not the secret', async () => {
    await wanted()
    server.refusal = 400
    await work()
    expect(app.logged()).toContain('Not now')
    expect(app.logged()).not.toContain('p4ss')
  })
})

describe('two servers', () => {
  test('create a case once', async () => {
    const ids = [await wanted(), await wanted(), await wanted()]
    await Promise.all([work(), work(), work()])
    for (const id of ids) expect(casesOf(id)).toHaveLength(1)
  })

  test('create it once although the first is slower than its lease', async () => {
    const id = await wanted()
    server.creations.push('hold')
    const first = work()
    await eventually(() => expect(server.requests).toContain('POST /api/now/table/incident'))
    const before = server.requests.length
    await work()
    expect(server.requests).toHaveLength(before)
    app.clock.advance(3 * MINUTE)
    server.release()
    await work()
    await first
    expect(casesOf(id)).toHaveLength(1)
    expect(await read(id)).toMatchObject({ alertStatus: '3_CLOSED', serviceMaxCaseNumber: numberOf(id) })
  })

  test('create it once although the first is frozen before it sends anything', async () => {
    const id = await wanted()
    let thaw: () => void = () => undefined
    const frozen = new Promise<void>((resolve) => {
      thaw = resolve
    })
    const usual = desk
    let isFrozen = false
    desk = {
      ...usual,
      async find(correlationId, stop) {
        const found = await usual.find(correlationId, stop)
        isFrozen = true
        await frozen
        return found
      },
    }
    const first = work()
    await eventually(() => expect(isFrozen).toBe(true))
    desk = usual
    app.clock.advance(3 * MINUTE)
    server.creations.push('hold')
    const second = work()
    await eventually(() => expect(server.requests).toContain('POST /api/now/table/incident'))
    thaw()
    await first
    server.release()
    await second
    expect(casesOf(id)).toHaveLength(1)
    expect(await read(id)).toMatchObject({ alertStatus: '3_CLOSED', serviceMaxCaseNumber: numberOf(id) })
  })

  test('share a case of one that stops in the middle: the other finds it at once', async () => {
    const id = await wanted()
    server.creations.push('hold')
    const stopping = new AbortController()
    const first = work(stopping.signal)
    await eventually(() => expect(server.requests).toContain('POST /api/now/table/incident'))
    stopping.abort()
    await first
    server.release()
    await eventually(() => expect(casesOf(id)).toHaveLength(1))
    await work()
    expect(casesOf(id)).toHaveLength(1)
    expect(await read(id)).toMatchObject({ alertStatus: '3_CLOSED', serviceMaxCaseNumber: numberOf(id) })
  })
})

describe('a person who does not wait', () => {
  test('cancels, and nothing is created', async () => {
    const id = await wanted()
    await cancelCase(needs(), { id, caller: ines })
    await work()
    expect(casesOf(id)).toEqual([])
    expect(await read(id)).toMatchObject({ alertStatus: '2_IN_PROGRESS', serviceCase: null })
    expect((await history(id)).at(-1)).toBe('Ines Berg: serviceCase null')
  })

  test('closes by hand, and nothing is created', async () => {
    const id = await wanted()
    const change = { alertStatus: 'CLOSED', reasonClosed: 'No action required' } as const
    await asInes.call('updateServiceEvent', { params: { id }, body: change })
    expect((await read(id)).serviceCase).toBeNull()
    await work()
    expect(casesOf(id)).toEqual([])
  })

  test.each([
    ['cancels', (id: string) => cancelCase(needs(), { id, caller: ines })],
    [
      'closes by hand',
      (id: string) =>
        asInes.call('updateServiceEvent', {
          params: { id },
          body: { alertStatus: 'CLOSED', reasonClosed: 'Duplicate event' },
        }),
    ],
  ])('%s while the case is created: the history names the case', async (_how, act) => {
    const id = await wanted()
    server.creations.push('hold')
    const first = work()
    await eventually(() => expect(server.requests).toContain('POST /api/now/table/incident'))
    await act(id)
    server.release()
    await first
    expect(await read(id)).toMatchObject({ serviceMaxCaseNumber: null, serviceCase: null })
    expect((await history(id)).at(-1)).toBe(`Automatic: serviceCase ${numberOf(id)}`)
  })

  test('enters the number that the desk shows: the case is followed', async () => {
    const id = await wanted()
    server.creations.push('lose')
    await work()
    const change = { alertStatus: 'CLOSED', reasonClosed: 'Service Case Created' } as const
    const entered = await asInes.call('updateServiceEvent', {
      params: { id },
      body: { ...change, serviceMaxCaseNumber: numberOf(id) ?? '' },
    })
    expect(entered.status).toBe(200)
    app.clock.advance(MINUTE)
    await work()
    expect(casesOf(id)).toHaveLength(1)
    expect(await read(id)).toMatchObject({ alertStatus: '3_CLOSED', serviceCase: { isCreated: true } })
  })

  test('cancels and asks again: the case of the first time is found', async () => {
    const id = await wanted()
    server.creations.push('lose')
    await work()
    await cancelCase(needs(), { id, caller: ines })
    await requestCase(needs(), { id, caller: ines, ifMatch: undefined })
    await work()
    expect(casesOf(id)).toHaveLength(1)
    expect(await read(id)).toMatchObject({ alertStatus: '3_CLOSED', serviceMaxCaseNumber: numberOf(id) })
  })

  test('hands the event over: it is closed with its new owner', async () => {
    const id = await wanted()
    await asCarl.call('updateServiceEvent', { params: { id }, body: { claimedBy: String(carl) } })
    await work()
    expect(await read(id)).toMatchObject({ alertStatus: '3_CLOSED', claimedBy: String(carl) })
  })

  test('can’t undo the claim any more', async () => {
    const id = await wanted()
    const undo = await asInes.call('updateServiceEvent', { params: { id }, body: { undo: true } })
    expect(undo.status).toBe(409)
  })
})

describe('what the desk answers is checked', () => {
  test('a number that the installation does not allow keeps the event open, and is found later', async () => {
    const id = await wanted()
    server.nextNumber = 7
    await work()
    expect((await read(id)).serviceCase?.lastError).toBe(
      'ServiceNow created case 7, but CASE_NUMBER_PATTERN does not allow this number. An administrator must change it.',
    )
    app.clock.advance(MINUTE)
    await work()
    expect(casesOf(id)).toHaveLength(1)
    expect((await read(id)).alertStatus).toBe('2_IN_PROGRESS')
  })

  test('an address at another host keeps the event open', async () => {
    const { create } = desk
    desk = { ...desk, create: async (draft, stop) => ({ ...(await create(draft, stop)), url: 'https://evil.example' }) }
    const id = await wanted()
    await work()
    expect((await read(id)).serviceCase?.lastError).toContain('CASE_URL_HOSTS does not allow its address')
  })

  test('a search that ignores its condition closes no event with the case of another', async () => {
    const first = await wanted()
    await work()
    server.ignoresSearch = true
    const id = await wanted()
    await work()
    expect((await read(id)).serviceCase?.lastError).toContain('answered another case than was asked for')
    expect((await read(id)).serviceMaxCaseNumber).toBeNull()
    expect((await read(first)).serviceMaxCaseNumber).toBe(numberOf(first))
  })

  test('a number that belongs to another event is refused', async () => {
    const first = await wanted()
    await work()
    server.nextNumber = Number(numberOf(first))
    const id = await wanted()
    await work()
    expect((await read(id)).serviceCase?.lastError).toContain(`which belongs to ORC-${first}`)
    expect((await read(id)).alertStatus).toBe('2_IN_PROGRESS')
  })

  test('a desk that keeps no number of the event is an error in the log', async () => {
    const id = await wanted()
    server.creations.push('forget')
    await work()
    expect((await read(id)).alertStatus).toBe('3_CLOSED')
    expect(app.logged()).toContain('a lost answer would cause a second case')
  })

  test('the prefix of the installation precedes the number of the event', async () => {
    desk = await deskOf('servicenow', 'prefix: test-')
    const id = await wanted()
    await work()
    expect(numberOf(`test-${id}`)).toBe((await read(id)).serviceMaxCaseNumber)
  })
})
