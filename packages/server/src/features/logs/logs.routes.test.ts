import type { LogHit } from '@benchwatch/contract/logs'
import { anInstrument, aSite } from '@benchwatch/samples/registry-objects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { appendLogLines, type NewLogLine } from '../ingest/log-lines.store.ts'
import { upsertInstruments } from '../registry/instruments.store.ts'
import { upsertSites } from '../registry/sites.store.ts'
import { logTasks } from './logs.jobs.ts'

let server: TestApp
let fleet: SampleFleet
let service: Caller
let helix: Caller
let nordic: Caller

beforeAll(async () => {
  const database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
  server = await testApp(database)
  const { customers } = fleet
  service = await server.as(await addSamplePerson(database, { login: 'sven@benchwatch.example' }))
  helix = await server.as(
    await addSamplePerson(database, { login: 'h@helixbio.example', role: 'customer', scope: [customers.helix] }),
  )
  nordic = await server.as(
    await addSamplePerson(database, { login: 'n@nordic.example', role: 'customer', scope: [customers.nordic] }),
  )
})
afterAll(() => server.close())

const FIRST = 'IP-20431187'

const minutes = (count: number) => new Date(TEST_NOW.getTime() + count * 60_000)

async function append(lines: (Partial<NewLogLine> & { message: string })[], now = TEST_NOW): Promise<void> {
  const { db } = server.database
  await inTransaction(db, (trx) =>
    appendLogLines(trx, {
      now,
      lines: lines.map((line) => ({
        instrumentId: fleet.instruments.first,
        logType: 'VID' as const,
        timestamp: TEST_NOW,
        ...line,
      })),
    }),
  )
}

const messages = (hits: readonly LogHit[]) => hits.map(({ _source }) => _source.message)

describe('a page of a log', () => {
  it('has the shape of the wire, the newest line first, six of them', async () => {
    await append(
      Array.from({ length: 8 }, (_, index) => ({
        ...{ logType: 'COMM' as const, message: `line ${index}`, timestamp: minutes(index), module: 'P9-B' },
        ...{ level: 'INFO', eventCode: '17', userName: 'ada', hostname: 'PC-012' },
      })),
    )
    const { status, body } = await helix.call('listInstrumentLogs', {
      query: { logType: 'COMM', instrumentInstalledProductId: FIRST },
    })
    expect(status).toBe(200)
    const { total, hits } = body.body.hits
    expect(total).toEqual({ value: 8 })
    expect(messages(hits)).toEqual(['line 7', 'line 6', 'line 5', 'line 4', 'line 3', 'line 2'])
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
    expect(messages(older.body.body.hits.hits)).toEqual(['line 4', 'line 3', 'line 2', 'line 1', 'line 0'])
    const newer = await helix.call('listInstrumentLogs', { query: { ...query, ...cursor, order: 'asc' } })
    expect(messages(newer.body.body.hits.hits)).toEqual(['line 6', 'line 7'])
    const window = { timeGreaterThan: minutes(2).toISOString(), timeLessThan: minutes(4).toISOString() }
    const within = await helix.call('listInstrumentLogs', { query: { ...query, ...window } })
    expect(messages(within.body.body.hits.hits)).toEqual(['line 3', 'line 2'])
    expect(within.body.body.hits.total.value).toBe(2)
  })

  it('shows each of 5,000 lines of one instant exactly once', async () => {
    for (let done = 0; done < 5000; done += 1000) {
      await append(
        Array.from({ length: 1000 }, (_, index) => ({
          ...{ logType: 'THRESHOLD' as const, message: String(done + index), timestamp: minutes(30) },
        })),
      )
    }
    const query = { logType: 'THRESHOLD', instrumentInstalledProductId: FIRST, size: '100' } as const
    const seen: string[] = []
    let cursor = {}
    for (;;) {
      const { hits } = (await service.call('listInstrumentLogs', { query: { ...query, ...cursor } })).body.body.hits
      if (hits.length === 0) break
      seen.push(...messages(hits))
      const [timestamp, id] = hits.at(-1)?.sort ?? []
      cursor = { openSearchTimeStamp: String(timestamp), openSearchLogId: String(id) }
    }
    expect(seen).toEqual(Array.from({ length: 5000 }, (_, index) => String(4999 - index)))
  })

  it('takes what machines write as it is: long lines, control characters, HTML, a clock that stands in 1970', async () => {
    const strange = ['x'.repeat(64_000), 'bell \u0007 and \u001b[31m', '<script>alert(1)</script>', 'מערכת 警告']
    await append(
      strange.map((message, index) => ({ logType: 'AUDITTRAIL' as const, message, timestamp: new Date(index) })),
    )
    const { body } = await service.call('listInstrumentLogs', {
      query: { logType: 'AUDITTRAIL', instrumentInstalledProductId: FIRST, order: 'ASC' },
    })
    expect(messages(body.body.hits.hits)).toEqual(strange)
  })

  it('is empty where there is no such log', async () => {
    const { body } = await service.call('listInstrumentLogs', {
      query: { logType: 'SYSTEMREPORT', instrumentInstalledProductId: FIRST },
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
    const umlaut = await helix.call('searchInstrumentLogs', { query: { ...query, searchString: 'äkta 100%' } })
    expect(messages(umlaut.body.body.hits.hits)).toEqual(['ÄKTA ready 100%'])
    const wild = await helix.call('searchInstrumentLogs', { query: { ...query, searchString: 'P_mp' } })
    expect(wild.body.body.hits.hits).toEqual([])
  })

  it('is refused without a word', async () => {
    const query = { logType: 'EVENT', instrumentInstalledProductId: FIRST, searchString: ' ' } as const
    expect((await helix.call('searchInstrumentLogs', { query })).status).toBe(400)
  })
})

describe('logs of computers', () => {
  beforeAll(() =>
    append([
      { logType: 'UNICORNCLIENT', message: 'of helix', hostname: 'PC-012' },
      {
        logType: 'UNICORNCLIENT',
        message: 'of the second',
        hostname: 'PC-012',
        instrumentId: fleet.instruments.second,
      },
      { logType: 'UNICORNCLIENT', message: 'of nordic', hostname: 'PC-012', instrumentId: fleet.instruments.nordic },
      { logType: 'UNICORNCLIENT', message: 'of another computer', hostname: 'PC-013' },
    ]),
  )

  it('are read by the name of the computer, of one customer where several have one of that name', async () => {
    const query = { logType: 'UNICORNCLIENT', computerName: 'PC-012', order: 'ASC' } as const
    const all = await service.call('listInstrumentLogs', { query })
    expect(messages(all.body.body.hits.hits)).toEqual(['of helix', 'of the second', 'of nordic'])
    const one = await service.call('listInstrumentLogs', { query: { ...query, enterprise: 'Nordic Pharma' } })
    expect(messages(one.body.body.hits.hits)).toEqual(['of nordic'])
    const own = await helix.call('listInstrumentLogs', { query })
    expect(messages(own.body.body.hits.hits)).toEqual(['of helix', 'of the second'])
    const both = await service.call('listInstrumentLogs', { query: { ...query, instrumentInstalledProductId: FIRST } })
    expect(messages(both.body.body.hits.hits)).toEqual(['of helix'])
  })

  it('are listed beside the other logs of an instrument', async () => {
    const { body } = await helix.call('listAvailableLogs', { query: { instrumentInstalledProductId: FIRST } })
    expect(body.values.map(({ logType, computerName }) => [logType, computerName])).toEqual([
      ['COMM', null],
      ['AUDITTRAIL', null],
      ['UNICORNCLIENT', 'PC-012'],
      ['UNICORNCLIENT', 'PC-013'],
      ['THRESHOLD', null],
      ['EVENT', null],
    ])
  })
})

describe('who may read', () => {
  it('needs an instrument or a computer', async () => {
    const { status, problem } = await service.call('listInstrumentLogs', { query: { logType: 'VID' } })
    expect([status, problem.ErrorBody]).toEqual([400, 'Missing VID search index/id'])
  })

  it.each(['listInstrumentLogs', 'searchInstrumentLogs'] as const)(
    'finds no instrument of others: %s',
    async (name) => {
      const query = { logType: 'COMM', instrumentInstalledProductId: FIRST, searchString: 'line' } as const
      const { searchString: _unused, ...plain } = query
      const asked = { query: (name === 'listInstrumentLogs' ? plain : query) as never }
      expect((await nordic.call(name, asked)).status).toBe(404)
      expect((await helix.call(name, asked)).status).toBe(200)
    },
  )

  it('shows a new customer nothing of what an instrument told before it came to them', async () => {
    const writing = { actor: { type: 'command', name: 'test' } as const, at: minutes(60) }
    await append([{ logType: 'CONNECTIVITY', message: 'before', timestamp: minutes(49) }], minutes(50))
    await inTransaction(server.database.db, async (trx) => {
      await upsertSites(trx, writing, [aSite({ key: 'nordic-pharma-oslo', customer: 'nordic-pharma' })])
      await upsertInstruments(trx, writing, [
        anInstrument({ site: 'nordic-pharma-oslo', gateway: null, contract: null, contact: null }),
      ])
    })
    await append(
      [
        { logType: 'CONNECTIVITY', message: 'after', timestamp: minutes(69) },
        { logType: 'CONNECTIVITY', message: 'before, delivered late', timestamp: minutes(55) },
      ],
      minutes(70),
    )
    const query = { logType: 'CONNECTIVITY', instrumentInstalledProductId: FIRST } as const
    const seenBy = async (caller: Caller) =>
      messages((await caller.call('listInstrumentLogs', { query })).body.body.hits.hits)
    expect(await seenBy(nordic)).toEqual(['after'])
    expect(await seenBy(service)).toEqual(['after', 'before, delivered late', 'before'])
    expect((await helix.call('listInstrumentLogs', { query })).status).toBe(404)
  })
})

describe('old lines', () => {
  it('are forgotten by the time they came in, whatever their own clock says', async () => {
    const { database, config, clock, app } = server
    await append([{ logType: 'SYSTEMREPORT', message: 'old' }], new Date(TEST_NOW.getTime() - 401 * 86_400_000))
    await append([{ logType: 'SYSTEMREPORT', message: 'young', timestamp: new Date(0) }])
    const [task] = logTasks({ db: database.db, clock, config, log: app.http.log as never })
    await task?.run()
    const { body } = await service.call('listInstrumentLogs', {
      query: { logType: 'SYSTEMREPORT', instrumentInstalledProductId: FIRST },
    })
    expect(messages(body.body.hits.hits)).toEqual(['young'])
  })
})
