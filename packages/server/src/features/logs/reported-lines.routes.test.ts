import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { messagesOf } from '../../testing/log-lines.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'

/** Follows log lines from the gateway's request to the reader's answer. */
let server: TestApp
let fleet: SampleFleet
let service: Caller

beforeAll(async () => {
  const database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database)
  service = await server.as(await addSamplePerson(database, { login: 'sven@benchwatch.example' }))
})
afterAll(() => server.close())

const at = TEST_NOW.toISOString()

async function tell(logType: string, lines: readonly Record<string, unknown>[]) {
  const { name, key } = fleet.gateways.helix
  const item = gatewayItems(randomUUID(), TEST_NOW).log([], { data: { logType, lines } })
  const gateway = server.withHeaders({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })
  const { status, body } = await gateway.call('ingestBatch', { params: { gateway: name }, body: [item] })
  expect(status).toBe(200)
  return body
}

const query = (logType: string, more: object = {}) =>
  ({ query: { logType, instrumentInstalledProductId: 'IP-20431187', order: 'ASC', size: '100', ...more } }) as never

const read = async (logType: string, more?: object) =>
  (await service.call('listInstrumentLogs', query(logType, more))).body.body.hits

describe('lines as instruments write them', () => {
  it('come out as they went in: long ones, control characters, HTML, any script', async () => {
    const messages = [
      'x'.repeat(64_000),
      'ö'.repeat(64_000),
      'bell \u0007, escape \u001b[31mred\u001b[0m, tab \t, lines \r\n two, delete \u007f',
      '<script>alert(1)</script><img src=x onerror=alert(1)>&amp;',
      'מערכת \u202e reversed \u202c 警告 😀',
      '',
    ]
    const told = await tell(
      'VID',
      messages.map((message) => ({ timestamp: at, message })),
    )
    expect(told).toMatchObject({ accepted: 1, rejected: [] })
    expect(messagesOf((await read('VID')).hits)).toEqual(messages)
  })

  it.each([
    ['missing', 'COMM', {}],
    ['empty', 'INSTRUMENTSERVER', { module: '', level: '', eventCode: '', userName: '', hostname: '' }],
  ])('have null where a field is %s', async (_, logType, fields) => {
    await tell(logType, [{ timestamp: at, message: 'bare', ...fields }])
    expect((await read(logType)).hits[0]?._source).toEqual({
      '@timestamp': at,
      message: 'bare',
      module: null,
      'log.level': null,
      'event.code': null,
      'winlog.user.name': null,
      'host.hostname': null,
    })
  })

  it('are found by every computer that is offered, whatever its name', async () => {
    const hostnames = ['PC\t9', ' PC-1 ', 'PC:"2"&<b>%', 'x'.repeat(200), '', null]
    await tell(
      'UNICORNCLIENT',
      hostnames.map((hostname) => ({ timestamp: at, message: `by ${hostname || 'nobody'}`, hostname })),
    )
    const { body } = await service.call('listAvailableLogs', { query: { instrumentInstalledProductId: 'IP-20431187' } })
    const names = body.values.flatMap(({ logType, computerName }) =>
      logType === 'UNICORNCLIENT' ? [computerName] : [],
    )
    expect(new Set(names)).toEqual(new Set(hostnames.map((hostname) => hostname || null)))
    for (const computerName of names) {
      if (computerName === null) continue
      expect(messagesOf((await read('UNICORNCLIENT', { computerName })).hits)).toEqual([`by ${computerName}`])
    }
  })

  it.each([
    ['more than 64,000 characters', { timestamp: at, message: 'x'.repeat(64_001) }],
    ['no message', { timestamp: at }],
    ['no time stamp', { message: 'x' }],
    ['a time stamp that is none', { timestamp: 'yesterday', message: 'x' }],
    ['a time stamp without a zone', { timestamp: '2026-11-20T14:00:00', message: 'x' }],
    ['a time stamp before 1970', { timestamp: '1969-12-31T23:59:59.999Z', message: 'x' }],
    ['a field that nobody knows', { timestamp: at, message: 'x', colour: 'red' }],
  ])('with %s are parked, and those beside them with it', async (_what, line) => {
    const told = await tell('SYSTEMREPORT', [{ timestamp: at, message: 'beside' }, line])
    expect(told).toMatchObject({ accepted: 0, rejected: [{ code: 'bad-item' }] })
    expect((await read('SYSTEMREPORT')).hits).toEqual([])
  })

  it('may be 200 in one item, and more are parked', async () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ timestamp: at, message: `${index}` }))
    expect(await tell('SYSTEMREPORT', lines(201))).toMatchObject({ accepted: 0, rejected: [{ code: 'bad-item' }] })
    expect((await read('SYSTEMREPORT')).total.value).toBe(0)
    expect(await tell('SYSTEMREPORT', lines(200))).toMatchObject({ accepted: 1, rejected: [] })
    expect((await read('SYSTEMREPORT')).total.value).toBe(200)
  })

  it('are made storable if they contain a NUL or half a character', async () => {
    await tell('CONNECTIVITY', [
      { timestamp: at, message: 'half \ud83d of it' },
      { timestamp: at, message: 'a\u0000b', module: '\u0000' },
    ])
    const { hits } = await read('CONNECTIVITY')
    expect(hits.map(({ _source: { message, module } }) => [message, module])).toEqual([
      ['half \ufffd of it', null],
      ['a\ufffdb', '\ufffd'],
    ])
  })

  it('are in the order of their clock, even if it jumps back, and equal ones in order of arrival', async () => {
    const seconds = [10, 11, 12, 5, 6, 12, 12, 13]
    await tell(
      'AUDITTRAIL',
      seconds.map((second, index) => ({
        timestamp: new Date(TEST_NOW.getTime() + second * 1000).toISOString(),
        message: `${second}, told as number ${index}`,
      })),
    )
    const inOrder = ['5, told as number 3', '6, told as number 4', '10, told as number 0', '11, told as number 1']
    const rest = ['12, told as number 2', '12, told as number 5', '12, told as number 6', '13, told as number 7']
    expect(messagesOf((await read('AUDITTRAIL')).hits)).toEqual([...inOrder, ...rest])
    expect(messagesOf((await read('AUDITTRAIL', { order: 'DESC' })).hits)).toEqual([...inOrder, ...rest].toReversed())
  })

  it('of clocks that are far off are found at the time of their clock, and paged across', async () => {
    const instants = ['1970-01-01T00:00:00.000Z', at, '2099-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z']
    await tell(
      'THRESHOLD',
      instants.map((timestamp) => ({ timestamp, message: timestamp })),
    )
    const seen: string[] = []
    let cursor: object = {}
    for (let page = 0; page < instants.length; page += 1) {
      const [line] = (await read('THRESHOLD', { size: '1', ...cursor })).hits
      seen.push(line?._source['@timestamp'] ?? '')
      cursor = { openSearchTimeStamp: String(line?.sort[0]), openSearchLogId: line?.sort[1] }
    }
    expect(seen).toEqual(instants)
    expect((await read('THRESHOLD', { size: '1', ...cursor })).hits).toEqual([])
    const window = { timeGreaterThan: '2098-01-01T00:00:00Z', timeLessThan: '2100-01-01T00:00:00Z' }
    expect(messagesOf((await read('THRESHOLD', window)).hits)).toEqual([instants[2]])
  })
})

describe('a search in such lines', () => {
  it('marks them, all else of them escaped', async () => {
    await tell('EVENT', [
      { timestamp: at, message: '<script>alert("pump")</script> & \'pump\'', module: '<b>pump</b>' },
      { timestamp: at, message: `${'y'.repeat(63_990)} needle`, userName: '<i>' },
      { timestamp: at, message: 'tab\tpump\u0007' },
    ])
    const search = async (searchString: string) =>
      (await service.call('searchInstrumentLogs', query('EVENT', { searchString }))).body.body.hits.hits
    const [html, tab] = await search('pump')
    expect(html?.highlight).toEqual({
      message: ['&lt;script&gt;alert(&quot;<em>pump</em>&quot;)&lt;/script&gt; &amp; &#39;<em>pump</em>&#39;'],
      module: ['&lt;b&gt;<em>pump</em>&lt;/b&gt;'],
    })
    expect(tab?.highlight).toEqual({ message: ['tab\t<em>pump</em>\u0007'] })
    expect((await search('needle'))[0]?.highlight?.message?.[0]?.endsWith(' <em>needle</em>')).toBe(true)
    expect((await search('<i>'))[0]?.highlight).toEqual({ 'winlog.user.name': ['<em>&lt;i&gt;</em>'] })
  })
})

describe('a question that makes no sense', () => {
  it.each([
    ['a word of more than 200 characters', { searchString: 'x'.repeat(201) }],
    ['a NUL', { searchString: 'a\u0000b' }],
    ['two lines', { searchString: 'a\nb' }],
    ['an empty word', { searchString: '  ' }],
    ['half a cursor', { searchString: 'x', openSearchLogId: '1' }],
    ['the other half of one', { searchString: 'x', openSearchTimeStamp: '1' }],
    ['a cursor that is no number', { searchString: 'x', openSearchLogId: '1 OR 1=1', openSearchTimeStamp: '1' }],
    ['a cursor of no time', { searchString: 'x', openSearchLogId: '1', openSearchTimeStamp: '999999999999999' }],
    ['a negative one', { searchString: 'x', openSearchLogId: '1', openSearchTimeStamp: '-1' }],
    ['no lines', { searchString: 'x', size: '0' }],
    ['more than 100 lines', { searchString: 'x', size: '101' }],
    ['a time that is none', { searchString: 'x', timeGreaterThan: 'now' }],
    ['an order that is none', { searchString: 'x', order: 'UP' }],
    ['a log that is none', { searchString: 'x', logType: 'SECRETS' }],
    ['a parameter that nobody knows', { searchString: 'x', index: 'all' }],
    ['an instrument that is none', { searchString: 'x', instrumentInstalledProductId: "IP' --" }],
  ])('is refused: %s', async (_what, more) => {
    const { status } = await service.call('searchInstrumentLogs', query('EVENT', more))
    expect(status).toBe(400)
  })

  it('is answered with nothing where its window is empty', async () => {
    const window = { timeGreaterThan: at, timeLessThan: at }
    expect(await read('EVENT', window)).toEqual({ total: { value: 0 }, hits: [] })
  })
})
