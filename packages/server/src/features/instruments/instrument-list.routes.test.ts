import type { Instrument } from '@benchwatch/contract/instruments/instruments'
import { type InstrumentOrderBy, instrumentOrderBy, severities } from '@benchwatch/contract/vocabulary'
import { instrumentFamilies } from '@benchwatch/samples/equipment/instrument-type'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildEventFixture, type EventFixture } from '../../testing/event-fixture.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { switchFlag } from '../../testing/switched-flags.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'

/**
 * Instruments of five customers with equal and missing values; every search is compared with a plain computation over
 * all of them.
 */

let server: TestApp
let fixture: EventFixture
let service: Caller
let helix: Caller
let all: Instrument[]
/** Ids of the instruments with an open event of high severity. */
let withHighEvent: Set<string>

const hours = (count: number) => new Date(TEST_NOW.getTime() + count * 3_600_000)

beforeAll(async () => {
  const database = await testDatabase()
  const { db } = database
  fixture = await buildEventFixture(db, { events: 200, now: TEST_NOW })
  server = await testApp(database)
  service = await server.as(await addSamplePerson(database, { login: 'sven@benchwatch.example' }))
  const [customer] = fixture.customers
  helix = await server.as(
    await addSamplePerson(database, { login: 'h@helixbio.example', role: 'customer', scope: [customer?.id ?? 0] }),
  )
  await sql`UPDATE instrument SET next_service = '2026-12-01'::date + id % 4, last_service = CASE WHEN id % 3 > 0 THEN '2026-01-01'::date + id END,
    orc_status = (ARRAY['Connected', 'Edge Issue', 'Disconnected', 'Onboarding'])[1 + id % 4],
    status = CASE id % 5 WHEN 0 THEN 'alarms and errors' WHEN 1 THEN 'disconnected' ELSE status END`.execute(db)
  const high = await sql<{ id: string }>`SELECT DISTINCT instrument_id::text AS id FROM service_event
    WHERE alert_status <> 3 AND severity = 3 AND instrument_id IS NOT NULL`.execute(db)
  withHighEvent = new Set(high.rows.map(({ id }) => id))
  const ids = (await db.selectFrom('instrument').select('id').orderBy('id').execute()).map(({ id }) => id)
  const [on, later, both, past] = ids as [number, number, number, number]
  for (const [instrument_id, from, to] of [
    [on, -1, null],
    [later, 5, 6],
    [both, -1, 1],
    [both, 5, 6],
    [past, -9, -1],
  ] as const) {
    const at = { instrument_id, start_at: hours(from), end_at: to === null ? null : hours(to) }
    const { id: maintenance_id } = await db
      .insertInto('maintenance')
      .values({ ...at, created_at: hours(-24) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('maintenance_window')
      .values({ ...at, maintenance_id })
      .execute()
  }
  all = (await list()).values
})
afterAll(() => server.close())

type Query = Parameters<typeof list>[0]
async function list(
  query: Record<string, string | number> = {},
  { filter = {}, caller = service }: { filter?: Record<string, string[]>; caller?: Caller } = {},
) {
  const { status, body } = await caller.call('listInstruments', {
    query: { limit: '100', ...query } as never,
    body: { filter },
  })
  expect(status).toBe(200)
  return body
}

const ids = (instruments: readonly Instrument[]) => instruments.map(({ id }) => id).toSorted()

async function expectFound(
  asked: { query?: Query; filter?: Record<string, string[]> },
  isWanted: (instrument: Instrument) => boolean,
) {
  const { values, total } = await list(asked.query, { filter: asked.filter ?? {} })
  const wanted = all.filter(isWanted)
  expect(ids(values)).toEqual(ids(wanted))
  expect(total).toEqual({ instruments: wanted.length })
  return wanted.length
}

describe('POST /instruments/counts', () => {
  it('answers how many each search finds, within the scope', async () => {
    const searches = [
      { filter: { orcStatus: ['Edge Issue', 'Disconnected'] } },
      { filter: {}, stop: '2026-12-02' },
      { filter: { maintenance: ['on'] } },
      {},
    ]
    for (const caller of [service, helix]) {
      const { status, body } = await caller.call('countInstruments', { body: { searches } })
      expect(status).toBe(200)
      const expected = searches.map(async ({ filter = {}, stop }) => {
        const query: Record<string, string> = stop === undefined ? {} : { stop }
        return (await list(query, { filter: filter as Record<string, string[]>, caller })).total.instruments
      })
      expect(body).toEqual(await Promise.all(expected))
      expect(body.at(-1)).toBeGreaterThan(0)
    }
  })

  it('refuses more than ten searches', async () => {
    const searches = Array.from({ length: 11 }, () => ({}))
    expect((await service.call('countInstruments', { body: { searches } })).status).toBe(400)
  })
})

describe('the filter of the usage limit', () => {
  const filter = { usageLimit: ['reached'] }
  const own = () => all.filter(({ instrumentCustomer }) => instrumentCustomer === fixture.customers[0]?.name)

  it('needs the flags of component usage', async () => {
    for (const call of [
      () => service.call('listInstruments', { query: {}, body: { filter } }),
      () => service.call('countInstruments', { body: { searches: [{ filter }] } }),
      () =>
        service.call('createExport', {
          query: {},
          body: { type: 'instrument', ids: [], mode: 'exclude', details: 'BASIC', filter },
        }),
    ]) {
      expect(await call()).toMatchObject({ status: 403, body: { code: 'feature-off' } })
    }
  })

  it('finds instruments with a part at its limit; a customer by samples since the instrument’s arrival', async () => {
    for (const key of ['ASSET_USAGE', 'FETCH_INSTRUMENT_COMPONENTS'] as const) {
      await switchFlag(server.database, key, { value: true })
    }
    const [atLimit, beforeTheMove, below] = own().map(({ id }) => Number(id)) as [number, number, number]
    const { db } = server.database
    // The forecasts stay as they are, because they are of a day to come.
    for (const instrument_id of [atLimit, beforeTheMove, below]) {
      const part = { instrument_id, component_name: 'Pump' }
      await sql`INSERT INTO component_usage (instrument_id, component_name, usage, info, details, sampled_at, epoch, sequence, forecast_on)
        VALUES (${instrument_id}, ${part.component_name}, '[]', '[]', '[]', ${TEST_NOW}, 1, 1, '2100-01-01')`.execute(
        db,
      )
      await sql`INSERT INTO usage_forecast (instrument_id, component_name, metric, used, is_due, customer_since)
        VALUES (${instrument_id}, ${part.component_name}, 'Volume', 1, ${instrument_id !== below}, '-infinity')`.execute(
        db,
      )
    }
    await sql`UPDATE instrument SET customer_since = ${hours(1)} WHERE id = ${beforeTheMove}`.execute(db)
    const wanted = [atLimit, beforeTheMove].map(String)
    expect(await expectFound({ filter }, ({ id }) => wanted.includes(id))).toBe(2)
    await expectFound({ filter: { usageLimit: ['notReached'] } }, ({ id }) => !wanted.includes(id))
    await expectFound({ filter: { usageLimit: ['reached', 'notReached'] } }, () => true)
    expect(ids((await list({}, { caller: helix, filter })).values)).toEqual([String(atLimit)])
    expect((await helix.call('countInstruments', { body: { searches: [{ filter }] } })).body).toEqual([1])
  })
})

describe('POST /instruments', () => {
  it('answers every instrument with how many there are', async () => {
    const { body } = await service.call('listInstruments', { query: {}, body: {} })
    expect(body.values).toHaveLength(17)
    expect(body.total).toEqual({ instruments: 17 })
    expect(body.values.every((one) => !('events' in one))).toBe(true)
  })

  it('gives a page, and beyond the end none with the same total', async () => {
    const page = await list({ limit: '5', offset: '10' })
    expect(page.values.map(({ id }) => id)).toEqual(all.slice(10, 15).map(({ id }) => id))
    expect(await list({ limit: '5', offset: '100' })).toEqual({ values: [], total: { instruments: 17 } })
  })

  it('holds only instruments of the caller’s customers', async () => {
    const name = fixture.customers[0]?.name
    const own = all.filter(({ instrumentCustomer }) => instrumentCustomer === name)
    const { values, total } = await list({}, { caller: helix })
    expect(ids(values)).toEqual(ids(own))
    expect(total.instruments).toBe(own.length)
    const foreign = all.filter((one) => !own.includes(one)).map((one) => one.instrumentInstalledProductId)
    expect((await list({}, { caller: helix, filter: { instruments: foreign } })).total.instruments).toBe(0)
    expect(
      (await list({}, { caller: helix, filter: { instrumentCustomer: [fixture.customers[1]?.name ?? ''] } })).values,
    ).toEqual([])
    // An exclusion cannot add instruments of other customers either.
    const without = { 'instrumentCustomer!': [fixture.customers[1]?.name ?? ''] }
    expect(ids((await list({}, { caller: helix, filter: without })).values)).toEqual(ids(own))
  })

  it('counts the events that are not closed, of those that the caller may see', async () => {
    const count = async (id: string, customers: number[] | null) => {
      const { rows } = await sql<Instrument['openEventsBySeverity']>`
        SELECT count(*) FILTER (WHERE severity = 3)::int AS high, count(*) FILTER (WHERE severity = 2)::int AS medium,
          count(*) FILTER (WHERE severity = 1)::int AS low FROM service_event
        WHERE instrument_id = ${Number(id)} AND alert_status <> 3
          AND (${customers === null} OR customer_id = ANY(${customers ?? []}::int[]))`.execute(server.database.db)
      const [{ high, medium, low } = { high: 0, medium: 0, low: 0 }] = rows
      return { eventCount: high + medium + low, openEventsBySeverity: { high, medium, low } }
    }
    const own = (await list({}, { caller: helix })).values
    for (const instrument of all) expect(instrument).toMatchObject(await count(instrument.id, null))
    for (const instrument of own)
      expect(instrument).toMatchObject(await count(instrument.id, [fixture.customers[0]?.id ?? 0]))
    for (const severity of severities) expect(all.some((one) => one.openEventsBySeverity[severity] > 0)).toBe(true)
  })
})

describe('a filter', () => {
  it.each<[string, string[], (one: Instrument) => string | null]>([
    ['instrumentType', ['aktapure', 'UniFlux'], (one) => one.instrumentType],
    ['instrumentStatus', ['READY', 'wash', 'hold'], (one) => one.instrumentStatus],
    ['orcStatus', ['edge issue', 'Onboarding'], (one) => one.orcStatus],
    ['contractSLA', ['24/7 emea'], (one) => one.instrumentContractSlaTerm],
    ['instrumentCustomer', ['HELIX BIOLOGICS', 'Ørsted Bio'], (one) => one.instrumentCustomer],
    ['instrumentRegion', ['emea'], (one) => one.instrumentRegion],
    ['instrumentCountry', ['usa', 'Norway'], (one) => one.instrumentCountry],
    ['instrumentCity', ['Boston', 'uppsala'], (one) => one.instrumentCity],
    ['qualifiedSystem', ['true'], (one) => String(one.qualifiedSystem)],
  ])('of %s finds what has one of the values, ignoring case', async (category, values, valueOf) => {
    const lower = values.map((value) => value.toLowerCase())
    const found = await expectFound({ filter: { [category]: values } }, (one) =>
      lower.includes(valueOf(one)?.toLowerCase() ?? ''),
    )
    expect(found).toBeGreaterThan(0)
    expect(found).toBeLessThan(17)
    const others = await expectFound(
      { filter: { [`${category}!`]: values } },
      (one) => !lower.includes(valueOf(one)?.toLowerCase() ?? ''),
    )
    expect(others).toBe(17 - found)
    const [first = ''] = values
    await expectFound({ filter: { [category]: values, [`${category}!`]: [first] } }, (one) =>
      lower.slice(1).includes(valueOf(one)?.toLowerCase() ?? ''),
    )
  })

  it('of maintenance tells on from scheduled and none', async () => {
    const stateOf = ({ maintenances: [current] }: Instrument) => {
      if (!current) return 'none'
      return current.start <= TEST_NOW.toISOString() ? 'on' : 'scheduled'
    }
    expect(await expectFound({ filter: { maintenance: ['on'] } }, (one) => stateOf(one) === 'on')).toBe(2)
    expect(await expectFound({ filter: { maintenance: ['Scheduled'] } }, (one) => stateOf(one) === 'scheduled')).toBe(1)
    expect(await expectFound({ filter: { maintenance: ['none', 'on'] } }, (one) => stateOf(one) !== 'scheduled')).toBe(
      16,
    )
    expect(await expectFound({ filter: { maintenance: ['maybe'] } }, () => false)).toBe(0)
    expect(await expectFound({ filter: { 'maintenance!': ['on', 'maybe'] } }, (one) => stateOf(one) !== 'on')).toBe(15)
  })

  it('of installed product ids finds these alone, and no others beside them', async () => {
    const wanted = all.slice(3, 6).map((one) => one.instrumentInstalledProductId)
    await expectFound({ filter: { instruments: [...wanted, 'IP-99999999'] } }, (one) =>
      wanted.includes(one.instrumentInstalledProductId),
    )
  })

  it('of several categories finds what has all of them, and an empty one is no filter', async () => {
    await expectFound(
      { filter: { instrumentCity: ['Uppsala'], qualifiedSystem: ['false'], instrumentType: [] } },
      (one) => one.instrumentCity === 'Uppsala' && !one.qualifiedSystem,
    )
  })

  it('of an unknown category is 400', async () => {
    for (const filter of [{ severity: ['high'] }, { instrumentSubRegion: ['x'] }]) {
      const answer = await service.call('listInstruments', { query: {}, body: { filter: filter as never } })
      expect(answer).toMatchObject({ status: 400, problem: { code: 'validation-failed' } })
    }
  })
})

describe('a keyword', () => {
  const fieldsOf = (one: Instrument) =>
    [
      one.instrumentProductDescription,
      one.instrumentDefinedSystemName,
      one.instrumentInstalledProductId,
      one.instrumentCustomer,
      one.instrumentCity,
      one.instrumentCountry,
    ].map((text) =>
      (text ?? '').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ø', 'o').replaceAll('ł', 'l'),
    )

  it.each([
    ['akta', 1],
    ['ÄKTA avant', 1],
    ['oresund', 0],
    ['orsted', 1],
    ['lab', 1],
    ['pure_1', 1],
    ['100%', 1],
    ['_', 1],
    ['ip-10', 1],
    ['uppsala sweden', 1],
    ['norway pure', 0],
    ['sw', 1],
    ['   ', 17],
  ])('"%s" is found in names and places, whatever its case and marks', async (keyword, atLeast) => {
    const words = keyword.toLowerCase().replaceAll('ä', 'a').split(/\s+/).filter(Boolean)
    const found = await expectFound({ query: { keyword } }, (one) => {
      const fields = fieldsOf(one)
      return words.every((word) => fields.some((field) => field.includes(word)))
    })
    expect(found).toBeGreaterThanOrEqual(atLeast)
  })

  it('of more than 40 characters is 400', async () => {
    const answer = await service.call('listInstruments', { query: { keyword: 'x'.repeat(41) }, body: {} })
    expect(answer.status).toBe(400)
  })
})

describe('a family', () => {
  it.each(instrumentFamilies)('$family holds $types', async ({ family, types }) => {
    await expectFound({ query: { instrumentFamily: family } }, (one) =>
      (types as readonly string[]).includes(one.instrumentType),
    )
  })

  it('All is no filter, together with types it is both, another one is 400', async () => {
    await expectFound({ query: { instrumentFamily: 'All' } }, () => true)
    await expectFound(
      { query: { instrumentFamily: 'ÄKTA pure' }, filter: { instrumentType: ['UniFlux'] } },
      () => false,
    )
    const answer = await service.call('listInstruments', { query: { instrumentFamily: 'AKTA' as never }, body: {} })
    expect(answer.status).toBe(400)
  })

  it('is listed where the caller sees one, in the order of the tabs', async () => {
    const order = instrumentFamilies.map(({ family }) => family as string)
    const expected = (instruments: Instrument[]) =>
      instrumentFamilies
        .filter(({ types }) => instruments.some((one) => (types as readonly string[]).includes(one.instrumentType)))
        .map(({ family }) => family)
    for (const caller of [service, helix]) {
      const { body } = await caller.call('listInstrumentFamilies')
      expect(body).toEqual(expected((await list({}, { caller })).values))
      expect(body).toEqual(body.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)))
    }
  })
})

describe('a range', () => {
  it.each([
    [{ start: '2026-12-02' }, (day: string) => day >= '2026-12-02'],
    [{ stop: '2026-12-03' }, (day: string) => day < '2026-12-03'],
    [{ start: '2026-12-02', stop: '2026-12-03' }, (day: string) => day === '2026-12-02'],
    [
      { start: '2026-12-02T00:00:00.000Z', stop: '2026-12-04T00:00:00Z' },
      (day: string) => day === '2026-12-02' || day === '2026-12-03',
    ],
    [{ start: '2026-12-02', stop: '2026-12-02' }, () => false],
    // A day begins at midnight in UTC: 2 December in Stockholm contains only the midnight of the 2nd.
    [{ start: '2026-12-01T23:00:00.000Z', stop: '2026-12-02T23:00:00.000Z' }, (day: string) => day === '2026-12-02'],
    [{ start: '2026-12-02T00:00:00.001Z', stop: '2026-12-03T00:00:00.001Z' }, (day: string) => day === '2026-12-03'],
  ])('%o is half-open on the next service', async (query, isIn) => {
    await expectFound({ query }, (one) => one.instrumentNextService !== null && isIn(one.instrumentNextService))
  })
})

describe('an order', () => {
  const texts = new Intl.Collator('en')
  const keyOf: Record<InstrumentOrderBy, (one: Instrument) => string | number | null> = {
    instrumentProductDescription: (one) => one.instrumentProductDescription,
    instrumentDefinedSystemName: (one) => one.instrumentDefinedSystemName,
    instrumentInstalledProductId: (one) => one.instrumentInstalledProductId,
    instrumentRegion: (one) => one.instrumentRegion,
    instrumentCity: (one) => one.instrumentCity,
    instrumentCustomer: (one) => one.instrumentCustomer,
    instrumentLastService: (one) => one.instrumentLastService,
    instrumentNextService: (one) => one.instrumentNextService,
    orcStatus: (one) => one.orcStatus,
    eventCount: (one) => one.eventCount,
    trouble,
  }

  it.each(instrumentOrderBy)('by %s has missing values last, ties by id, and is reversed by DESC', async (orderBy) => {
    const key = keyOf[orderBy]
    const ascending = all.toSorted((a, b) => compare(key(a), key(b)) || Number(a.id) - Number(b.id)).map(({ id }) => id)
    const order = async (direction: string) => (await list({ orderBy, order: direction })).values.map(({ id }) => id)
    expect(await order('asc')).toEqual(ascending)
    expect(await order('DESC')).toEqual(ascending.toReversed())
  })

  it('by trouble begins with lost connections, then alarms and errors, then open events of high severity', async () => {
    const ranks = (await list({ orderBy: 'trouble' })).values.map(trouble)
    expect([...new Set(ranks)]).toEqual([1, 2, 3, 4, 5])
  })

  function trouble({ orcStatus, instrumentStatus: status, id }: Instrument): number {
    if (orcStatus === 'Disconnected' || (orcStatus === 'Connected' && status === 'disconnected')) return 1
    if (orcStatus === 'Edge Issue') return 2
    if (status === 'alarms and errors') return 3
    return withHighEvent.has(id) ? 4 : 5
  }

  function compare(a: string | number | null, b: string | number | null): number {
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return typeof a === 'number' && typeof b === 'number' ? a - b : texts.compare(String(a), String(b))
  }

  it('by something else is 400', async () => {
    expect((await service.call('listInstruments', { query: { orderBy: 'createdAt' as never }, body: {} })).status).toBe(
      400,
    )
  })
})
