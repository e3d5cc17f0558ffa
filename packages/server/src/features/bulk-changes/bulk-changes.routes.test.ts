import type { BulkFailure } from '@benchwatch/contract/events/bulk-changes'
import type { ServiceEventChange } from '@benchwatch/contract/events/events'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { addEvents } from '../../testing/many-events.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
const people = { engineer: 0, colleague: 0, helix: 0, nordic: 0 }
const as: Record<keyof typeof people, Caller> = {} as never

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
  const { helix, nordic } = fleet.customers
  const add = (login: string, person: object) => addSamplePerson(database, { login, ...person })
  people.engineer = await add('engineer@benchwatch.example', { name: 'Ines Berg' })
  people.colleague = await add('colleague@benchwatch.example', { name: 'Carl Lind' })
  people.helix = await add('lab@helixbio.example', { name: 'Hanna Lind', role: 'customer', scope: [helix] })
  people.nordic = await add('lab@nordic.example', { name: 'Nora Nord', role: 'customer', scope: [nordic] })
  for (const [name, id] of Object.entries(people)) as[name as keyof typeof people] = await app.as(id)
})
afterAll(() => app.close())

const duplicates = { alertStatus: 'CLOSED', reasonClosed: 'Duplicate event' } as const
const claim = (who: keyof typeof people) => ({ claimedBy: String(people[who]) })

const raise = (count: number, over: Partial<Parameters<typeof addEvents>[1]> = {}) =>
  addEvents(database, { count, instrumentId: fleet.instruments.first, ...over })

const change = (caller: Caller, selection: object, input: ServiceEventChange) =>
  caller.call('changeServiceEvents', { body: { ids: [], mode: 'include', ...selection, change: input } as never })
const these = (caller: Caller, ids: readonly string[], input: ServiceEventChange) => change(caller, { ids }, input)

const rowsOf = (ids: readonly string[]) =>
  database.db
    .selectFrom('service_event')
    .where('id', 'in', ids.map(Number))
    .orderBy('id')
    .select(['id', 'version', 'alert_status', 'claimed_by', 'reason_closed', 'service_max_case_number'])
    .execute()

/** Returns the progress once the job has finished. */
async function ended(caller: Caller, jobId: string) {
  return eventually(async () => {
    const { body } = await caller.call('getBulkChange', { params: { jobId } })
    expect(body.state).not.toBe('running')
    return body
  })
}

async function begin(caller: Caller, ids: readonly string[], input: ServiceEventChange): Promise<string> {
  const { status, body } = await these(caller, ids, input)
  expect(status).toBe(202)
  return (body as { jobId: string }).jobId
}

describe('include mode', () => {
  test('changes these events, each with its record and its live messages', async () => {
    const ids = await raise(60)
    const answer = await these(as.helix, ids, claim('helix'))
    expect([answer.status, answer.body]).toEqual([200, { changed: 60, failed: [] }])
    for (const row of await rowsOf(ids)) {
      expect(row).toMatchObject({ version: 2, alert_status: 2, claimed_by: people.helix })
    }
    for (const id of [ids[0], ids[59]]) {
      const history = await as.helix.call('listServiceEventHistory', { params: { id: id as string } })
      // All changes after its creation.
      expect(history.body.values.slice(1)).toMatchObject([
        { actorId: String(people.helix), property: 'claimedBy', newValue: 'Hanna Lind' },
        { property: 'alertStatus', oldValue: '1_NEW', newValue: '2_IN_PROGRESS' },
      ])
    }
    const { rows } = await sql<{ about: string; customer_id: number }>`
      SELECT message->'payload'->>'id' AS about, customer_id FROM live_message WHERE message->>'action' = 'update'
      UNION ALL SELECT message->'payload'->>'id', customer_id FROM live_outbox WHERE message->>'action' = 'update'`.execute(
      database.db,
    )
    const messages = rows.filter(({ about }) => ids.includes(about))
    expect(messages).toHaveLength(120)
    expect(messages.every(({ customer_id }) => customer_id === fleet.customers.helix)).toBe(true)
  })

  test('an id that occurs twice is changed once', async () => {
    const [id = ''] = await raise(1)
    const answer = await these(as.engineer, [id, id, `0${id}`], claim('engineer'))
    expect(answer.body).toEqual({ changed: 1, failed: [] })
    expect(await rowsOf([id])).toMatchObject([{ version: 2 }])
  })

  test('a repeat changes nothing and writes no record', async () => {
    const ids = await raise(2)
    await these(as.engineer, ids, claim('engineer'))
    const again = await these(as.engineer, ids, claim('engineer'))
    expect(again.body).toEqual({ changed: 0, failed: [] })
    expect((await rowsOf(ids)).map(({ version }) => version)).toEqual([2, 2])
  })

  test('closes with a service case, as the change of one event would', async () => {
    const ids = await raise(3)
    await these(as.engineer, ids, claim('engineer'))
    const answer = await these(as.engineer, ids, {
      alertStatus: 'CLOSED',
      reasonClosed: 'Service Case Created',
      serviceMaxCaseNumber: ' 00123456 ',
      reasonClosedComment: 'belongs to no case',
    })
    expect(answer.body).toEqual({ changed: 3, failed: [] })
    for (const row of await rowsOf(ids)) {
      expect(row).toMatchObject({ alert_status: 3, service_max_case_number: '00123456', version: 3 })
    }
  })

  test('says of each event that was not changed which and why, as PUT answers it, and changes the others', async () => {
    const [mine = '', theirs = '', closed = ''] = await raise(3)
    await these(as.engineer, [mine, closed], claim('engineer'))
    await these(as.engineer, [closed], duplicates)
    await these(as.colleague, [theirs], claim('colleague'))
    const answer = await these(as.engineer, [mine, theirs, closed], duplicates)
    // The closed one already has the requested status.
    expect(answer.body).toMatchObject({ changed: 1, failed: [{ id: theirs, eventId: theirs, code: 'not-owner' }] })
    const taken = await these(as.colleague, [mine, theirs, closed], claim('colleague'))
    const { failed, changed } = taken.body as { changed: number; failed: BulkFailure[] }
    expect([changed, failed.map(({ id, code }) => [id, code])]).toEqual([
      0,
      [
        [mine, 'status-conflict'],
        [closed, 'status-conflict'],
      ],
    ])
    const alone = await as.colleague.call('updateServiceEvent', { params: { id: mine }, body: claim('colleague') })
    expect(failed[0]).toMatchObject({ code: alone.problem.code, ErrorBody: alone.problem.ErrorBody })
  })

  test('undo puts back what nobody changed since, and says of which events it did not', async () => {
    const [mine = '', theirs = ''] = await raise(2)
    await these(as.engineer, [mine, theirs], claim('engineer'))
    app.clock.advance(5000)
    await these(as.colleague, [theirs], claim('colleague'))
    const answer = await these(as.engineer, [mine, theirs], { undo: true })
    app.clock.set(TEST_NOW)
    expect(answer.body).toMatchObject({ changed: 1, failed: [{ id: theirs, code: 'status-conflict' }] })
    expect(await rowsOf([mine, theirs])).toMatchObject([
      { alert_status: 1, claimed_by: null },
      { alert_status: 2, claimed_by: people.colleague },
    ])
  })

  test('an owner whose scope does not hold an event is refused for that event alone', async () => {
    const [ours] = await raise(1)
    const [nordic] = await raise(1, { instrumentId: fleet.instruments.nordic })
    const answer = await these(as.engineer, [ours, nordic] as string[], claim('helix'))
    expect(answer.body).toMatchObject({ changed: 1, failed: [{ id: nordic, code: 'unknown-owner' }] })
  })

  test('ids of another customer, and of no event, are left out as if they did not exist', async () => {
    const ids = await raise(2)
    const answer = await these(as.nordic, [...ids, '999999999999'], claim('nordic'))
    expect([answer.status, answer.body]).toEqual([200, { changed: 0, failed: [] }])
    expect((await rowsOf(ids)).every(({ version }) => version === 1)).toBe(true)
  })
})

describe('exclude mode', () => {
  const found = async (caller: Caller, query: object, filter: object) => {
    const { body } = await caller.call('listServiceEvents', { query: { limit: '100', ...query }, body: { filter } })
    expect(body.total.events).toBe(body.values.length)
    return body.values.map(({ alarm }) => alarm.id)
  }

  test.each<[string, object, object, object, number]>([
    ['a keyword', { keyword: 'Kolibri' }, { keyword: 'Kolibri' }, {}, 6],
    ['a filter', { keyword: 'Kolibri' }, { keyword: 'Kolibri' }, { severity: ['LOW'] }, 3],
    [
      'a range, half open',
      { keyword: 'Kolibri', start: new Date('2026-11-10'), stop: new Date('2026-11-18T14:00:00Z') },
      { keyword: 'Kolibri', start: '2026-11-10', stop: '2026-11-18T14:00:00.000Z' },
      {},
      3,
    ],
    [
      'the quick filter of events without owner',
      { keyword: 'Kolibri', noOwnerEvents: 'true' },
      { keyword: 'Kolibri', quick: 'noOwner' },
      {},
      4,
    ],
    [
      'the quick filter of 24-hour support',
      { keyword: 'Kolibri', fullSupportEvents: 'true' },
      { keyword: 'Kolibri', quick: 'fullSupport' },
      {},
      3,
    ],
  ])('changes what the list finds by %s but for the ids', async (_what, query, narrowing, filter, count) => {
    await sql`DELETE FROM service_event WHERE description LIKE 'Kolibri%'`.execute(database.db)
    for (const [index, severity] of (['low', 'high', 'low', 'high', 'low', 'high'] as const).entries()) {
      const createdAt = new Date(TEST_NOW.getTime() - index * 86_400_000)
      await raise(1, {
        severity,
        createdAt,
        description: 'Kolibri valve sticks',
        fullSupport: index % 2 === 0,
        ...(index === 5 && { instrumentId: fleet.instruments.nordic }),
      })
    }
    const [taken] = await found(as.engineer, { keyword: 'Kolibri' }, { severity: ['high'] })
    await these(as.colleague, [taken as string], claim('colleague'))
    const before = await found(as.engineer, query, filter)
    expect(before).toHaveLength(count)
    const [left = '', ...others] = before
    const answer = await change(
      as.engineer,
      { mode: 'exclude', ids: [left], filter, ...narrowing },
      { claimedBy: String(people.helix) },
    )
    const nordic = await found(as.engineer, { keyword: 'Kolibri' }, { enterpriseName: ['Nordic Pharma'] })
    const refused = others.filter((id) => nordic.includes(id))
    expect(answer.body).toMatchObject({
      changed: others.length - refused.length,
      failed: refused.map((id) => ({ id })),
    })
    const claimed = (await rowsOf(await found(as.engineer, { keyword: 'Kolibri' }, {}))).filter(
      ({ claimed_by }) => claimed_by === people.helix,
    )
    expect(claimed.map(({ id }) => String(id)).sort()).toEqual(others.filter((id) => !refused.includes(id)).sort())
  })

  test('the quick filter of events without action finds those that nobody touched for a day', async () => {
    const ids = await raise(2, { description: 'Falcon valve sticks' })
    await these(as.engineer, ids, claim('engineer'))
    await sql`UPDATE service_event SET last_action_at = ${new Date(TEST_NOW.getTime() - 90_000_000)}
      WHERE id = ${Number(ids[0])}`.execute(database.db)
    const selection = { mode: 'exclude', keyword: 'Falcon', quick: 'noAction' }
    expect((await change(as.engineer, selection, duplicates)).body).toEqual({ changed: 1, failed: [] })
    expect((await rowsOf(ids)).map(({ alert_status }) => alert_status)).toEqual([3, 2])
  })

  test('holds only events of the caller’s customers', async () => {
    const [ours] = await raise(1, { description: 'Ibis valve sticks' })
    const [other] = await raise(1, { description: 'Ibis valve sticks', instrumentId: fleet.instruments.nordic })
    const answer = await change(as.helix, { mode: 'exclude', keyword: 'Ibis' }, claim('helix'))
    expect(answer.body).toEqual({ changed: 1, failed: [] })
    expect((await rowsOf([ours, other] as string[])).map(({ version }) => version)).toEqual([2, 1])
  })
})

describe('a bulk change is refused as a whole', () => {
  test.each<[string, ServiceEventChange, string]>([
    ['without a reason to close', { alertStatus: 'CLOSED' }, 'bad-change'],
    ['for an owner that nobody can be', { claimedBy: '999999' }, 'unknown-owner'],
    ['for no owner', { claimedBy: null }, 'bad-change'],
  ])('%s, as PUT would', async (_what, input, code) => {
    const ids = await raise(1)
    await these(as.engineer, ids, claim('engineer'))
    const answer = await these(as.engineer, ids, input)
    const alone = await as.engineer.call('updateServiceEvent', { params: { id: ids[0] as string }, body: input })
    expect([answer.status, answer.problem.code]).toEqual([400, code])
    expect(answer.problem.ErrorBody).toBe(alone.problem.ErrorBody)
    expect(await rowsOf(ids)).toMatchObject([{ version: 2 }])
  })

  test('a customer can’t assign to somebody of another', async () => {
    const ids = await raise(1)
    const answer = await these(as.helix, ids, claim('nordic'))
    expect([answer.status, answer.problem.code]).toEqual([400, 'unknown-owner'])
  })

  test.each<[string, object]>([
    ['an unknown mode', { mode: 'all' }],
    ['an unknown category', { filter: { colour: ['red'] } }],
    ['an unknown field', { page: 1 }],
    ['an unknown quick filter', { quick: 'idle' }],
    ['an id that is none', { ids: ['ORC-1'] }],
  ])('%s is no request', async (_what, selection) => {
    const answer = await change(as.engineer, selection, {})
    expect([answer.status, answer.problem.code]).toEqual([400, 'validation-failed'])
  })

  test('above 10,000 events, with a sentence that says how many and what to do', async () => {
    const ids = Array.from({ length: 10_001 }, (_, index) => String(index + 1))
    const named = await these(as.engineer, ids, claim('engineer'))
    expect([named.status, named.problem.code]).toEqual([400, 'selection-too-large'])
    expect(named.problem.ErrorBody).toMatch(/^10,001 events are selected, and at most 10,000 .* Narrow the list/)

    const many = await raise(10_002, { description: 'Heron valve sticks' })
    const all = (less: number) => ({ mode: 'exclude', keyword: 'Heron', ids: many.slice(0, less) })
    for (const less of [0, 1]) {
      const answer = await change(as.engineer, all(less), claim('engineer'))
      expect(answer.problem.code).toBe('selection-too-large')
      expect(answer.problem.ErrorBody).toContain(less === 0 ? '10,002 events' : '10,001 events')
    }
    expect((await change(as.engineer, all(9990), claim('engineer'))).body).toEqual({ changed: 12, failed: [] })
  })
})

describe('above 500 events', () => {
  test('a job continues, and reports its progress to the user who started it', async () => {
    const ids = await raise(620)
    await these(as.colleague, ids.slice(0, 20), claim('colleague'))
    await these(as.engineer, ids.slice(20, 30), claim('engineer'))
    await these(as.colleague, ids.slice(0, 5), duplicates)
    const jobId = await begin(as.engineer, ids, claim('engineer'))
    const result = await ended(as.engineer, jobId)
    expect(result).toMatchObject({ state: 'done', changed: 605, done: 620, total: 620 })
    expect(result.failed).toMatchObject(ids.slice(0, 5).map((id) => ({ id, code: 'status-conflict' })))
    for (const caller of [as.colleague, as.helix, as.nordic]) {
      const other = await caller.call('getBulkChange', { params: { jobId } })
      expect([other.status, other.problem.code]).toEqual([404, 'not-found'])
    }
  })

  test('500 are changed at once', async () => {
    const ids = await raise(500)
    const answer = await these(as.engineer, ids, claim('engineer'))
    expect([answer.status, answer.body]).toEqual([200, { changed: 500, failed: [] }])
  })

  test('nobody finds a job that does not exist', async () => {
    const jobId = '00000000-0000-4000-8000-000000000000'
    expect((await as.engineer.call('getBulkChange', { params: { jobId } })).status).toBe(404)
  })
})

test('one person’s bulk changes are done one after the other, and nobody else waits for them', async () => {
  const ids = await raise(3)
  const statuses: number[] = []
  const ask = async () => {
    const { status } = await these(as.engineer, ids, claim('engineer'))
    statuses.push(status)
  }
  let others: Promise<void>[] = []
  // The first one waits for this transaction, so the twelfth finds eleven before it.
  await database.db.transaction().execute(async (trx) => {
    await sql`SELECT id FROM service_event WHERE id = ${Number(ids[0])} FOR UPDATE`.execute(trx)
    others = Array.from({ length: 12 }, ask)
    await eventually(() => expect(statuses).toEqual([503]))
    expect((await these(as.colleague, ids.slice(1), claim('colleague'))).body).toEqual({ changed: 2, failed: [] })
  })
  await Promise.all(others)
  expect(statuses).toEqual([503, ...Array.from({ length: 11 }, () => 200)])
})

test('beside changes of single events, every change is made once and announced with its version', async () => {
  const ids = await raise(120)
  const answers = await Promise.all([
    these(as.engineer, ids, claim('engineer')),
    these(as.colleague, ids.toReversed(), claim('colleague')),
    ...ids
      .filter((_, index) => index % 6 === 0)
      .map((id) => as.helix.call('updateServiceEvent', { params: { id }, body: claim('helix') })),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const { rows } = await sql<{ id: number; version: number; claims: number }>`
    SELECT e.id, e.version, count(a.id)::int AS claims FROM service_event e
    LEFT JOIN audit a ON a.entity_type = 'service_event' AND a.entity_id = e.id::text AND a.property = 'claimedBy'
    WHERE e.id = ANY(${ids.map(Number)}::bigint[]) GROUP BY e.id, e.version`.execute(database.db)
  expect(rows.filter(({ version, claims }) => version !== claims + 1)).toEqual([])
})
