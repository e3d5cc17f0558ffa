import { resolve } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'

/** Wrong arguments; the message is a sentence for the user. */
export class UsageError extends Error {}

export interface GenerateArguments {
  events: number
  instruments: number
  dataDir: string
  seed: string
  /** Number of places of the map that the events are spread over; those of the fleet by default. */
  positions?: number | undefined
  /** Number of instruments that were running for the past year, each run for 8 h. */
  running: number
}

const GENERATE_USAGE = `Usage: npm run lab -- generate [--events 1000000] [--instruments 5000] [--data lab/data/1M] [--seed bench] [--positions 100000] [--running 1000]
Makes a data directory of the product with that many service events and instruments.
--positions  spreads the events over so many places, for the group map
--running    lets so many instruments run for a year, each run for 8 h, for the group runs`

/** Throws UsageError. */
export function readGenerateArguments(args: readonly string[]): GenerateArguments {
  const { values } = parse(GENERATE_USAGE, {
    args: [...args],
    options: {
      events: { type: 'string', default: '1000000' },
      instruments: { type: 'string', default: '5000' },
      data: { type: 'string' },
      seed: { type: 'string', default: 'bench' },
      positions: { type: 'string' },
      running: { type: 'string', default: '0' },
    },
  })
  const { data, seed, positions } = values
  const instruments = wholeNumber('--instruments', values.instruments, { from: 1000, to: 1_000_000 })
  const events = wholeNumber('--events', values.events, { from: 1000, to: 100_000_000 })
  return {
    events,
    instruments,
    dataDir: resolve(data ?? defaultDataDir(events)),
    seed,
    positions: positions === undefined ? undefined : wholeNumber('--positions', positions, { from: 1, to: events }),
    running: wholeNumber('--running', values.running, { from: 0, to: instruments }),
  }
}

/** The part of the product that answers searches for events. */
export const engines = ['index', 'postgres', 'clickhouse'] as const
export type Engine = (typeof engines)[number]

export interface BenchArguments {
  dataDir: string
  engine: Engine
  /** Names of groups; empty for all. */
  only: string[]
  samples: number
  /** A measure takes no more samples after this many seconds. */
  seconds: number
  plans: boolean
  /** The file of the results; null for the default one. */
  out: string | null
}

const BENCH_USAGE = `Usage: npm run lab -- bench [group …] [--engine index] [--data <directory>] [--samples 200] [--seconds 20] [--out <file>] [--plans]
Measures the product on a data directory of \`generate\` (lab/data/1M, which is made if it is missing).
--engine   answers searches: ${engines.join(', ')} (see lab/clickhouse)
--seconds  longest time for one measure: a slow one gets fewer samples than --samples, and says how many
--plans    prints the plans of the hottest queries instead`

/** Throws UsageError. */
export function readBenchArguments(args: readonly string[], groups: readonly string[]): BenchArguments {
  const { values, positionals: only } = parse(`${BENCH_USAGE}\nGroups: ${groups.join(', ')}`, {
    args: [...args],
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      engine: { type: 'string', default: 'index' },
      samples: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '20' },
      out: { type: 'string' },
      plans: { type: 'boolean', default: false },
    },
  })
  const unknown = only.filter((name) => !groups.includes(name))
  if (unknown.length > 0) {
    throw new UsageError(`There is no group ${unknown.join(', ')}. Groups: ${groups.join(', ')}.`)
  }
  const engine = engines.find((name) => name === values.engine)
  if (engine === undefined) {
    throw new UsageError(`There is no engine ${values.engine}. Engines: ${engines.join(', ')}.`)
  }
  return {
    dataDir: resolve(values.data ?? defaultDataDir(1_000_000)),
    engine,
    only,
    samples: wholeNumber('--samples', values.samples, { from: 10, to: 100_000 }),
    seconds: wholeNumber('--seconds', values.seconds, { from: 1, to: 3600 }),
    plans: values.plans,
    out: values.out === undefined ? null : resolve(values.out),
  }
}

/** `lab/data/1M`, `lab/data/10M`, `lab/data/250k`. */
function defaultDataDir(events: number): string {
  return resolve(import.meta.dirname, 'data', sizeName(events))
}

/** 1000000 as `1M`, 250000 as `250k`. */
export function sizeName(events: number): string {
  if (events % 1_000_000 === 0) return `${events / 1_000_000}M`
  return events % 1000 === 0 ? `${events / 1000}k` : String(events)
}

/** Returns the end of the name of results: nothing for the index, `-postgres`, `-clickhouse`. */
export function engineSuffix(engine: Engine): string {
  return engine === 'index' ? '' : `-${engine}`
}

const LABORATORY_USAGE = `Usage: npm run lab -- laboratory [--port 8080] [--every 30]
Runs the product, a gateway and four simulated instruments until Ctrl-C.
--port   of the console; 0 for a free one
--every  seconds until the next instrument raises or clears its alarm`

/** Throws UsageError. */
export function readLaboratoryArguments(args: readonly string[]): { port: number; every: number } {
  const { values } = parse(LABORATORY_USAGE, {
    args: [...args],
    options: { port: { type: 'string', default: '8080' }, every: { type: 'string', default: '30' } },
  })
  return {
    port: wholeNumber('--port', values.port, { from: 0, to: 65_535 }),
    every: wholeNumber('--every', values.every, { from: 1, to: 3600 }),
  }
}

function parse<const T extends ParseArgsConfig>(usage: string, config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`, { cause: error })
  }
}

function wholeNumber(name: string, value: string, { from, to }: { from: number; to: number }): number {
  const number = Number(value.replaceAll('_', ''))
  if (!Number.isInteger(number) || number < from || number > to) {
    throw new UsageError(`${name} must be a whole number from ${from} to ${to}, and is "${value}".`)
  }
  return number
}
