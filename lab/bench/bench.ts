import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Client } from 'pg'
import {
  type BenchArguments,
  type Engine,
  engineSuffix,
  readBenchArguments,
  sizeName,
  UsageError,
} from '../arguments.ts'
import { type BenchData, isGenerated, readBenchData } from '../generate/bench-data.ts'
import { generate } from '../generate/generate.ts'
import { describeMachine } from '../measure/machine.ts'
import { heading, line, type Measure, resultText, verdictOf } from '../measure/measure.ts'
import { buildConsole } from '../product/browser.ts'
import { type ClickhouseProcess, startClickhouseProcess } from '../product/clickhouse-process.ts'
import { stopProducts, stopProductsOnSignals } from '../product/product.ts'
import { resultsFolder } from '../repository.ts'
import { type Group, openFixture } from './fixture.ts'
import { measureCrowd } from './groups/crowd.ts'
import { measureEvents } from './groups/events.ts'
import { measureExports } from './groups/exports.ts'
import { measureIngest } from './groups/ingest.ts'
import { measureInstruments } from './groups/instruments.ts'
import { measureKeywords } from './groups/keyword.ts'
import { measureKpi } from './groups/kpi.ts'
import { measureCounts, measureLists } from './groups/lists.ts'
import { measureLive } from './groups/live.ts'
import { measureLogs } from './groups/logs.ts'
import { measureMap } from './groups/map.ts'
import { measureMemory } from './groups/memory.ts'
import { measurePages } from './groups/pages.ts'
import { measureRuns } from './groups/runs.ts'
import { measureStarts } from './groups/start.ts'
import { printPlans } from './plans.ts'
import { tidy } from './tidy.ts'

/** The groups in order: those that write come after those that read. */
const withProduct: Record<string, Group> = {
  memory: measureMemory,
  lists: measureLists,
  keyword: measureKeywords,
  instruments: measureInstruments,
  pages: measurePages,
  counts: measureCounts,
  runs: measureRuns,
  exports: measureExports,
  logs: measureLogs,
  kpi: measureKpi,
  map: measureMap,
  events: measureEvents,
  live: measureLive,
  crowd: measureCrowd,
  ingest: measureIngest,
}
const writing = new Set(['memory', 'events', 'live', 'crowd', 'ingest'])
/** These need the console, which is built if its sources have changed. */
const withConsole = new Set(['map'])
const groups = ['start', ...Object.keys(withProduct)]
/** Data older than this are reported, because the ranges of requests end today. */
const STALE_MS = 24 * 3_600_000

/** Measures the product from outside, and beside it the time that SQL by hand would take. */
export async function runBench(args: readonly string[]): Promise<void> {
  const input = readBenchArguments(args, groups)
  const { dataDir, engine, only, plans } = input
  stopProductsOnSignals()
  const data = await prepareData(dataDir, engine)
  if (plans) return printPlans(data, dataDir)
  const machine = describeMachine()
  console.log(
    `${data.events} events, searched by ${engine}, ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, commit ${machine.commit}`,
  )
  const measures: Measure[] = []
  const report = (measure: Measure) => {
    measures.push(measure)
    console.log(line(measure))
  }
  let versions: Record<string, string> = {}
  let file = ''
  const chosen = groups.filter((group) => only.length === 0 || only.includes(group))
  if (chosen.some((group) => withConsole.has(group))) buildConsole()
  const clickhouse = engine === 'clickhouse' ? await startClickhouseProcess(join(dataDir, 'clickhouse')) : null
  try {
    for (const name of chosen) {
      const begun = performance.now()
      console.log(`\n${name}\n${heading}`)
      if (name === 'start') await measureStarts({ dataDir, engine, clickhouse, data, report })
      else versions = await measureGroup(name, { data, input, clickhouse, report })
      console.log(`${((performance.now() - begun) / 1000).toFixed(0)} s`)
      // A run takes an hour, so results are kept even if it is interrupted.
      file = await write(input, data, { machine, versions, measures })
    }
  } finally {
    await stopProducts()
    await clickhouse?.stop()
  }
  const missed = measures.filter((measure) => verdictOf(measure) === 'missed').length
  const judged = measures.filter((measure) => verdictOf(measure) !== '').length
  console.log(`\n${judged - missed} of ${judged} figures met.`)
  console.log(`Written to ${file}`)
}

async function prepareData(dataDir: string, engine: Engine): Promise<BenchData> {
  if (!isGenerated(dataDir)) {
    if (existsSync(join(dataDir, 'postgres'))) {
      throw new UsageError(`${dataDir} holds data that the lab did not make: name another directory.`)
    }
    await generate({ events: 1_000_000, dataDir, seed: 'bench', say: (line) => console.log(line) })
  }
  const data = await readBenchData(dataDir)
  if (Date.now() - Date.parse(data.now) > STALE_MS) {
    console.log(
      `The data end at ${data.now}, so "7 days" finds fewer events by now. Make them again: npm run lab -- generate.`,
    )
  }
  await tidy(dataDir, data, engine)
  return data
}

/** Runs one group on a freshly started product; afterwards the data are as before. */
async function measureGroup(
  name: string,
  {
    data,
    input,
    clickhouse,
    report,
  }: { data: BenchData; input: BenchArguments; clickhouse: ClickhouseProcess | null; report(measure: Measure): void },
): Promise<Record<string, string>> {
  const { dataDir, engine, samples, seconds } = input
  const fixture = await openFixture(data, { dataDir, engine, clickhouse, sampling: { samples, seconds }, report })
  let versions: Record<string, string>
  try {
    versions = await readVersions(fixture.sql)
    await withProduct[name]?.(fixture)
  } finally {
    await fixture.close()
    if (writing.has(name)) await tidy(dataDir, data)
  }
  return versions
}

async function readVersions(sql: Client): Promise<Record<string, string>> {
  const { rows } = await sql.query<{ postgresql: string; database: string; events: string }>(`
    SELECT current_setting('server_version') AS postgresql, pg_size_pretty(pg_database_size(current_database())) AS database,
      pg_size_pretty(pg_total_relation_size('service_event')) AS events`)
  return { ...rows[0] }
}

/**
 * Writes one file for each size, engine and choice of groups, so that a partial run never overwrites a whole one. Returns its
 * path.
 */
async function write(
  { out, only, engine }: BenchArguments,
  data: BenchData,
  { machine, versions, measures }: { machine: object; versions: object; measures: readonly Measure[] },
): Promise<string> {
  const parts = only.length === 0 ? '' : `-${only.join('-')}`
  const file = out ?? join(resultsFolder, `${sizeName(data.events)}${engineSuffix(engine)}${parts}.json`)
  await mkdir(dirname(file), { recursive: true })
  const head = {
    ...{ at: new Date().toISOString(), machine, versions },
    data: { events: data.events, engine, seed: data.seed, until: data.now },
  }
  await writeFile(file, resultText(head, measures))
  return file
}
