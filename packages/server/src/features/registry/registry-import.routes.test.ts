import { readFileSync } from 'node:fs'
import { aCustomer, anEventTemplate, anInstrument, aSite } from '@benchwatch/samples/registry-objects'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { registerSampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { registeredKinds } from './registered-kinds.ts'
import { lockRegistry, takeImportLock } from './registry-locks.store.ts'
import type { RegistryKind } from './registry-object.ts'

let app: TestApp
let admin: Caller

beforeAll(async () => {
  const database = await testDatabase()
  app = await testApp(database)
  await registerSampleFleet(database, TEST_NOW)
  admin = await app.as(await addSamplePerson(database, { login: 'admin@x.example', role: 'admin' }))
})
afterAll(() => app.close())

interface Sent {
  dryRun?: boolean
  type?: string
}
const load = (kind: RegistryKind, file: string, { dryRun = false, type = 'text/csv' }: Sent = {}) =>
  admin.call('importRegistry', {
    query: { kind, dryRun: dryRun ? 'true' : 'false' },
    body: file,
    headers: { 'content-type': type },
  })
const ndjson = (objects: readonly object[]) => objects.map((object) => JSON.stringify(object)).join('\n')
const lines = { type: 'application/x-ndjson' }
const count = async (table: 'site' | 'customer' | 'audit') => {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(table)}`.execute(app.database.db)
  return rows[0]?.n
}

describe('an import', () => {
  test('creates, updates and leaves alone, and a dry run says so before without writing', async () => {
    const file = 'key,name\nhelix-biologics,Helix Biologics\nnordic-pharma,Nordic Pharma AS\nimported,Imported\n'
    const before = [await count('customer'), await count('audit')]
    const dry = await load('customers', file, { dryRun: true })
    expect([dry.status, dry.body]).toEqual([200, { created: 1, updated: 1, errors: [] }])
    expect([await count('customer'), await count('audit')]).toEqual(before)
    const done = await load('customers', file)
    expect(done.body).toEqual(dry.body)
    const { body } = await admin.call('getCustomer', { params: { key: 'nordic-pharma' } })
    expect(body.name).toBe('Nordic Pharma AS')
    expect((await load('customers', file)).body).toEqual({ created: 0, updated: 0, errors: [] })
  })

  test('records who imported, one row a change', async () => {
    await load('customers', 'key,name\nrecorded,One\n')
    await load('customers', 'key,name\nrecorded,Two\n')
    const rows = await app.database.db
      .selectFrom('audit')
      .select(['action', 'property', 'old_value', 'new_value', 'actor_type'])
      .where('entity_id', '=', 'customers/recorded')
      .orderBy('entity_seq')
      .execute()
    expect(rows).toMatchObject([
      { action: 'created', actor_type: 'user' },
      { action: 'update', property: 'name', old_value: 'One', new_value: 'Two', actor_type: 'user' },
    ])
  })

  test('is all or nothing, and names what is wrong line by line', async () => {
    const before = [await count('site'), await count('audit')]
    const file = [
      'key;customer;latitude;longitude;timeZone',
      'fine;helix-biologics;59,1;17,1;Europe/Stockholm',
      'no customer;helix-biologics;;;',
      'half;helix-biologics;59,1;;',
      'north;helix-biologics;north;17;',
      'none;;;;',
      'unknown;nobody;;;',
      'zone;helix-biologics;;;Mars/Olympus',
      'fine;helix-biologics;;;',
    ].join('\n')
    for (const dryRun of [true, false]) {
      const { status, body } = await load('sites', file, { dryRun })
      expect(status).toBe(200)
      expect(body.errors.map(({ line, path }) => [line, path])).toEqual([
        [3, 'key'],
        [4, 'latitude'],
        [5, 'latitude'],
        [6, 'customer'],
        [7, 'customer'],
        [8, 'timeZone'],
        [9, 'key'],
      ])
      expect(body).toMatchObject({ created: 0, updated: 0 })
      expect(body.errors.map(({ message }) => message)).toEqual([
        expect.stringContaining('without spaces'),
        'requires longitude as well',
        expect.any(String),
        'is missing',
        'There is no customer "nobody". Register it first: PUT /api/registry/v1/customers/nobody.',
        expect.stringContaining('IANA'),
        'is the same as on line 2: each object may occur only once in a file',
      ])
    }
    expect([await count('site'), await count('audit')]).toEqual(before)
  })

  test('takes NDJSON, blank lines between', async () => {
    const { key, input } = aSite({ key: 'by-lines' })
    const { body } = await load('sites', `\n${ndjson([{ key, ...input }])}\r\n\n`, lines)
    expect(body).toEqual({ created: 1, updated: 0, errors: [] })
    expect((await admin.call('getSite', { params: { key } })).body).toEqual({ key, ...input })
  })

  test('reports lines of NDJSON that are not objects of its kind', async () => {
    const file = [
      '{"key":"a"',
      '[]',
      '"text"',
      '{"key":"a","name":"A","id":"7"}',
      '{"key":"b","name":"B","__proto__":{}}',
    ]
    const { body } = await load('customers', file.join('\n'), lines)
    expect(body.errors).toEqual([
      { line: 1, path: '', message: 'is not JSON: write one object per line' },
      { line: 2, path: '', message: 'is not an object' },
      { line: 3, path: '', message: 'is not an object' },
      { line: 4, path: 'id', message: 'is not a field of this kind; its fields are key, name' },
      { line: 5, path: '__proto__', message: expect.any(String) },
    ])
  })

  test('of gateways refuses one id for two, in the file and beside it', async () => {
    const file = 'key,site,installedProductId\nGW-A,helix-biologics-uppsala,SAME\nGW-B,helix-biologics-uppsala,SAME\n'
    expect((await load('gateways', file)).body.errors).toEqual([
      { line: 3, path: 'installedProductId', message: 'is the same as on line 2: it must be unique' },
    ])
    const swap = 'key,site,installedProductId\nGW-UPP-01,helix-biologics-uppsala,IP-29000002\n'
    expect((await load('gateways', swap)).body.errors).toEqual([
      { line: 2, path: 'installedProductId', message: expect.stringContaining('belongs to the gateway "GW-OSL-01"') },
    ])
  })

  test('takes again what lists answer, without what the server keeps', async () => {
    const routes = {
      customers: 'listCustomers',
      sites: 'listSites',
      contracts: 'listContracts',
      contacts: 'listContacts',
      'instrument-families': 'listRegisteredInstrumentFamilies',
      'instrument-types': 'listRegisteredInstrumentTypes',
      gateways: 'listGateways',
      instruments: 'listRegisteredInstruments',
      'event-templates': 'listEventTemplates',
    } as const
    for (const [kind, list] of Object.entries(routes) as [RegistryKind, (typeof routes)[RegistryKind]][]) {
      const { body } = await admin.call(list, { query: { limit: '100' } })
      const objects = (body.values as object[]).map((object) =>
        Object.fromEntries(Object.entries(object).filter(([name]) => !registeredKinds[kind].readOnly.has(name))),
      )
      expect(objects.length).toBeGreaterThan(0)
      expect([kind, (await load(kind, ndjson(objects), lines)).body]).toEqual([
        kind,
        { created: 0, updated: 0, errors: [] },
      ])
    }
  })

  test('keeps templates safe and their keys well-formed, as a PUT does', async () => {
    const { key, input } = anEventTemplate({ key: 'AKTAPilot600/P9B-7777' })
    const unsafe = { key, ...input, remedy: '<p onclick="x()">Pump<script>x()</script></p>' }
    await load('event-templates', ndjson([unsafe]), lines)
    expect((await admin.call('getEventTemplate', { params: { '*': key } })).body.remedy).toBe('<p>Pump</p>')
    const other = { ...unsafe, key: 'AKTAPilot600/none' }
    expect((await load('event-templates', ndjson([other]), lines)).body.errors).toMatchObject([
      { line: 1, path: 'key' },
    ])
  })

  test.each([
    ['', 'The file contains nothing to register.'],
    ['key,name\n', 'The file contains nothing to register.'],
  ])('of nothing says so: %j', async (file, message) => {
    expect((await load('customers', file)).body).toEqual({
      created: 0,
      updated: 0,
      errors: [{ line: 1, path: '', message }],
    })
  })

  test('reports the first 1,000 errors, and that there are more', async () => {
    const file = ['key,customer', ...Array.from({ length: 1500 }, (_, index) => `s${index},nobody`)].join('\n')
    const { body } = await load('sites', file)
    expect(body.errors).toHaveLength(1001)
    expect(body.errors.at(-1)).toEqual({ line: 1002, path: '', message: expect.stringContaining('more errors') })
  })

  test('of thousands is written as one, and other calls are answered meanwhile', async () => {
    const file = [
      'key,type,productDescription,site,gateway',
      ...Array.from({ length: 3000 }, (_, n) => `IP-5${n},AKTAGo,ÄKTA go,helix-biologics-uppsala,GW-UPP-01`),
    ].join('\n')
    const importing = load('instruments', file)
    let answered = 0
    let isOver = false
    const over = importing.finally(() => {
      isOver = true
    })
    while (!isOver) {
      expect((await admin.call('getMe')).status).toBe(200)
      answered += 1
    }
    expect((await over).body).toEqual({ created: 3000, updated: 0, errors: [] })
    expect(answered).toBeGreaterThan(10)
    const found = await admin.call('listRegisteredInstruments', { query: { keyword: 'akta GO ip-5299' } })
    expect(found.body.total).toBe(11)
  })

  test('does not wait for another import: it is asked to try again', async () => {
    await app.database.db.transaction().execute(async (trx) => {
      expect(await takeImportLock(trx)).toBe(true)
      const { status, headers, problem } = await load('customers', 'key,name\na,A\n', { dryRun: true })
      expect([status, headers['retry-after'], problem.code]).toEqual([503, '10', 'unavailable'])
    })
  })

  test('writes nothing beside another registration, which it waits for', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let isLocked = () => {}
    const locked = new Promise<void>((resolve) => {
      isLocked = resolve
    })
    const other = app.database.db.transaction().execute(async (trx) => {
      await lockRegistry(trx)
      isLocked()
      await held
    })
    await locked
    const before = await count('customer')
    const importing = load('customers', 'key,name\nwaited,Waited\n')
    await eventually(async () => {
      const { rows } = await sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(app.database.db)
      expect(rows).toHaveLength(1)
    })
    expect((await load('customers', 'key,name\nwaited,Waited\n', { dryRun: true })).status).toBe(503)
    expect(await count('customer')).toBe(before)
    release()
    await other
    expect((await importing).body).toEqual({ created: 1, updated: 0, errors: [] })
  })
})

test('a single registration that would wait for a long import gets an answer in time', async () => {
  await app.database.db.transaction().execute(async (trx) => {
    // The application ends transactions that pause.
    await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(trx)
    await lockRegistry(trx)
    const { key, input } = aCustomer()
    const { status, headers, problem } = await admin.call('putCustomer', { params: { key }, body: input })
    expect([status, headers['retry-after']]).toEqual([503, '10'])
    expect(problem.ErrorBody).toContain('being imported')
  })
})

describe('the example files of the documentation', () => {
  test('are one small customer, in the documented order', async () => {
    const folder = new URL('../../../../../docs/examples/registry/', import.meta.url)
    const order = [
      ...(['customers', 'sites', 'contracts', 'contacts', 'gateways'] as const),
      ...(['instrument-families', 'instrument-types', 'instruments', 'event-templates'] as const),
    ]
    const created: number[] = []
    for (const kind of order) {
      const { body } = await load(kind, readFileSync(new URL(`${kind}.csv`, folder), 'utf8'))
      expect([kind, body.errors]).toEqual([kind, []])
      created.push(body.created)
    }
    expect(created).toEqual([1, 1, 1, 1, 1, 1, 1, 3, 1])
    const { body } = await admin.call('getEventTemplate', { params: { '*': 'AKTAPure/PMP-2001' } })
    expect(body.troubleshooting).toContain('<li>Check the "inline" filter.</li>')
  })
})

describe('a folder of files', () => {
  const csv = (kind: RegistryKind, text: string) => ({ kind, format: 'csv' as const, text })
  const lab = [
    csv('instruments', 'key,type,productDescription,site,gateway\nIP-77700001,AKTAGo,ÄKTA go,lab-north,GW-LAB-7\n'),
    csv('gateways', 'key,site\nGW-LAB-7,lab-north\n'),
    csv('sites', 'key,customer,city\nlab-north,lab,Umeå\n'),
    csv('customers', '\uFEFFkey,name\nlab,Lab\n'),
  ]
  const apply = (files: typeof lab, dryRun = false) =>
    admin.call('applyRegistry', { query: { dryRun: dryRun ? 'true' : 'false' }, body: { files } })

  test('may refer to its own new objects, in any order of files, and a dry run says so without writing', async () => {
    const before = [await count('customer'), await count('site'), await count('audit')]
    const dry = await apply(lab, true)
    expect(dry.body).toMatchObject({ created: 4, updated: 0, errors: [] })
    expect(dry.body.changes.map(({ kind, key, isNew }) => [kind, key, isNew])).toEqual([
      ['customers', 'lab', true],
      ['sites', 'lab-north', true],
      ['gateways', 'GW-LAB-7', true],
      ['instruments', 'IP-77700001', true],
    ])
    expect(dry.body.changes[1]?.properties).toEqual(
      expect.arrayContaining([{ property: 'city', before: null, after: 'Umeå' }]),
    )
    expect([await count('customer'), await count('site'), await count('audit')]).toEqual(before)
    expect((await apply(lab)).body).toEqual(dry.body)
    expect((await admin.call('getRegisteredInstrument', { params: { key: 'IP-77700001' } })).body.gateway).toBe(
      'GW-LAB-7',
    )
    expect((await apply(lab)).body).toEqual({ created: 0, updated: 0, errors: [], changes: [] })
  })

  test('names each property that differs, from which value to which', async () => {
    const moved = lab.map((file) => ({ ...file, text: file.text.replace('Umeå', 'Luleå') }))
    expect((await apply(moved)).body).toEqual({
      created: 0,
      updated: 1,
      errors: [],
      changes: [
        {
          kind: 'sites',
          key: 'lab-north',
          isNew: false,
          properties: [{ property: 'city', before: 'Umeå', after: 'Luleå' }],
        },
      ],
    })
  })

  test('is registered as a whole or not at all, and missing objects are reported for the first wrong file only', async () => {
    const files = [
      csv('customers', 'key,name\nwhole,Whole\n'),
      csv('sites', 'key,customer,timeZone\nwhole-site,whole,Mars/Olympus\n'),
      csv('gateways', 'key,site\nGW-WHOLE,whole-site\n'),
    ]
    const before = [await count('customer'), await count('audit')]
    const { status, body } = await apply(files)
    expect([status, body.created, body.changes]).toEqual([200, 0, []])
    expect(body.errors).toEqual([
      { kind: 'sites', line: 2, path: 'timeZone', message: expect.stringContaining('IANA') },
    ])
    expect([await count('customer'), await count('audit')]).toEqual(before)
  })

  test('that would only fail while it is written changes nothing', async () => {
    await load('customers', 'key,name\nfrom,From\nto,To\n')
    await load('sites', 'key,customer\nfrom-site,from\n')
    await load('contracts', 'key,customer\nSC-MOVED,from\n')
    const before = await count('audit')
    const { status, problem } = await apply([
      csv('contracts', 'key,customer\nSC-MOVED,to\n'),
      csv('instruments', 'key,type,productDescription,site,contract\nIP-77700002,AKTAGo,ÄKTA go,from-site,SC-MOVED\n'),
    ])
    expect([status, problem.code]).toEqual([400, 'unknown-reference'])
    expect(await count('audit')).toBe(before)
    expect((await admin.call('getContract', { params: { key: 'SC-MOVED' } })).body.customer).toBe('from')
  })

  test('has one file of a kind', async () => {
    const { status, problem } = await apply([csv('customers', 'key,name\na,A\n'), csv('customers', 'key,name\nb,B\n')])
    expect([status, problem.ErrorBody]).toEqual([400, expect.stringContaining('one file of a kind')])
  })
})

describe('an import is refused', () => {
  test('as JSON, in another encoding, too large, for no kind', async () => {
    expect((await load('customers', '{}', { type: 'application/json' })).status).toBe(415)
    const latin = await app.app.http.inject({
      method: 'POST',
      url: '/api/registry/v1/import?kind=customers',
      headers: { 'content-type': 'text/csv', authorization: await bearer() },
      payload: Buffer.from('key,name\na,Malmö\n', 'latin1'),
    })
    expect([latin.statusCode, latin.json().code]).toEqual([400, 'validation-failed'])
    expect((await load('customers', 'x'.repeat(8_000_001))).status).toBe(413)
    expect((await load('users' as never, 'key\na')).status).toBe(400)
  })

  test('from anybody but administrators and the registry’s tokens', async () => {
    const engineer = await app.as(await addSamplePerson(app.database, { login: 'engineer@x.example' }))
    const sent = {
      query: { kind: 'customers' as const },
      body: 'key,name\na,A',
      headers: { 'content-type': 'text/csv' },
    }
    expect((await engineer.call('importRegistry', sent)).status).toBe(403)
    expect((await app.call('importRegistry', sent)).status).toBe(401)
  })

  async function bearer(): Promise<string> {
    const { body } = await admin.call('createApiToken', {
      body: { name: 'loader', scopes: ['registry'], expiresAt: '2027-01-01' },
    })
    return `Bearer ${body.token}`
  }
})

describe('a keyword in a list', () => {
  test('finds in key, names and references, folded, with page and total agreeing', async () => {
    const find = async (keyword: string, page = {}) => {
      const { body } = await admin.call('listRegisteredInstruments', { query: { keyword, ...page } })
      return { total: body.total, keys: body.values.map(({ key }) => key) }
    }
    const { key } = anInstrument()
    expect((await find('pilot-upp')).keys).toContain(key)
    expect((await find('gw-osl-01')).keys).toEqual(['IP-30000001'])
    expect((await find('Nordic PILOT')).keys).toEqual(['IP-30000001'])
    expect(await find('aktapilot600 ip-2043', { limit: '1', offset: '1' })).toMatchObject({
      total: 2,
      keys: ['IP-20431188'],
    })
    expect(await find('%')).toEqual({ total: 0, keys: [] })
    const customers = await admin.call('listCustomers', { query: { keyword: aCustomer().input.name.toUpperCase() } })
    expect(customers.body.values.map((customer) => customer.key)).toEqual(['helix-biologics'])
    const sites = await admin.call('listSites', { query: { keyword: 'uppsala sweden', limit: '1' } })
    expect(sites.body.values).toHaveLength(1)
    expect(sites.body.total).toBeGreaterThan(0)
  })
})
