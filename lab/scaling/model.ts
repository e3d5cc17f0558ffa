import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resultsFolder } from '../repository.ts'

/** A figure with the place that it comes from. */
interface Sourced {
  value: number
  source: string
}

/** Figures that this repository measured. Sizes are bytes, times are milliseconds of processor time. */
export const measured = {
  singleItems: result('1M', 'ingest, single, 16 connections'),
  indexBytesPerEvent: {
    value:
      ((result('10M', 'server memory (RSS) after the start').value -
        result('1M', 'server memory (RSS) after the start').value) *
        1e6) /
      9_000_000,
    source: 'lab/results: memory at 10M less memory at 1M; measured with the columns that the index replaced',
  },
  coresOfThatMachine: { value: 2, source: 'lab/results/1M.json; sender, server and database share them' },
  bytesPerEvent: { value: 1.02e9 / 1e6, source: 'lab/results/1M.json: 1,022 MB with 17 indexes' },
  bytesAroundEvent: { value: 1900, source: 'demo data of 90 days: the audit log, for each event' },
  bytesPerLine: { value: 300, source: 'demo data: log_entry with its indexes' },
  bytesPerInstrumentDay: { value: 1800, source: 'demo data: statuses and usage, with their indexes' },
  clickhouseBytesPerEvent: { value: 36, source: 'docs/clickhouse.md: 362 MB for 10 million events' },
  clickhouseBytesPerLine: { value: 39, source: 'docs/clickhouse.md: 3.9 GB for 100 million lines' },
  serverBytes: { value: 210e6, source: 'docs/scaling.md: lab consoles, 220 MB with 500 consoles' },
  bytesPerConsole: { value: 32_000, source: 'docs/scaling.md: lab consoles, 60 MB more for 2,000 more consoles' },
  msPerRequest: { value: 5.1, source: 'docs/performance.md: a list of 12 events at 16 connections' },
  msPerMessage: { value: 15.8, source: 'docs/scaling.md: lab consoles, four servers and PostgreSQL, 20 consoles' },
} satisfies Record<string, Sourced>

/** Figures that nobody measured. Change them to those of your site. */
export const assumed = {
  eventsPerInstrumentYear: {
    value: 67,
    source: 'lab/generate: a million events of 5,000 instruments in three years; the demo has four times as many',
  },
  linesPerInstrumentDay: { value: 500, source: 'assumption; the simulator writes 220, and sites differ a hundredfold' },
  itemsPerInstrumentDay: { value: 250, source: 'simulator: changes of status, and packets of log lines' },
  instrumentsPerGateway: { value: 6, source: 'demo data: 67 gateways for 400 instruments' },
  secondsBetweenHeartbeats: { value: 30, source: 'packages/gateway' },
  consolesPerInstrument: { value: 1 / 20, source: 'assumption: open at the same time' },
  requestsPerConsoleMinute: { value: 6, source: 'assumption: lists, details and statuses' },
  messagesPerEvent: { value: 4, source: 'assumption: created, cleared, claimed and closed' },
  peak: { value: 4, source: 'assumption: the busiest hour against the average one' },
  databaseShare: { value: 0.5, source: 'assumption: the rest of the processor time is that of the servers' },
  msPerLine: { value: 0.05, source: 'assumption: storing a log line in a batch' },
  busy: { value: 0.5, source: 'assumption: the share of its cores that a machine uses at the peak' },
  coresPerServer: { value: 2, source: 'a server uses one core for requests and one for searches' },
  years: { value: 3, source: 'assumption: how long events are kept' },
  retentionDays: { value: 400, source: 'LOG_RETENTION_DAYS' },
} satisfies Record<string, Sourced>

/** Limits of a part, each with what takes over there. */
const limits = {
  indexedEvents: { most: 20e6, name: 'events in the memory of each server', takesOver: 'ClickHouse' },
  lines: { most: 1e9, name: 'log lines in PostgreSQL', takesOver: 'ClickHouse' },
  servers: { most: 10, name: 'servers that each read every live message', takesOver: 'NATS' },
  items: { most: 10_000, name: 'items a second', takesOver: 'a broker (not built)' },
  events: { most: 50e6, name: 'events in one table', takesOver: 'partitions of closed events (not built)' },
  databaseCores: { most: 64, name: 'cores of one PostgreSQL', takesOver: 'a broker (not built)' },
} as const

/** Log lines move to ClickHouse after this time. */
const DAYS_BEFORE_CLICKHOUSE = 2

/** The parts for a number of instruments. Memory and storage are bytes. */
export interface Plan {
  instruments: number
  gateways: number
  consoles: number
  /** At the peak. */
  itemsPerSecond: number
  eventsPerYear: number
  servers: number
  serverMemory: number
  databaseCores: number
  databaseMemory: number
  /** Storage for a year. */
  databasePerYear: number
  /** Zero without ClickHouse. */
  clickhousePerYear: number
  hasNats: boolean
  /**
   * The limits that are passed or, without one, that which is nearest, with how much of it is used. Limits whose
   * successor is part of the plan do not count.
   */
  bottlenecks: { name: string; takesOver: string; used: number }[]
}

/** Computes the parts from the figures above. */
export function plan(instruments: number): Plan {
  const m = valuesOf(measured)
  const a = valuesOf(assumed)
  const gateways = Math.ceil(instruments / a.instrumentsPerGateway)
  const consoles = Math.ceil(instruments * a.consolesPerInstrument)
  const eventsPerYear = instruments * a.eventsPerInstrumentYear
  const events = eventsPerYear * a.years
  const linesOfDay = instruments * a.linesPerInstrumentDay
  const lines = linesOfDay * a.retentionDays
  const hasClickhouse = events > limits.indexedEvents.most || lines > limits.lines.most

  // Heartbeats come evenly; each item of the others is a batch of its own, as gateways send at once.
  const reports = (eventsPerYear / 365 + instruments * a.itemsPerInstrumentDay) / 86_400
  const itemsPerSecond = gateways / a.secondsBetweenHeartbeats + reports * a.peak
  const messages = ((eventsPerYear * a.messagesPerEvent) / 365 / 86_400) * a.peak
  const linesPerSecond = linesOfDay / 86_400
  const cores =
    (itemsPerSecond * m.coresOfThatMachine) / m.singleItems +
    (linesPerSecond * a.msPerLine * a.peak) / 1000 +
    (consoles * a.requestsPerConsoleMinute * m.msPerRequest) / 60_000 +
    (messages * m.msPerMessage) / 1000
  const databaseCores = machineOf((cores * a.databaseShare) / a.busy)
  const working = Math.ceil((cores * (1 - a.databaseShare)) / a.busy / a.coresPerServer)
  // One more than needed, so that one may be restarted or die.
  const servers = instruments <= 400 ? 1 : working + 1
  const used = {
    indexedEvents: hasClickhouse ? 0 : events / limits.indexedEvents.most,
    lines: hasClickhouse ? 0 : lines / limits.lines.most,
    servers: servers > limits.servers.most ? 0 : (servers - 1) / limits.servers.most,
    items: itemsPerSecond / limits.items.most,
    events: events / limits.events.most,
    databaseCores: (cores * a.databaseShare) / a.busy / limits.databaseCores.most,
  }
  const nearest = (Object.keys(used) as (keyof typeof used)[]).toSorted((x, y) => used[y] - used[x])
  const passed = nearest.filter((limit) => used[limit] > 1)
  const shown = passed.length > 0 ? passed : nearest.slice(0, 1)
  return {
    ...{ instruments, gateways, consoles, itemsPerSecond, eventsPerYear, servers, databaseCores },
    serverMemory:
      m.serverBytes +
      (consoles / Math.max(1, servers - 1)) * m.bytesPerConsole +
      (hasClickhouse ? 0 : events * m.indexBytesPerEvent),
    // The events of a year with their indexes, and the log lines of a day, stay in memory.
    databaseMemory: 2e9 + eventsPerYear * m.bytesPerEvent + linesOfDay * m.bytesPerLine,
    databasePerYear:
      eventsPerYear * (m.bytesPerEvent + m.bytesAroundEvent) +
      instruments * m.bytesPerInstrumentDay * 365 +
      linesOfDay * (hasClickhouse ? DAYS_BEFORE_CLICKHOUSE : 365) * m.bytesPerLine,
    clickhousePerYear: hasClickhouse
      ? eventsPerYear * m.clickhouseBytesPerEvent + linesOfDay * 365 * m.clickhouseBytesPerLine
      : 0,
    hasNats: servers > limits.servers.most,
    bottlenecks: shown.map((limit) => ({
      name: limits[limit].name,
      takesOver: limits[limit].takesOver,
      used: used[limit],
    })),
  }
}

const sizes = [400, 5000, 50_000, 1_000_000]

/** Returns the table of docs/scaling.md. */
export function scalingTable(): string {
  const plans = sizes.map(plan)
  const row = (name: string, cell: (plan: Plan) => string) => `| ${[name, ...plans.map(cell)].join(' | ')} |`
  return [
    row('instruments', ({ instruments }) => number(instruments)),
    `| ${['---', ...plans.map(() => '---')].join(' | ')} |`,
    row('gateways, open consoles', ({ gateways, consoles }) => `${number(gateways)}, ${number(consoles)}`),
    row('items a second, peak', ({ itemsPerSecond }) => number(itemsPerSecond)),
    row('events a year', ({ eventsPerYear }) => number(eventsPerYear)),
    row(
      'servers',
      ({ servers, serverMemory }) => `${servers} × ${assumed.coresPerServer.value} cores, ${size(serverMemory)}`,
    ),
    row('PostgreSQL', ({ databaseCores, databaseMemory }) => `${databaseCores} cores, ${size(databaseMemory)}`),
    row('storage a year', ({ databasePerYear }) => size(databasePerYear)),
    row('ClickHouse, storage a year', ({ clickhousePerYear }) =>
      clickhousePerYear > 0 ? size(clickhousePerYear) : '–',
    ),
    row('HAProxy', ({ servers }) => (servers > 1 ? 'yes' : '–')),
    row('NATS', ({ hasNats }) => (hasNats ? 'yes' : '–')),
    row('first bottleneck, used', ({ bottlenecks }) =>
      bottlenecks.map(({ name, used }) => `${name}: ${number(used * 100)} %`).join('; '),
    ),
    row('takes over', ({ bottlenecks }) => [...new Set(bottlenecks.map(({ takesOver }) => takesOver))].join('; ')),
  ].join('\n')
}

/** Reads a measure of the last bench. */
function result(run: string, name: string): Sourced {
  const file = join(resultsFolder, `${run}.json`)
  const { measures } = JSON.parse(readFileSync(file, 'utf8')) as { measures: { name: string; value: number }[] }
  const found = measures.find((measure) => measure.name === name)
  if (!found) throw new Error(`lab/results/${run}.json has no measure "${name}".`)
  return { value: found.value, source: `lab/results/${run}.json: ${name}` }
}

function valuesOf<K extends string>(figures: Record<K, Sourced>): Record<K, number> {
  return Object.fromEntries(Object.entries<Sourced>(figures).map(([name, { value }]) => [name, value])) as Record<
    K,
    number
  >
}

/** Returns the next power of two, from two on, as machines have their cores. */
function machineOf(cores: number): number {
  return 2 ** Math.max(1, Math.ceil(Math.log2(cores)))
}

/** Formats a number with two significant digits. */
function number(value: number): string {
  const digits = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1)
  return (Math.round(value / digits) * digits).toLocaleString('en-US')
}

function size(bytes: number): string {
  const [unit, name] = bytes >= 1e12 ? [1e12, 'TB'] : bytes >= 1e9 ? [1e9, 'GB'] : [1e6, 'MB']
  return `${Number((bytes / unit).toPrecision(2)).toLocaleString('en-US')} ${name}`
}
