import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { exportDetails } from '@benchwatch/contract/vocabulary'
import { to } from 'pg-copy-streams'
import { residentMb } from '../../measure/machine.ts'
import type { Fixture } from '../fixture.ts'
import { joinedSql } from '../floors.ts'
import { goals } from '../goals.ts'
import { askList, type RangeName, rangeOf } from '../searches.ts'

const LOOK_EVERY_MS = 200
const SETTLE_MS = 3000
/** The goals are stated for this many rows; of more events, the newest are exported. */
const ROWS = 1_000_000

/**
 * The number of requests before the export: the first requests of a new process take memory that is not the export's.
 */
const WARM_UP_VISITS = 60
const ranges: readonly RangeName[] = ['7 days', '1 year', 'unbounded']

/**
 * Measures the export of a million events, from the request to the last byte, with the memory that the server needs and
 * the time of a list meanwhile. The floor is COPY of the same events with the small tables, without making a file.
 */
export async function measureExports(fixture: Fixture): Promise<void> {
  for (let visit = 0; visit < WARM_UP_VISITS; visit += 1) {
    await askList(fixture.clients.all, { range: rangeOf(ranges[visit % ranges.length] ?? '7 days') })
  }
  const start = await startOfNewest(fixture)
  const floor = await copyRate(fixture, start)
  for (const details of exportDetails) await measure(fixture, { details, start, floor })
}

interface ExportInput {
  details: (typeof exportDetails)[number]
  start: string
  /** Rows per second. */
  floor: number
}

async function measure(fixture: Fixture, { details, start, floor }: ExportInput): Promise<void> {
  const { report, product, clients } = fixture
  const client = clients.all
  await pause(SETTLE_MS)
  const before = residentMb(product.pid)
  let most = before
  let slowestList = 0
  const begun = performance.now()
  const seconds = () => (performance.now() - begun) / 1000
  const { url, exportId, rows } = await client.call<{ url: string; exportId: string; rows: number }>(
    ...([
      'POST',
      `/api/export?start=${start}`,
      { ids: [], mode: 'exclude', type: 'event', details, filter: {} },
    ] as const),
  )
  const answered = seconds()
  for (let state = 'running'; state === 'running'; ) {
    await pause(LOOK_EVERY_MS)
    const asked = performance.now()
    await askList(fixture.admin, { range: rangeOf('7 days') })
    slowestList = Math.max(slowestList, performance.now() - asked)
    state = (await client.call<{ state: string }>('GET', `/api/exports/${exportId}`)).state
    most = Math.max(most, residentMb(product.pid))
    if (state === 'failed') throw new Error(`The export of ${rows} events failed: see the server's log.`)
  }
  const ready = seconds()
  const { lines, megabytes } = await download(product.baseUrl + url)
  // The texts have no line breaks, so a line is a row.
  if (lines !== rows + 1) throw new Error(`The file has ${lines} lines instead of ${rows + 1}.`)
  const group = 'exports'
  report({ group, name: `${details}, until answered`, unit: 's', value: answered })
  report({ group, name: `${details}, until the file is there`, unit: 's', value: ready, goal: goals.exportSeconds })
  report({
    ...{ group, name: `${details}, rows per second`, unit: 'rows/s', value: rows / ready, note: `${rows} rows` },
    floor: { value: floor, how: 'COPY of the joined rows, one connection' },
  })
  report({ group, name: `${details}, with its download`, unit: 's', value: seconds(), note: `${megabytes} MB` })
  report({ group, name: `${details}, memory added`, unit: 'MB', value: most - before, goal: goals.exportMemory })
  report({ group, name: `${details}, slowest list meanwhile`, unit: 'ms', value: slowestList })
}

/** Returns the time from which on there are a million events, or all. */
async function startOfNewest({ sql }: Fixture): Promise<string> {
  const { rows } = await sql.query<{ at: Date }>(
    `SELECT min(created_at) AS at FROM (SELECT created_at FROM service_event ORDER BY created_at DESC LIMIT ${ROWS}) AS e`,
  )
  return (rows[0]?.at ?? new Date(0)).toISOString()
}

async function copyRate({ sql }: Fixture, start: string): Promise<number> {
  const begun = performance.now()
  let lines = 0
  const rows = sql.query(
    to(`COPY (${joinedSql(`SELECT e.id FROM service_event e WHERE e.created_at >= '${start}'`)}) TO STDOUT`),
  )
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1
  }
  return (lines * 1000) / (performance.now() - begun)
}

async function download(address: string): Promise<{ lines: number; megabytes: number }> {
  const [answer] = (await once(get(address), 'response')) as [IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`The file was answered ${answer.statusCode}.`)
  let lines = 0
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1
  }
  return { lines, megabytes: Math.round(bytes / 1e6) }
}
