import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildEventFixture, type EventFixture } from '../../testing/event-fixture.ts'
import { eventually } from '../../testing/eventually.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { switchFlag } from '../../testing/switched-flags.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import type { EventSearch } from '../events/search/event-search.ts'
import { postgresSearch } from '../events/search/postgres-search.ts'
import { createExport } from './exports.service.ts'

let database: TestDatabase
let app: TestApp
let fixture: EventFixture
let engineerId: number
let engineer: Caller
let helix: { caller: Caller; customerId: number }

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database, { environment: { EXPORTS_PER_HOUR: '100' } })
  fixture = await buildEventFixture(database.db, { events: 240, now: TEST_NOW })
  await switchFlag(database, 'AUTO_EMAIL', { value: true })
  engineerId = await addSamplePerson(database, { login: 'engineer@benchwatch.example', name: 'Ines Berg' })
  engineer = await app.as(engineerId)
  const customerId = fixture.customers[0]?.id ?? 0
  helix = {
    customerId,
    caller: await app.as(
      await addSamplePerson(database, { login: 'lab@helixbio.example', role: 'customer', scope: [customerId] }),
    ),
  }
})
afterAll(() => app.close())

type Wanted = {
  query?: object
  ids?: string[]
  mode?: 'include' | 'exclude'
  details?: 'BASIC' | 'FULL'
  filter?: object
}

async function begin(
  caller: Caller,
  { query = {}, ids = [], mode = 'exclude', details = 'BASIC', filter = {} }: Wanted,
) {
  const { status, body } = await caller.call('createExport', {
    query: query as never,
    body: { ids, mode, details, type: 'event', filter },
  })
  expect(status).toBe(200)
  return body
}

/** Downloads the file by its link, waiting as a browser does. */
function download(url: string) {
  return app.app.http.inject({ method: 'GET', url })
}

async function exported(caller: Caller, wanted: Wanted): Promise<Record<string, string>[]> {
  const { url, rows } = await begin(caller, wanted)
  const answer = await download(url)
  expect(answer.statusCode).toBe(200)
  const records = read(answer.body)
  expect(records.length).toBe(rows)
  return records
}

function read(csv: string): Record<string, string>[] {
  return parse(csv, { columns: true, bom: true, recordDelimiter: '\r\n' })
}

/** Returns everything that the list finds, in its order. */
async function listed(caller: Caller, { query = {}, filter = {} }: Wanted): Promise<ServiceEvent[]> {
  const events: ServiceEvent[] = []
  for (;;) {
    const { body } = await caller.call('listServiceEvents', {
      query: { ...query, limit: '100', offset: String(events.length) },
      body: { filter },
    })
    if (body.values.length === 0) return events
    events.push(...body.values.map(({ alarm }) => alarm))
  }
}

const idsOf = (records: Record<string, string>[]) => records.map(({ id = '' }) => id)

describe('a file holds what the list finds, in its order', () => {
  test.each<[string, Wanted]>([
    ['everything, as the list opens', {}],
    ['by description', { query: { orderBy: 'description', order: 'ASC' } }],
    ['by owner, the other way', { query: { orderBy: 'claimedBy', order: 'DESC' } }],
    [
      'by severity within filters',
      { query: { orderBy: 'severity' }, filter: { alertStatus: ['1_NEW', '2_IN_PROGRESS'] } },
    ],
    ['a keyword in a range', { query: { keyword: 'pressure', start: '2026-11-01', stop: '2026-11-15' } }],
    ['a quick filter', { query: { noOwnerEvents: 'true' } }],
    ['nothing', { query: { keyword: 'unheard of' } }],
  ])('%s', async (_name, wanted) => {
    const list = await listed(engineer, wanted)
    expect(idsOf(await exported(engineer, { ...wanted, details: 'FULL' }))).toEqual(list.map(({ id }) => id))
  })

  test('FULL has every field of the event under its wire name', async () => {
    for (const record of await exported(engineer, { details: 'FULL', query: { keyword: 'ÄKTA' } })) {
      const { body } = await engineer.call('getServiceEvent', { params: { id: record.id ?? '' } })
      const { automaticEmail, serviceCase: _serviceCase, ...fields } = body
      const mail = automaticEmail ?? { contactName: null, email: null, subject: null, body: null }
      const expected = {
        ...fields,
        ...Object.fromEntries(Object.entries(mail).map(([key, value]) => [`automaticEmail.${key}`, value])),
      }
      const told = (value: unknown) =>
        typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value ?? '')
      expect(record).toEqual(Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, told(value)])))
    }
  })

  test('BASIC has the columns of the list: instants in UTC, owners by name, status in words', async () => {
    const list = await listed(engineer, {})
    const records = await exported(engineer, {})
    expect(records).toEqual(
      list.map((event) => ({
        Severity: { high: 'HIGH', medium: 'MED', low: 'LOW' }[event.severity],
        'Created (UTC)': event.createdAt,
        Event: `ORC-${event.eventId}`,
        Description: event.description.startsWith('-') ? `'${event.description}` : event.description,
        'Instrument status': event.instrumentStatus ?? '',
        Instrument: event.instrumentProductDescription ?? event.gatewayName,
        'Installed product ID': event.instrumentInstalledProductId,
        Location: [event.siteCity, event.siteCountry].filter(Boolean).join(', '),
        Customer: event.enterpriseName,
        'Contract due (UTC)': contractDue(event),
        Owner: event.claimedByName ?? '',
        Status: { '1_NEW': 'New', '2_IN_PROGRESS': 'In progress', '3_CLOSED': 'Closed' }[event.alertStatus],
        'E-mail sent (UTC)': event.automaticEmailSentAt ?? '',
      })),
    )
    expect(new Set(records.map(({ Owner }) => Owner))).toContain('Automatic')
    expect(list.some((event) => contractDue(event) !== '')).toBe(true)
  })
})

test('the automatic e-mail is in no file of a user without AUTO_EMAIL', async () => {
  const mail = (record: Record<string, string>) =>
    Object.entries(record).flatMap(([key, cell]) => (/mail(\.| ?Sent)/i.test(key) ? cell : []))
  const files = async () =>
    [...(await exported(engineer, {})), ...(await exported(engineer, { details: 'FULL' }))].flatMap(mail)
  expect(new Set(await files()).size).toBeGreaterThan(1)
  await switchFlag(database, 'AUTO_EMAIL', { value: false, userId: engineerId })
  expect(new Set(await files())).toEqual(new Set(['']))
  await database.db.deleteFrom('feature_flag').where('user_id', '=', engineerId).execute()
})

describe('include and exclude work on the whole result', () => {
  test('included events are exactly these, once each, in the order of the list, whatever the filter', async () => {
    const some = fixture.eventIds.slice(20, 60).map(String)
    const list = await listed(engineer, { query: { orderBy: 'siteCity', order: 'DESC' } })
    const records = await exported(engineer, {
      mode: 'include',
      details: 'FULL',
      ids: [...some, ...some.slice(0, 7), '999999999', '999999999999999999'],
      query: { orderBy: 'siteCity', order: 'DESC', keyword: 'nothing has this' },
      filter: { severity: ['high'] },
    })
    expect(idsOf(records)).toEqual(list.map(({ id }) => id).filter((id) => some.includes(id)))
  })

  test('excluded events are left out of what the filter finds', async () => {
    const wanted = { filter: { severity: ['high'] } }
    const [first, ...others] = await listed(engineer, wanted)
    const ids = [first?.id ?? '', first?.id ?? '', others.at(-1)?.id ?? '', '999999999']
    const records = await exported(engineer, { ...wanted, details: 'FULL', ids })
    expect(idsOf(records)).toEqual(others.slice(0, -1).map(({ id }) => id))
  })

  test('no included event makes a file of the head alone', async () => {
    expect(await exported(engineer, { mode: 'include' })).toEqual([])
  })

  test('the selection is fixed when the export is asked for', async () => {
    const wanted = { filter: { alertStatus: ['1_NEW'] }, details: 'FULL' } as const
    const list = await listed(engineer, wanted)
    const { url, rows } = await begin(engineer, wanted)
    await database.db
      .updateTable('service_event')
      .set({ alert_status: 3 })
      .where('id', '=', Number(list[0]?.id))
      .execute()
    expect(rows).toBe(list.length)
    expect(idsOf(read((await download(url)).body))).toEqual(list.map(({ id }) => id))
  })
})

describe('an export holds nothing of another customer', () => {
  test('neither of all nor of named events', async () => {
    const own = await database.db
      .selectFrom('service_event')
      .where('customer_id', '=', helix.customerId)
      .select('id')
      .execute()
    const expected = own.map(({ id }) => String(id)).sort()
    const all = await exported(helix.caller, { details: 'FULL' })
    const named = await exported(helix.caller, { details: 'FULL', mode: 'include', ids: fixture.eventIds.map(String) })
    expect(idsOf(all).sort()).toEqual(expected)
    expect(idsOf(named).sort()).toEqual(expected)
    expect(expected.length).toBeGreaterThan(5)
    expect(new Set([...all, ...named].map(({ enterpriseName }) => enterpriseName))).toEqual(
      new Set(['Helix Biologics']),
    )
  })

  test('its progress is visible only to the user who started it', async () => {
    const { exportId, url } = await begin(helix.caller, {})
    await download(url)
    const own = await helix.caller.call('getExport', { params: { exportId } })
    expect(own.body).toEqual({ state: 'ready', written: expect.any(Number), rows: own.body.written, url })
    expect((await engineer.call('getExport', { params: { exportId } })).status).toBe(404)
  })
})

describe('the link', () => {
  test('serves an attachment of a good name that nobody keeps, without a token', async () => {
    const { url, expiresAt } = await begin(engineer, {})
    expect(url).toMatch(/^\/api\/exports\/files\/[\w-]{43}$/)
    expect(expiresAt).toBe(new Date(app.clock.now().getTime() + 15 * 60_000).toISOString())
    const { headers, rawPayload } = await download(url)
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="benchwatch-events-2026-11-20.csv"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-length': String(rawPayload.length),
    })
    expect(rawPayload.subarray(0, 3).toString('hex')).toBe('efbbbf')
    expect(rawPayload.subarray(-2).toString()).toBe('\r\n')
  })

  test('is of no use after 15 minutes, and unknown ones never are', async () => {
    const { url, exportId } = await begin(engineer, {})
    await download(url)
    app.clock.advance(15 * 60_000)
    try {
      const late = await download(url)
      const unknown = await download(`/api/exports/files/${'x'.repeat(43)}`)
      expect([late.statusCode, unknown.statusCode]).toEqual([404, 404])
      expect(late.json()).toMatchObject({
        code: 'not-found',
        ErrorBody: expect.stringMatching(/15 minutes. Export again/),
      })
      expect((await (await app.as(engineerId)).call('getExport', { params: { exportId } })).status).toBe(404)
    } finally {
      app.clock.set(TEST_NOW)
    }
  })

  test('is stored as a hash and sealed, and never logged', async () => {
    const { url, exportId } = await begin(engineer, {})
    await download(url)
    const token = url.split('/').at(-1) ?? ''
    const row = await database.db
      .selectFrom('export_file')
      .where('id', '=', exportId)
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(JSON.stringify({ ...row, sealed: row.token_sealed.toString('latin1') })).not.toContain(token)
    expect(app.logged()).not.toContain(token)
  })
})

test('who exported what and how much is in the record', async () => {
  const { exportId, rows } = await begin(engineer, { filter: { severity: ['low'] }, query: { keyword: 'pump' } })
  const entries = await database.db
    .selectFrom('audit')
    .where('entity_type', '=', 'export')
    .where('entity_id', '=', exportId)
    .orderBy('entity_seq')
    .select(['actor_name', 'action', 'property', 'new_value'])
    .execute()
  expect(entries).toMatchObject([
    { actor_name: 'Ines Berg', action: 'created', property: 'rows', new_value: String(rows) },
    { actor_name: 'Ines Berg', action: 'created', property: 'selection' },
  ])
  expect(JSON.parse(entries[1]?.new_value ?? '')).toMatchObject({
    mode: 'exclude',
    details: 'BASIC',
    ids: [],
    search: { filter: { severity: ['low'] }, keyword: 'pump' },
  })
})

test('beyond the limit of an hour an export is refused, which says when again and leaves nothing behind', async () => {
  const strict = await testApp(database, { environment: { EXPORTS_PER_HOUR: '2' } })
  try {
    const id = await addSamplePerson(database, { login: 'often@benchwatch.example' })
    const caller = await strict.as(id)
    const other = await strict.as(await addSamplePerson(database, { login: 'other@benchwatch.example' }))
    const ask = (who: Caller) =>
      who.call('createExport', {
        query: {},
        body: { ids: [], mode: 'include', details: 'BASIC', type: 'event' },
      })
    expect([(await ask(caller)).status, (await ask(caller)).status]).toEqual([200, 200])
    const exports = () => database.db.selectFrom('export_file').select('id').orderBy('id').execute()
    const before = await exports()
    const refused = await ask(caller)
    expect([refused.status, refused.problem.code]).toEqual([429, 'too-many-requests'])
    const retryAfter = Number(refused.headers['retry-after'])
    expect(retryAfter).toBeGreaterThan(0)
    expect(refused.problem.detail).toContain(`Try again in ${Math.ceil(retryAfter / 60)} minutes.`)
    expect(await exports()).toEqual(before)
    expect((await ask(other)).status).toBe(200)
    strict.clock.advance(retryAfter * 1000)
    expect((await ask(await strict.as(id))).status).toBe(200)
  } finally {
    await strict.close()
  }
})

test('texts that a spreadsheet would execute are none any more; numbers are left alone', async () => {
  const [id] = fixture.eventIds
  await database.db
    .updateTable('service_event')
    .set({ description: '=HYPERLINK("http://x.example","y")', user_message: '@me', reason_closed_comment: '-1,\r\n+2' })
    .where('id', '=', id ?? 0)
    .execute()
  const [record] = await exported(engineer, { mode: 'include', details: 'FULL', ids: [String(id)] })
  expect(record).toMatchObject({
    description: '\'=HYPERLINK("http://x.example","y")',
    userMessage: "'@me",
    reasonClosedComment: "'-1,\r\n+2",
  })
  for (const text of ['+1', '\t=1', '\r=1']) {
    await database.db
      .updateTable('service_event')
      .set({ description: text })
      .where('id', '=', id ?? 0)
      .execute()
    const [row] = await exported(engineer, { mode: 'include', details: 'FULL', ids: [String(id)] })
    expect(row?.description).toBe(`'${text}`)
  }
  const boston = await exported(engineer, { details: 'FULL', filter: { siteCity: ['boston'] } })
  expect(new Set(boston.map((row) => row.instrumentLocationLongitude))).toEqual(new Set(['-71.0589']))
})

test('an export whose search has to start again takes a new snapshot at once', async () => {
  let moments = 0
  let failures = 0
  // As the index does when it has moved on since the first snapshot began.
  const eventSearch: EventSearch = {
    ...postgresSearch,
    begin() {
      const moment = postgresSearch.begin()
      const isFirst = moments === 0
      moments += 1
      return {
        ...moment,
        async *each(...asked) {
          if (isFirst) {
            failures += 1
            throw Object.assign(new Error('The index has moved on.'), { code: '40001' })
          }
          yield* moment.each(...asked)
        },
      }
    },
  }
  const search = { filter: {} }
  const { rows } = await createExport(
    { database, eventSearch, db: database.db, clock: app.clock, config: app.config },
    {
      caller: { type: 'user', id: engineerId, name: 'Ines Berg', role: 'service', scope: 'all', sessionId: '' },
      request: {
        ...{ type: 'event', details: 'BASIC', ids: [], mode: 'exclude', search },
        page: { orderBy: 'createdAt', order: 'DESC' },
      },
    },
  )
  expect({ rows, moments, failures }).toEqual({ rows: fixture.eventIds.length, moments: 2, failures: 1 })
})

test('an export of a user who is disabled meanwhile fails, and its link says so', async () => {
  const id = await addSamplePerson(database, { login: 'leaver@benchwatch.example' })
  const leaver = await app.as(id)
  // No process writes the export before this.
  const { exportId, url } = await database.db.transaction().execute(async (trx) => {
    await trx.updateTable('app_user').set({ disabled_at: TEST_NOW }).where('id', '=', id).execute()
    return begin(leaver, {})
  })
  const answer = await download(url)
  expect([answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([
    404,
    'This file could not be written. Export again.',
  ])
  await eventually(async () => {
    const { state } = await database.db
      .selectFrom('export_file')
      .where('id', '=', exportId)
      .select('state')
      .executeTakeFirstOrThrow()
    expect(state).toBe('failed')
  })
})

/** The end of a running contract clock, as the file has it. */
function contractDue({ createdAt, fullSupport, claimedBy, alertStatus }: ServiceEvent): string {
  if (!fullSupport || claimedBy !== null || alertStatus === '3_CLOSED') return ''
  return new Date(Date.parse(createdAt) + 24 * 3_600_000).toISOString()
}
