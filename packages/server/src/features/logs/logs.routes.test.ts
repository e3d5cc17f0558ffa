import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appendSampleLines, messagesOf, type SampleLine } from '../../testing/log-lines.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'

let server: TestApp
let fleet: SampleFleet
let service: Caller
let helix: Caller

beforeAll(async () => {
  const database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database)
  const { customers } = fleet
  service = await server.as(await addSamplePerson(database, { login: 'sven@benchwatch.example' }))
  helix = await server.as(
    await addSamplePerson(database, { login: 'h@helixbio.example', role: 'customer', scope: [customers.helix] }),
  )
})
afterAll(() => server.close())

const FIRST = 'IP-20431187'

const minutes = (count: number) => new Date(TEST_NOW.getTime() + count * 60_000)

const append = (lines: (Partial<SampleLine> & { message: string })[]) =>
  appendSampleLines(
    server.database,
    lines.map((line) => ({ instrumentId: fleet.instruments.first, ...line })),
  )

describe('a page of a log', () => {
  it('has the shape of the wire, the newest line first, six of them', async () => {
    await append(
      Array.from({ length: 8 }, (_, index) => ({
        logType: 'COMM' as const,
        message: `line ${index}`,
        timestamp: minutes(index),
        module: 'P9-B',
        level: 'INFO',
        eventCode: '17',
        userName: 'ada',
        hostname: 'PC-012',
      })),
    )
    const { status, body } = await helix.call('listInstrumentLogs', {
      query: { logType: 'COMM', instrumentInstalledProductId: FIRST },
    })
    expect(status).toBe(200)
    const { total, hits } = body.body.hits
    expect(total).toEqual({ value: 8 })
    expect(messagesOf(hits)).toEqual(['line 7', 'line 6', 'line 5', 'line 4', 'line 3', 'line 2'])
    const at = minutes(7)
    expect(hits[0]).toEqual({
      _index: 'log-comm',
      _id: hits[0]?._id,
      sort: [at.getTime(), hits[0]?._id],
      _source: {
        '@timestamp': at.toISOString(),
        message: 'line 7',
        module: 'P9-B',
        'log.level': 'INFO',
        'event.code': '17',
        'winlog.user.name': 'ada',
        'host.hostname': 'PC-012',
      },
      highlight: null,
    })
  })

  it('goes on after the last line in either direction, within a half-open window', async () => {
    const query = { logType: 'COMM', instrumentInstalledProductId: FIRST } as const
    const first = await helix.call('listInstrumentLogs', { query: { ...query, size: '3' } })
    const [openSearchTimeStamp, openSearchLogId] = first.body.body.hits.hits.at(-1)?.sort ?? []
    const cursor = { openSearchTimeStamp: String(openSearchTimeStamp), openSearchLogId: String(openSearchLogId) }
    const older = await helix.call('listInstrumentLogs', { query: { ...query, ...cursor, size: '5' } })
    expect(messagesOf(older.body.body.hits.hits)).toEqual(['line 4', 'line 3', 'line 2', 'line 1', 'line 0'])
    const newer = await helix.call('listInstrumentLogs', { query: { ...query, ...cursor, order: 'asc' } })
    expect(messagesOf(newer.body.body.hits.hits)).toEqual(['line 6', 'line 7'])
    const window = { timeGreaterThan: minutes(2).toISOString(), timeLessThan: minutes(4).toISOString() }
    const within = await helix.call('listInstrumentLogs', { query: { ...query, ...window } })
    expect(messagesOf(within.body.body.hits.hits)).toEqual(['line 3', 'line 2'])
    expect(within.body.body.hits.total.value).toBe(2)
  })

  it.each(['DESC', 'ASC'] as const)('shows each of 5,000 lines of one instant exactly once: %s', async (order) => {
    const logType = order === 'ASC' ? ('THRESHOLD' as const) : ('SYSTEMREPORT' as const)
    const all = Array.from({ length: 5000 }, (_, index) => String(index))
    for (let done = 0; done < all.length; done += 1000) {
      await append(all.slice(done, done + 1000).map((message) => ({ logType, message, timestamp: minutes(30) })))
    }
    const query = { logType, instrumentInstalledProductId: FIRST, size: '100', order } as const
    const seen: string[] = []
    let cursor = {}
    for (;;) {
      const { hits } = (await service.call('listInstrumentLogs', { query: { ...query, ...cursor } })).body.body.hits
      if (hits.length === 0) break
      seen.push(...messagesOf(hits))
      const [timestamp, id] = hits.at(-1)?.sort ?? []
      cursor = { openSearchTimeStamp: String(timestamp), openSearchLogId: String(id) }
    }
    expect(seen).toEqual(order === 'ASC' ? all : all.toReversed())
  })

  it('is empty where there is no such log', async () => {
    const { body } = await service.call('listInstrumentLogs', {
      query: { logType: 'WINDOWSSYSTEMEVENT', instrumentInstalledProductId: FIRST },
    })
    expect(body.body.hits).toEqual({ total: { value: 0 }, hits: [] })
  })
})

describe('a search in a log', () => {
  it('finds the lines that hold every word in any field and any case, and marks them', async () => {
    await append([
      { logType: 'EVENT', message: 'Pump B <started>', module: 'P9-B' },
      { logType: 'EVENT', message: 'Pump B stopped', module: 'P9-A' },
      { logType: 'EVENT', message: 'ÄKTA ready 100%', module: 'P9-B' },
    ])
    const query = { logType: 'EVENT', instrumentInstalledProductId: FIRST } as const
    const found = await helix.call('searchInstrumentLogs', { query: { ...query, searchString: 'PUMP p9-b' } })
    expect(found.body.body.hits.total.value).toBe(1)
    expect(found.body.body.hits.hits[0]?.highlight).toEqual({
      message: ['<em>Pump</em> B &lt;started&gt;'],
      module: ['<em>P9-B</em>'],
    })
  })

  const find = async (searchString: string, more = {}) => {
    const query = { logType: 'EVENT', instrumentInstalledProductId: FIRST, searchString, ...more } as const
    return (await helix.call('searchInstrumentLogs', { query })).body.body.hits
  }

  it('finds letters with their marks or without them', async () => {
    await append([
      { logType: 'EVENT', message: 'ÄKTA avant: Åke läste 100% på “Pump”' },
      { logType: 'EVENT', message: 'A\u0308KTA pure: decomposed, Straße, Łódź, Ærø' },
      { logType: 'EVENT', message: 'מערכת מוכנה' },
    ])
    for (const words of ['äkta ake', 'AKTA Åke', 'LÄSTE “pump”', 'ake akta avant']) {
      expect(messagesOf((await find(words)).hits), words).toEqual(['ÄKTA avant: Åke läste 100% på “Pump”'])
    }
    for (const words of ['äkta pure', 'STRASSE', 'straße lodz', 'aero', 'ÆRØ']) {
      const { hits } = await find(words)
      expect(messagesOf(hits), words).toEqual(['A\u0308KTA pure: decomposed, Straße, Łódź, Ærø'])
      expect(hits[0]?.highlight, words).not.toBeNull()
    }
    expect((await find('akta pure')).hits).toHaveLength(1)
    expect((await find('ÄKTA')).total.value).toBe((await find('akta')).total.value)
    expect((await find('מערכת')).hits).toHaveLength(1)
  })

  it('finds signs that hold a capital, and what they stand for, in any case', async () => {
    await append([{ logType: 'EVENT', message: 'Column № 7 at 25℃' }])
    for (const words of ['25°c', '25°C', '25℃', 'NO 7', '№']) expect((await find(words)).hits, words).toHaveLength(1)
  })

  it.each(['P_mp', 'P%p', '.*', '[a-z]+', '(', '\\d', "' OR 1=1 --", '"Pump"', 'x'.repeat(200)])(
    'takes %s literally, and finds nothing',
    async (searchString) => {
      expect(await find(searchString)).toEqual({ total: { value: 0 }, hits: [] })
    },
  )

  it.each(['100%', 'a_b', 'x.*y', "it's", '"quoted"', '\\share\\log', '[ok]', '$1'])(
    'finds %s literally',
    async (words) => {
      await append([{ logType: 'EVENT', message: `before ${words} after` }])
      expect(messagesOf((await find(words)).hits)[0]).toBe(`before ${words} after`)
    },
  )

  it('finds no word across the end of a field', async () => {
    await append([{ logType: 'EVENT', message: 'valve', module: 'V9-Os', level: 'INFO' }])
    expect((await find('valvev9-os')).hits).toEqual([])
    expect((await find('valve os inf')).hits).toHaveLength(1)
  })

  it('counts everything and continues after a line, in either direction', async () => {
    await append(
      Array.from({ length: 9 }, (_, index) => ({
        logType: 'EVENT' as const,
        message: `${index % 3 === 0 ? 'odd' : 'usual'} ${index}`,
        timestamp: minutes(100 + index),
      })),
    )
    const first = await find('usual', { size: '2' })
    expect([first.total.value, messagesOf(first.hits)]).toEqual([6, ['usual 8', 'usual 7']])
    const [timestamp, id] = first.hits[1]?.sort ?? []
    const cursor = { openSearchTimeStamp: String(timestamp), openSearchLogId: String(id) }
    const older = await find('usual', { size: '3', ...cursor })
    expect([older.total.value, messagesOf(older.hits)]).toEqual([6, ['usual 5', 'usual 4', 'usual 2']])
    const newer = await find('usual', { ...cursor, order: 'ASC' })
    expect([newer.total.value, messagesOf(newer.hits)]).toEqual([6, ['usual 8']])
    const last = await find('usual', { openSearchTimeStamp: String(minutes(101).getTime()), openSearchLogId: '0' })
    expect([last.total.value, last.hits]).toEqual([6, []])
    const window = { timeGreaterThan: minutes(102).toISOString(), timeLessThan: minutes(105).toISOString() }
    const within = await find('usual', window)
    expect([within.total.value, messagesOf(within.hits)]).toEqual([2, ['usual 4', 'usual 2']])
  })

  it('continues behind the 10,000 lines that are counted', async () => {
    const instrumentId = fleet.instruments.second
    for (let done = 0; done < 10_500; done += 1500) {
      await append(
        Array.from({ length: 1500 }, (_, index) => ({
          instrumentId,
          logType: 'EVENT' as const,
          message: `again ${done + index}`,
          timestamp: new Date(TEST_NOW.getTime() + done + index),
        })),
      )
    }
    const query = { logType: 'EVENT', instrumentInstalledProductId: 'IP-20431188', searchString: 'again' } as const
    const cursor = { openSearchTimeStamp: String(TEST_NOW.getTime() + 100), openSearchLogId: '0', size: '2' }
    const { total, hits } = (await helix.call('searchInstrumentLogs', { query: { ...query, ...cursor } })).body.body
      .hits
    expect([total.value, messagesOf(hits)]).toEqual([10_000, ['again 99', 'again 98']])
  })

  it('is refused without a word', async () => {
    const query = { logType: 'EVENT', instrumentInstalledProductId: FIRST, searchString: ' ' } as const
    expect((await helix.call('searchInstrumentLogs', { query })).status).toBe(400)
  })
})

describe('the lines over time', () => {
  const count = async (more = {}) => {
    const window = { timeGreaterThan: minutes(200).toISOString(), timeLessThan: minutes(260).toISOString() }
    const query = {
      logType: 'AUDITTRAIL',
      instrumentInstalledProductId: FIRST,
      parts: '4',
      ...window,
      ...more,
    } as const
    return helix.call('countLogLines', { query })
  }

  it('are counted in equal parts of a half-open span, errors and warnings by the words of the machine', async () => {
    await append(
      [
        [199.9, 'INFO'],
        [200, 'Error'],
        [214.9, 'WARNING'],
        [214.95, null],
        [230, 'CRITICAL'],
        [259.99, 'information'],
        [260, 'fatal'],
      ].map(([at, level]) => ({
        logType: 'AUDITTRAIL' as const,
        message: `valve ${at}`,
        timestamp: minutes(Number(at)),
        level: level as string | null,
      })),
    )
    const none = { lines: 0, errors: 0, warnings: 0 }
    expect((await count()).body).toEqual({
      counts: [
        { lines: 3, errors: 1, warnings: 1 },
        none,
        { lines: 1, errors: 1, warnings: 0 },
        { lines: 1, errors: 0, warnings: 0 },
      ],
      countedFrom: null,
    })
    const found = (await count({ searchString: 'VALVE 214' })).body.counts
    expect(found.map(({ lines }) => lines)).toEqual([2, 0, 0, 0])
  })

  it('need a span that ends after its start', async () => {
    const { status, body } = await count({ timeLessThan: minutes(200).toISOString() })
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('must be later than timeGreaterThan')])
  })

  it('are the newest 100,000 of more, and the answer says where they begin', async () => {
    const { second } = fleet.instruments
    // In statements that end within their time limit.
    for (let done = 0; done < 100_010; done += 10_001) {
      await sql`INSERT INTO log_entry (instrument_id, log_type, ts, received_at, message)
        SELECT ${second}, 'WINDOWSSYSTEMEVENT', ${TEST_NOW}::timestamptz + n * interval '1 ms', now(), 'line'
        FROM generate_series(${done}::int4 + 1, ${done}::int4 + 10001) n`.execute(server.database.db)
    }
    const query = { logType: 'WINDOWSSYSTEMEVENT', instrumentInstalledProductId: 'IP-20431188', parts: '10' } as const
    const window = { timeGreaterThan: TEST_NOW.toISOString(), timeLessThan: minutes(10).toISOString() }
    const { body } = await service.call('countLogLines', { query: { ...query, ...window } })
    expect(body.countedFrom).toBe(new Date(TEST_NOW.getTime() + 10).toISOString())
    expect(body.counts.map(({ lines }) => lines)[0]).toBe(59_990)
  })
})
