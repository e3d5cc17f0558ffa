import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'

let server: TestApp
let fleet: SampleFleet
let epochs = 0

beforeAll(async () => {
  const database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database)
})
afterAll(() => server.close())

/** Returns items of a new outbox, later than those of all earlier tests. */
const freshItems = () => gatewayItems(`u${++epochs}`, TEST_NOW)

async function post(batch: readonly unknown[] | string | Buffer, headers: Record<string, string> = {}) {
  const response = await server.app.http.inject({
    method: 'POST',
    url: '/api/ingest/v1/gateways/GW-UPP-01/batches',
    headers: {
      'content-type': 'application/cloudevents-batch+json',
      authorization: `Bearer ${fleet.gateways.helix.key}`,
      ...headers,
    },
    payload: typeof batch === 'string' || Buffer.isBuffer(batch) ? batch : JSON.stringify(batch),
  })
  expect(response.statusCode).toBe(200)
  return response.json<{ accepted: number; duplicates: number; rejected: { code: string; reason: string }[] }>()
}

const taken = { accepted: 1, duplicates: 0, rejected: [] }

function pump(value: number | null = 120, name = 'Pump B (P9-B)') {
  return {
    componentName: name,
    usage: [
      { metric: 'Piston seal A', unit: 'strokes', value, thresholdRule: 'MAXIMUM_USAGE', thresholdValues: [2_000_000] },
    ],
    info: [{ metric: 'Serial number', unit: null, value: 'P9-004711' }],
    details: [{ metric: 'Firmware', unit: null, value: '2.1.0' }],
  }
}

async function setFlag(value: boolean, userId: number | null = null) {
  await server.database.db.deleteFrom('feature_flag').where('key', '=', 'ASSET_USAGE').execute()
  await server.database.db.insertInto('feature_flag').values({ key: 'ASSET_USAGE', user_id: userId, value }).execute()
}

const usageOf = (instrument: number) =>
  server.database.db
    .selectFrom('component_usage')
    .where('instrument_id', '=', instrument)
    .orderBy('component_name')
    .selectAll()
    .execute()
const daysOf = (component: string) =>
  server.database.db
    .selectFrom('component_usage_day')
    .where('component_name', '=', component)
    .orderBy('metric')
    .orderBy('day')
    .select(['metric', 'day', 'value'])
    .execute()
const runtimes = () =>
  server.database.db.selectFrom('runtime_day').orderBy('day').select(['instrument_id', 'day', 'seconds']).execute()
const softwareOf = (instrument: number) =>
  server.database.db.selectFrom('instrument_software').where('instrument_id', '=', instrument).selectAll().execute()

beforeEach(async () => {
  for (const table of ['component_usage', 'component_usage_day', 'runtime_day', 'instrument_software'] as const) {
    await server.database.db.deleteFrom(table).execute()
  }
  await setFlag(true)
})

describe('a sample of component usage', () => {
  it('is kept whole, with the last value of each UTC day', async () => {
    const { usage } = freshItems()
    const late = { time: '2026-11-20T23:59:59.999+01:00' }
    const next = { time: '2026-11-21T00:00:00.000Z' }
    expect(await post([usage([pump(100)], late), usage([pump(101)], late), usage([pump(140)], next)])).toMatchObject({
      accepted: 3,
    })
    expect(await usageOf(fleet.instruments.first)).toMatchObject([
      { component_name: 'Pump B (P9-B)', sampled_at: new Date(next.time), sequence: 3, ...without(pump(140)) },
    ])
    expect(await daysOf('Pump B (P9-B)')).toEqual([
      { metric: 'Piston seal A', day: '2026-11-20', value: 101 },
      { metric: 'Piston seal A', day: '2026-11-21', value: 140 },
    ])
  })

  it('leaves what it does not name as it was', async () => {
    const { usage } = freshItems()
    await post([usage([pump(1, 'Pump A (P9-A)'), pump(2)]), usage([pump(3)])])
    const rows = await usageOf(fleet.instruments.first)
    expect(rows.map((row) => [row.component_name, row.usage[0]?.value, row.sequence])).toEqual([
      ['Pump A (P9-A)', 1, 1],
      ['Pump B (P9-B)', 3, 2],
    ])
  })

  it('without a value is shown, and the day keeps the last one counted', async () => {
    const { usage } = freshItems()
    await post([usage([pump(7)]), usage([pump(null)])])
    expect((await usageOf(fleet.instruments.first))[0]?.usage[0]?.value).toBeNull()
    expect(await daysOf('Pump B (P9-B)')).toMatchObject([{ value: 7 }])
  })

  it('has null where a unit or a text is empty', async () => {
    const empty = { metric: 'Serial number', unit: '', value: '' }
    const component = { ...pump(), usage: [{ ...pump().usage[0], unit: '' }], info: [empty], details: [empty] }
    expect(await post([freshItems().usage([component])])).toMatchObject(taken)
    const nothing = { metric: 'Serial number', unit: null, value: null }
    expect(await usageOf(fleet.instruments.first)).toMatchObject([
      { usage: [{ ...pump().usage[0], unit: null }], info: [nothing], details: [nothing] },
    ])
  })

  it('without any metric is a component all the same', async () => {
    const bare = { componentName: 'Mixer (M9)', usage: [], info: [], details: [] }
    expect(await post([freshItems().usage([bare])])).toMatchObject(taken)
    expect(await usageOf(fleet.instruments.first)).toMatchObject([without(bare)])
  })

  it('keeps values of any size and texts of any script', async () => {
    const name = 'Pumpe “Ø”, ポンプ 🧪 \t\\N \'"{},; (P9-Ä)'
    const values = [1e308, -1e308, 5e-324, 0, 0.1, 9_007_199_254_740_991]
    const component = {
      componentName: name,
      usage: values.map((value, index) => ({
        metric: `Größe ${index} 计数\n`,
        unit: 'm³',
        value,
        thresholdRule: 'HIGH_SAFE_USAGE',
        thresholdValues: [value, 1e300],
      })),
      info: [{ metric: 'Seriennummer', unit: null, value: '🧪'.repeat(400) }],
      details: [{ metric: 'Leer', unit: null, value: null }],
    }
    expect(await post([freshItems().usage([component])])).toMatchObject(taken)
    const [row] = await usageOf(fleet.instruments.first)
    expect(row).toMatchObject({ component_name: name, ...without(component) })
    expect((await daysOf(name)).map(({ value }) => value)).toEqual(values)
  })

  it('may name 200 components', async () => {
    const components = Array.from({ length: 200 }, (_, index) => pump(index, `Valve ${index} (V${index})`))
    expect(await post([freshItems().usage(components)])).toMatchObject(taken)
    expect(await usageOf(fleet.instruments.first)).toHaveLength(200)
  })

  it('may be one of many, more than one statement writes', async () => {
    const { usage } = freshItems()
    const components = (item: number) =>
      Array.from({ length: 200 }, (_, index) => pump(item, `Valve ${item}-${index} (V${index})`))
    const batch = gzipSync(JSON.stringify(Array.from({ length: 26 }, (_, item) => usage(components(item)))))
    expect(await post(batch, { 'content-encoding': 'gzip' })).toMatchObject({ accepted: 26, rejected: [] })
    const values = (await usageOf(fleet.instruments.first)).map(({ usage: [metric] }) => metric?.value ?? -1)
    expect(values).toHaveLength(5200)
    expect(values.reduce((a, b) => a + b, 0)).toBe((200 * 25 * 26) / 2)
  })

  it('that names a component or a metric twice is taken as its last word', async () => {
    const twice = { ...pump(3), usage: [...pump(3).usage, ...pump(4).usage] }
    expect(await post([freshItems().usage([pump(1), twice])])).toMatchObject(taken)
    expect(await usageOf(fleet.instruments.first)).toMatchObject([without(twice)])
    expect(await daysOf('Pump B (P9-B)')).toMatchObject([{ value: 4 }])
  })
})

describe('component usage is collected', () => {
  it('only while ASSET_USAGE is on for any user, and otherwise acknowledged', async () => {
    await setFlag(false)
    expect(await post([freshItems().usage([pump()])])).toMatchObject(taken)
    await server.database.db.deleteFrom('feature_flag').where('key', '=', 'ASSET_USAGE').execute()
    const { usage, runtime } = freshItems()
    const batch = [usage([pump()]), runtime('2026-11-19', 5)]
    expect(await post(batch)).toMatchObject({ accepted: 2, rejected: [] })
    expect(await usageOf(fleet.instruments.first)).toEqual([])
    expect(await daysOf('Pump B (P9-B)')).toEqual([])
    expect(await runtimes()).toHaveLength(1)
    // A repeat does not bring back discarded samples.
    await setFlag(true)
    expect(await post(batch)).toMatchObject({ accepted: 0, duplicates: 2 })
    expect(await usageOf(fleet.instruments.first)).toEqual([])
  })

  it('from the moment when one user has ASSET_USAGE', async () => {
    const userId = await addSamplePerson(server.database, { login: 'one@x.example', name: 'One', role: 'service' })
    await setFlag(false, userId)
    await post([freshItems().usage([pump()])])
    expect(await usageOf(fleet.instruments.first)).toEqual([])
    await setFlag(true, userId)
    await post([freshItems().usage([pump()])])
    expect(await usageOf(fleet.instruments.first)).toHaveLength(1)
  })
})

describe('run time', () => {
  it('is kept for each day of the site, rounded to seconds, and replaced by a later item', async () => {
    const { runtime } = freshItems()
    await post([runtime('2026-11-19', 86_400), runtime('2026-11-20', 12.5), runtime('2026-11-20', 3600)])
    expect(await runtimes()).toEqual([
      { instrument_id: fleet.instruments.first, day: '2026-11-19', seconds: 86_400 },
      { instrument_id: fleet.instruments.first, day: '2026-11-20', seconds: 3600 },
    ])
    await post([runtime('2024-02-29', 0.4)])
    expect((await runtimes())[0]).toMatchObject({ day: '2024-02-29', seconds: 0 })
  })
})

describe('computers and software', () => {
  const told = {
    clientPcNames: ['PC-012', 'HELIX-BO-PC012'],
    instrumentServerPcName: 'SRV-1',
    unicornVersion: '7.10',
    unicornWinOs: 'Windows 11',
    unicornPcName: 'PC-012',
    unicornServicePack: 'SP1',
    unicornEmbeddedPcDomain: 'HELIX',
    unicornEmbeddedPcType: 'Beckhoff',
    unicornInstalledConfigFile: 'C:\\UNICORN\\config.xml',
    unicornNetworkConfigurations: '[{"name": "eth0", "ip": "10.0.0.7", "dhcpEnabled": true}]',
  }
  const stored = {
    client_pc_names: ['PC-012', 'HELIX-BO-PC012'],
    instrument_server_pc_name: 'SRV-1',
    unicorn_version: '7.10',
    unicorn_win_os: 'Windows 11',
    unicorn_pc_name: 'PC-012',
    unicorn_service_pack: 'SP1',
    unicorn_embedded_pc_domain: 'HELIX',
    unicorn_embedded_pc_type: 'Beckhoff',
    unicorn_installed_config_file: 'C:\\UNICORN\\config.xml',
    unicorn_network_configurations: told.unicornNetworkConfigurations,
  }

  it('are the whole picture: what is not named is not known any more', async () => {
    const { clients } = freshItems()
    await post([clients(told)])
    expect(await softwareOf(fleet.instruments.first)).toMatchObject([{ sequence: 1, ...stored }])
    await post([clients({ unicornVersion: null })])
    const nothing = Object.fromEntries(Object.keys(stored).map((column) => [column, null]))
    expect(await softwareOf(fleet.instruments.first)).toMatchObject([{ sequence: 2, ...nothing, client_pc_names: [] }])
    const empty = Object.fromEntries(Object.keys(told).map((name) => [name, '']))
    await post([clients(told), clients({ ...empty, clientPcNames: [] })])
    expect(await softwareOf(fleet.instruments.first)).toMatchObject([{ sequence: 4, ...nothing, client_pc_names: [] }])
  })

  it('keep network settings that are no JSON as they are, and a computer named twice once', async () => {
    const names = ['PC "1", {a}', 'PC-2', 'PC "1", {a}']
    await post([freshItems().clients({ clientPcNames: names, unicornNetworkConfigurations: '[{"name": ‽' })])
    expect(await softwareOf(fleet.instruments.first)).toMatchObject([
      { client_pc_names: ['PC "1", {a}', 'PC-2'], unicorn_network_configurations: '[{"name": ‽' },
    ])
  })
})

describe('usage, run time and clients', () => {
  const metric = pump().usage[0]
  const withMetric = (change: object) => ({ ...pump(), usage: [{ ...metric, ...change }] })
  const { usage, runtime, clients } = gatewayItems('bad', TEST_NOW)

  it.each<[string, unknown, RegExp]>([
    ['a value that is no number', usage([withMetric({ value: 'NaN' })]), /^data\.components\.0\.usage\.0\.value: /],
    ['a missing threshold rule', usage([withMetric({ thresholdRule: undefined })]), /thresholdRule: /],
    ['an unknown threshold rule', usage([withMetric({ thresholdRule: 'MINIMUM' })]), /thresholdRule: .*COUNT_DOWN/],
    ['a computed colour', usage([withMetric({ usageColor: 'high' })]), /usageColor/],
    ['no component', usage([]), /^data\.components: /],
    ['201 components', usage(Array.from({ length: 201 }, (_, n) => pump(1, `Valve ${n}`))), /^data\.components: .*200/],
    ['a component without a name', usage([pump(1, '')]), /componentName: /],
    ['a NUL character', usage([pump(1, 'Pump\0')]), /NUL/],
    ['86,401 seconds', runtime('2026-11-19', 86_401), /^data\.seconds: .*86400/],
    ['less than no run time', runtime('2026-11-19', -1), /^data\.seconds: /],
    ['no run time at all', runtime('2026-11-19', null), /^data\.seconds: /],
    ['a day that does not exist', runtime('2026-02-30', 5), /^data\.day: /],
    ['a day before the calendar', runtime('0000-01-01', 5), /^data\.day: .*1970-01-01/],
    ['an instant for a day', runtime('2026-11-19T00:00:00Z', 5), /^data\.day: /],
    [
      '51 computers',
      clients({ clientPcNames: Array.from({ length: 51 }, (_, n) => `PC-${n}`) }),
      /clientPcNames: .*50/,
    ],
    ['a computer without a name', clients({ clientPcNames: [''] }), /clientPcNames\.0: /],
  ])('with %s are parked with the reason', async (_, item, reason) => {
    const answer = await post([item])
    expect(answer).toMatchObject({ accepted: 0, rejected: [{ code: 'bad-item' }] })
    expect(answer.rejected[0]?.reason).toMatch(reason)
  })

  it('with a number beyond all numbers are parked', async () => {
    const text = JSON.stringify([usage([pump(4711)]), runtime('2026-11-19', 4712)])
    const answer = await post(text.replace('4711', '1e999').replace('4712', '-1e999'))
    expect(answer.rejected.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/usage\.0\.value: .*Infinity/),
      expect.stringMatching(/^data\.seconds: /),
    ])
  })

  it('of the instrument of another gateway are parked', async () => {
    const { usage, runtime, clients } = freshItems()
    const other = { subject: 'IP-30000001' }
    const answer = await post([usage([pump()], other), runtime('2026-11-19', 1, other), clients({}, other)])
    expect(answer.rejected.map(({ code }) => code)).toEqual(Array.from({ length: 3 }, () => 'other-gateway-instrument'))
    expect(await usageOf(fleet.instruments.nordic)).toEqual([])
    expect(await runtimes()).toEqual([])
  })
})

function without<Component extends { componentName: string }>({ componentName: _name, ...lists }: Component) {
  return lists
}
