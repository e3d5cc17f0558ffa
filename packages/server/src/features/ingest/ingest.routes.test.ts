import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectClient } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { InFlight } from '../../platform/concurrency.ts'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { addGatewayKeys } from './gateway-keys.store.ts'
import { createGatewayKey } from './gateway-keys.ts'
import { type Admitted, BatchAdmission } from './ingest.routes.ts'

let server: TestApp
let fleet: SampleFleet
let epochs = 0

beforeAll(async () => {
  const database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database)
})
afterAll(() => server.close())

/** Returns items of a new outbox, with a component of its own so that tests share no latch. */
function freshItems() {
  epochs += 1
  const items = gatewayItems(`h${epochs}`, TEST_NOW)
  const componentName = `Valve (V${epochs})`
  return {
    ...items,
    raised: (data: Record<string, unknown> = {}, envelope = {}) => items.raised({ componentName, ...data }, envelope),
  }
}

interface Sent {
  key?: string | null
  gateway?: string
  headers?: Record<string, string>
}

/** Posts exactly these bytes, or an object as JSON. */
async function post(payload: unknown, { key = fleet.gateways.helix.key, gateway = 'GW-UPP-01', headers }: Sent = {}) {
  const response = await server.app.http.inject({
    method: 'POST',
    url: `/api/ingest/v1/gateways/${gateway}/batches`,
    headers: {
      'content-type': 'application/cloudevents-batch+json',
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
  })
  return { status: response.statusCode, headers: response.headers, body: response.json<Record<string, unknown>>() }
}

const parked = async (itemId: string) =>
  server.database.db.selectFrom('parked_item').selectAll().where('item_id', '=', itemId).execute()

describe('a batch', () => {
  it.each(['application/cloudevents-batch+json', 'application/json; charset=utf-8'])('is taken as %s', async (type) => {
    const { raised } = freshItems()
    expect(await post([raised()], { headers: { 'content-type': type } })).toMatchObject({
      status: 200,
      body: { accepted: 1, duplicates: 0, rejected: [], ackSequence: 1 },
    })
  })

  it('is taken with gzip', async () => {
    const { log } = freshItems()
    const lines = Array.from({ length: 200 }, (_, index) => ({
      timestamp: TEST_NOW.toISOString(),
      message: `line ${index} ${'x'.repeat(500)}`,
    }))
    const packed = gzipSync(JSON.stringify(Array.from({ length: 20 }, () => log(lines))))
    expect(await post(packed, { headers: { 'content-encoding': 'gzip' } })).toMatchObject({
      status: 200,
      body: { accepted: 20 },
    })
  })

  it('may hold 500 items, and be 1 MB as it is sent and 8 MB unpacked', async () => {
    const { heartbeat } = freshItems()
    const items = Array.from({ length: 500 }, () => heartbeat())
    expect(await post(items)).toMatchObject({ status: 200, body: { accepted: 500, ackSequence: 500 } })
    expect(await post(`[${' '.repeat(999_998)}]`)).toMatchObject({ status: 200 })
    const packed = gzipSync(`[${' '.repeat(7_999_998)}]`)
    expect(await post(packed, { headers: { 'content-encoding': 'gzip' } })).toMatchObject({ status: 200 })
  })

  it('may be empty', async () => {
    expect(await post([])).toMatchObject({ status: 200, body: { accepted: 0, ackSequence: null } })
  })

  it('is stored but for the items that the database refuses, which are parked with its reason', async () => {
    const { raised, status, heartbeat } = freshItems()
    const owner = await connectClient((await testDatabase()).owner)
    await owner.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE numeric_value_out_of_range USING MESSAGE = 'integer out of range'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON service_event FOR EACH ROW
        WHEN (NEW.alert_id LIKE 'poison%') EXECUTE FUNCTION refuse()`)
    const [unknown, ...poison] = [
      raised({ severity: 'blue' }),
      raised({ alertId: 'poison-1' }),
      raised({ alertId: 'poison-2', templateId: 'P9B-9' }),
    ]
    const batch = [unknown, status('ready'), poison[0], raised({ alertId: 'sound-1' }), poison[1], heartbeat()]
    const refused = { code: 'bad-item', reason: 'The database refused it: integer out of range' }
    expect((await post(batch)).body).toMatchObject({
      accepted: 3,
      duplicates: 0,
      rejected: [{ id: unknown?.id }, ...poison.map(({ id }) => ({ id, ...refused }))],
      ackSequence: 6,
      knows: expect.any(Array),
    })
    expect(await parked(String(poison[0]?.id))).toMatchObject([{ ...refused, item: poison[0] }])
    await owner.query('DROP TRIGGER refuse ON service_event')
    await owner.end()
    const { rows } = await sql`SELECT alert_id FROM service_event WHERE alert_id ~ '^(poison|sound)-'`.execute(
      server.database.db,
    )
    expect(rows).toEqual([{ alert_id: 'sound-1' }])
  })

  it('is committed once when it arrives over several connections at the same time', async () => {
    const { raised, status, cleared } = freshItems()
    const batch = [status('ready'), raised({ alertId: 'same' }), cleared('same'), raised({ alertId: 'same-2' })]
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(batch)))
    expect(answers.map(({ status: code }) => code)).toEqual([200, 200, 200, 200, 200, 200])
    const accepted = answers.reduce((sum, { body }) => sum + Number(body['accepted']), 0)
    const duplicates = answers.reduce((sum, { body }) => sum + Number(body['duplicates']), 0)
    expect([accepted, duplicates]).toEqual([4, 20])
    const events = await server.database.db
      .selectFrom('service_event')
      .where('alert_id', 'in', ['same', 'same-2'])
      .selectAll()
      .execute()
    expect(events.map(({ latched_count }) => latched_count)).toEqual([0, 0])
  })
})

describe('whose key', () => {
  it.each([
    ['no key', null],
    ['a malformed key', 'secret'],
    ['an unknown key', createGatewayKey().key],
  ])('%s is answered 401 before the body is read', async (_, key) => {
    const answer = await post('{ this is not JSON', { key })
    expect(answer).toMatchObject({ status: 401, body: { code: 'bad-gateway-key' } })
    expect(answer.body['ErrorBody']).toContain('npm run gateway:key')
    expect(answer.headers['content-type']).toContain('application/problem+json')
  })

  it('another gateway’s is answered 403, also for a gateway that does not exist', async () => {
    for (const gateway of ['GW-OSL-01', 'GW-NOWHERE-99']) {
      expect(await post([], { gateway })).toMatchObject({ status: 403, body: { code: 'other-gateway' } })
    }
  })

  it('a user’s token is answered 401', async () => {
    expect(await post([], { key: 'eyJhbGciOiJFUzI1NiJ9.e30.AAAA' })).toMatchObject({ status: 401 })
  })

  it('is revoked by the first use of a newer one', async () => {
    const { key, hash } = createGatewayKey()
    await inTransaction(server.database.db, (trx) =>
      addGatewayKeys(trx, {
        keys: [{ gateway: 'GW-OSL-01', hash }],
        actor: { type: 'command', name: 'test' },
        at: TEST_NOW,
      }),
    )
    const old = { gateway: 'GW-OSL-01', key: fleet.gateways.nordic.key }
    expect((await post([], old)).status).toBe(200)
    expect((await post([], { gateway: 'GW-OSL-01', key })).status).toBe(200)
    expect((await post([], old)).status).toBe(401)
    expect((await post([], { gateway: 'GW-OSL-01', key })).status).toBe(200)
  })
})

describe('a bad item', () => {
  const rejected = async (item: unknown) => {
    const { status, body } = await post([item])
    expect(status).toBe(200)
    expect(body).toMatchObject({ accepted: 0, duplicates: 0 })
    return (body as { rejected: { id: string | null; code: string; reason: string }[] }).rejected[0]
  }

  it('is parked with its reason, once, and never blocks the rest', async () => {
    const { raised, status, log } = freshItems()
    const bad = raised({ alertType: 7 })
    const batch = [status('ready'), bad, log([{ timestamp: TEST_NOW.toISOString(), message: 'after the bad one' }])]
    for (const expected of [
      { accepted: 2, duplicates: 0 },
      { accepted: 0, duplicates: 2 },
    ]) {
      expect(await post(batch)).toMatchObject({
        status: 200,
        body: { ...expected, rejected: [{ id: bad['id'], code: 'bad-item' }], ackSequence: 3 },
      })
    }
    expect(await parked(String(bad['id']))).toMatchObject([{ code: 'bad-item', item: bad, resolved_at: null }])
  })

  it('of an unknown type is told the known ones', async () => {
    const item = { ...freshItems().heartbeat(), type: 'benchwatch.coffee.ready' }
    expect(await rejected(item)).toMatchObject({ code: 'unknown-type', reason: expect.stringContaining('heartbeat') })
  })

  it('of an unknown instrument is taken once the instrument is registered', async () => {
    const item = freshItems().status('ready', { subject: 'IP-99999999' })
    expect(await rejected(item)).toMatchObject({ code: 'unknown-instrument' })
    await sql`UPDATE instrument SET installed_product_id = 'IP-99999999' WHERE id = ${fleet.instruments.second}`.execute(
      server.database.db,
    )
    expect(await post([item])).toMatchObject({ body: { accepted: 1, rejected: [] } })
    expect((await parked(String(item['id'])))[0]?.resolved_at).toEqual(TEST_NOW)
  })

  it('of another gateway’s instrument is not taken', async () => {
    const { raised, status, log } = freshItems()
    const subject = { subject: 'IP-30000001' }
    const items = [
      raised({}, subject),
      status('wash', subject),
      log([{ timestamp: TEST_NOW.toISOString(), message: 'x' }], subject),
    ]
    const { body } = await post(items)
    expect(body).toMatchObject({
      accepted: 0,
      rejected: [
        { code: 'other-gateway-instrument' },
        { code: 'other-gateway-instrument' },
        { code: 'other-gateway-instrument' },
      ],
    })
    const events = await server.database.db
      .selectFrom('service_event')
      .where('instrument_id', '=', fleet.instruments.nordic)
      .selectAll()
      .execute()
    expect(events).toEqual([])
  })

  it.each([
    ['a number', 7],
    ['null', null],
    ['a text', 'hello'],
    ['a list', [[]]],
    ['an empty object', {}],
    ['a numeric id', { id: 5 }],
    ['an endless id', { id: 'x'.repeat(5000) }],
  ])('that is %s has no id', async (_, item) => {
    expect(await rejected(item)).toMatchObject({ id: null, code: 'bad-item' })
  })

  it('with NUL characters is parked with them replaced', async () => {
    const item = freshItems().raised({ description: 'a\0b', alertId: 'nul-1' })
    expect(await rejected(item)).toMatchObject({ code: 'bad-item', reason: expect.stringContaining('NUL') })
    const [row] = await parked(String(item['id']))
    expect(row?.item).toMatchObject({ data: { description: 'a\ufffdb' } })
  })

  it('with a message of 64 kB and more is parked whole', async () => {
    const message = 'm'.repeat(64_001)
    const item = freshItems().log([{ timestamp: TEST_NOW.toISOString(), message }])
    expect(await rejected(item)).toMatchObject({ code: 'bad-item' })
    expect((await parked(String(item['id'])))[0]?.item).toEqual(item)
  })

  it('with half a surrogate pair is taken with it replaced', async () => {
    const item = freshItems().raised({ alertId: 'half', description: 'half \ud800 pair' })
    expect(await post([item])).toMatchObject({ body: { accepted: 1 } })
    const [event] = await server.database.db
      .selectFrom('service_event')
      .selectAll()
      .where('alert_id', '=', 'half')
      .execute()
    expect(event?.description).toBe('half \ufffd pair')
  })

  it('with __proto__ pollutes nothing', async () => {
    const { raised } = freshItems()
    const text = JSON.stringify([raised(), raised()])
      .replace('"data":{', '"data":{"__proto__":{"polluted":true},')
      .replace('{"specversion"', '{"__proto__":{"polluted":true},"specversion"')
    const { status, body } = await post(text)
    expect([status, body['accepted']]).toEqual([200, 1])
    expect(body['rejected']).toMatchObject([{ code: 'bad-item' }])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('with nesting without end is parked as a remark', async () => {
    const { raised } = freshItems()
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const text = JSON.stringify([raised({ description: 'DEEP' })]).replace('"DEEP"', deep)
    expect(await post(text)).toMatchObject({ status: 200, body: { accepted: 0, rejected: [{ code: 'bad-item' }] } })
  })

  it.each([
    ['a time without a zone', { time: '2026-11-20T14:00:00' }],
    ['a time that does not exist', { time: '2026-13-45T99:00:00Z' }],
    ['a year beyond the calendar', { time: '+012345-01-01T00:00:00Z' }],
    ['an id without a sequence', { id: 'no-number-here' }],
    ['a negative sequence', { sequence: -1 }],
    ['another version', { specversion: '0.3' }],
    ['an odd subject', { subject: 'a b\0c' }],
    ['the source of another gateway', { source: '/gateways/GW-OTHER-01' }],
  ])('with %s is parked', async (_, envelope) => {
    expect(await rejected(freshItems().status('ready', envelope))).toMatchObject({ code: 'bad-item' })
  })
})

describe('a request that is no batch', () => {
  const gzip = { 'content-encoding': 'gzip' }
  const malformed = { status: 400, code: 'malformed-json' }
  const unsupported = { status: 415, code: 'unsupported-media-type' }
  const large = { status: 413, code: 'payload-too-large' }

  it.each<{ what: string; payload: string | Buffer; status: number; code: string; headers?: Record<string, string> }>([
    { what: 'malformed JSON', payload: '[{', ...malformed },
    { what: 'invalid UTF-8', payload: Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), ...malformed },
    { what: 'an object', payload: '{}', status: 400, code: 'validation-failed' },
    { what: 'broken gzip', payload: Buffer.from('not gzip'), headers: gzip, ...malformed },
    { what: 'another encoding', payload: '[]', headers: { 'content-encoding': 'br' }, ...unsupported },
    { what: 'another media type', payload: '[]', headers: { 'content-type': 'text/plain' }, ...unsupported },
    { what: 'more than 1 MB', payload: `["${'x'.repeat(1_000_001)}"]`, ...large },
    { what: 'more than 500 items', payload: JSON.stringify(Array.from({ length: 501 }, () => 1)), ...large },
    { what: 'more than 8 MB unpacked', payload: gzipSync(`["${'x'.repeat(8_000_001)}"]`), headers: gzip, ...large },
  ])('with $what is answered with a sentence', async ({ payload, status, code, headers = {} }) => {
    const answer = await post(payload, { headers })
    expect([answer.status, answer.body['code']]).toEqual([status, code])
    expect(String(answer.body['ErrorBody'])).toMatch(/^\S.{20,}/)
    expect((await post([])).status).toBe(200)
  })
})

describe('too much at once', () => {
  it('of one gateway is answered 429 with Retry-After, and nothing is lost', async () => {
    const { raised } = freshItems()
    const batches = Array.from({ length: 90 }, () => [raised({ alertId: 'flood' })])
    const answers = await Promise.all(batches.map((batch) => post(batch)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]).toMatchObject({ body: { code: 'too-many-requests' }, headers: { 'retry-after': '1' } })
    for (const batch of batches) expect((await post(batch)).status).toBe(200)
    const ids = batches.map(([item]) => String(item?.['id']))
    const { rows } = await sql`
      SELECT FROM unnest(${ids}::text[]) AS id, item_number(id) AS i
        JOIN taken_number t ON t.series = i.series AND t.block = i.block AND t.numbers @> i.number`.execute(
      server.database.db,
    )
    expect(rows).toHaveLength(batches.length)
  })
})

describe('a batch that is larger than any', () => {
  it('by its own account is refused permanently, before there is talk of room', async () => {
    const answer = await post([], { headers: { 'content-length': '1000000000000' } })
    expect([answer.status, answer.body['code']]).toEqual([413, 'payload-too-large'])
  })

  it('once it is unpacked waits for room when others as large are under way', async () => {
    const headers = { 'content-encoding': 'gzip' }
    const huge = gzipSync(`[${' '.repeat(7_900_000)}]`)
    const owner = await connectClient((await testDatabase()).owner)
    try {
      // No batch is answered while the row of its gateway is locked.
      await owner.query('BEGIN')
      await owner.query('SELECT 1 FROM gateway FOR UPDATE')
      const answers = Array.from({ length: 5 }, () => post(huge, { headers }))
      const first = await Promise.race(answers)
      expect(first).toMatchObject({ status: 503, body: { code: 'overloaded' }, headers: { 'retry-after': '2' } })
      await owner.query('ROLLBACK')
      const statuses = (await Promise.all(answers)).map(({ status }) => status)
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 503])
    } finally {
      await owner.end()
    }
  })
})

describe('a database that breaks off', () => {
  it('is answered 503 with Retry-After, and the batch can be sent again', async () => {
    const { raised } = freshItems()
    const batch = [raised({ alertId: 'broken-off' })]
    const owner = await connectClient((await testDatabase()).owner)
    try {
      await owner.query('BEGIN')
      await owner.query('SELECT 1 FROM gateway FOR UPDATE')
      const answer = post(batch)
      const terminateWaiting = async () => {
        const { rows } = await owner.query<{ ended: boolean }>(
          `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
        return rows.length
      }
      await expect.poll(terminateWaiting).toBe(1)
      expect(await answer).toMatchObject({
        status: 503,
        headers: { 'retry-after': '2' },
        body: { code: 'unavailable' },
      })
      await owner.query('ROLLBACK')
    } finally {
      await owner.end()
    }
    expect(await post(batch)).toMatchObject({ status: 200, body: { accepted: 1 } })
  })
})

describe('batch admission', () => {
  function admitted(outcome: ReturnType<BatchAdmission['enter']>): Admitted {
    if (typeof outcome === 'string') throw new Error(`It was refused: ${outcome}.`)
    return outcome
  }

  const never = { batchesWhenSlow: 0, slowMs: Number.POSITIVE_INFINITY }

  it('bounds the batches of one gateway', () => {
    const admission = new BatchAdmission({ perGateway: 2, batches: 10, bytes: 100, ...never })
    const first = admitted(admission.enter('a', 1))
    admission.enter('a', 1)
    expect(admission.enter('a', 1)).toBe('gateway')
    expect(admission.enter('b', 1)).toBeTypeOf('object')
    first.leave()
    first.leave()
    expect(admission.enter('a', 1)).toBeTypeOf('object')
    expect(admission.enter('a', 1)).toBe('gateway')
  })

  it('bounds batches and bytes of all', () => {
    const admission = new BatchAdmission({ perGateway: 9, batches: 3, bytes: 100, ...never })
    admission.enter('a', 60)
    expect(admission.enter('b', 50)).toBe('server')
    admission.enter('b', 30)
    admission.enter('c', 0)
    expect(admission.enter('d', 0)).toBe('server')
  })

  it('lets fewer in while the oldest waits too long to be answered in time', () => {
    let now = 0
    const limits = { perGateway: 9, batches: 9, bytes: 100, batchesWhenSlow: 2, slowMs: 2000 }
    const admission = new BatchAdmission(limits, new InFlight(() => now))
    const [first, second, third] = ['a', 'b', 'c'].map((gateway) => admitted(admission.enter(gateway, 1)))
    for (const batch of [first, second, third]) batch?.arrived(1)
    now = 2001
    expect(admission.enter('d', 1)).toBe('server')
    first?.leave()
    expect(admission.enter('d', 1)).toBe('server')
    now = 0
    expect(admission.enter('d', 1)).toBeTypeOf('object')
  })

  it('does not mistake a batch that arrives slowly for a slow database', () => {
    let now = 0
    const limits = { perGateway: 9, batches: 9, bytes: 100, batchesWhenSlow: 1, slowMs: 2000 }
    const admission = new BatchAdmission(limits, new InFlight(() => now))
    const slow = admitted(admission.enter('a', 1))
    now = 20_000
    expect(admission.enter('b', 1)).toBeTypeOf('object')
    slow.arrived(1)
    now = 23_000
    expect(admission.enter('c', 1)).toBe('server')
  })

  it('bounds what batches unpack to', () => {
    const admission = new BatchAdmission({ perGateway: 9, batches: 9, bytes: 100, ...never })
    const [first, second] = [admitted(admission.enter('a', 10)), admitted(admission.enter('a', 10))]
    expect(first.arrived(70)).toBe(true)
    expect(second.arrived(40)).toBe(false)
    expect(second.arrived(30)).toBe(true)
    expect(admission.enter('b', 1)).toBe('server')
    first.leave()
    expect(admission.enter('b', 70)).toBeTypeOf('object')
  })
})
