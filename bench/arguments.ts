import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** Wrong arguments; the message is a sentence for the person at the console. */
export class UsageError extends Error {}

const benchFolder = import.meta.dirname

export interface GenerateArguments {
  events: number
  dataDir: string
  seed: string
}

export const GENERATE_USAGE = `Usage: npm run bench:generate -- [--events 1000000] [--data bench/data/1M] [--seed bench]
Makes a data directory of the product with that many service events.`

/** `npm run bench:generate`. Throws UsageError. */
export function readGenerateArguments(args: readonly string[]): GenerateArguments {
  const { events, data, seed } = parsed(args, GENERATE_USAGE, {
    events: { type: 'string', default: '1000000' },
    data: { type: 'string' },
    seed: { type: 'string', default: 'bench' },
  })
  const count = wholeNumber('--events', String(events), { from: 1000, to: 100_000_000 })
  return { events: count, dataDir: resolve(String(data ?? defaultDataDir(count))), seed: String(seed) }
}

export interface MeasureArguments {
  dataDir: string
  /** Names of groups; empty for all. */
  only: string[]
  samples: number
  /** No measure takes more samples after this many seconds. */
  seconds: number
  plans: boolean
  /** File of the results; null for the usual one. */
  out: string | null
}

export const MEASURE_USAGE = `Usage: npm run bench -- [--data <directory>] [--only <group>]… [--samples 200] [--seconds 20] [--out <file>] [--plans]
Measures the product on a data directory that bench:generate made (bench/data/1M, made now if it is missing).
--only     one group of measures; may be given several times
--seconds  longest time for one measure: a slow one gets fewer samples than --samples, and says how many
--plans    prints the plans of the hottest queries instead`

/** `npm run bench`. Throws UsageError. */
export function readMeasureArguments(args: readonly string[], groups: readonly string[]): MeasureArguments {
  const given = parsed(args, `${MEASURE_USAGE}\nGroups: ${groups.join(', ')}`, {
    data: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    samples: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '20' },
    out: { type: 'string' },
    plans: { type: 'boolean', default: false },
  })
  const only = (given.only as string[]).flatMap((names) => names.split(','))
  const unknown = only.filter((name) => !groups.includes(name))
  if (unknown.length > 0) {
    throw new UsageError(`There is no group ${unknown.join(', ')}. Groups: ${groups.join(', ')}.`)
  }
  return {
    dataDir: resolve(String(given.data ?? defaultDataDir(1_000_000))),
    only,
    samples: wholeNumber('--samples', String(given.samples), { from: 5, to: 100_000 }),
    seconds: wholeNumber('--seconds', String(given.seconds), { from: 1, to: 3600 }),
    plans: given.plans === true,
    out: given.out === undefined ? null : resolve(String(given.out)),
  }
}

/** `bench/data/1M`, `bench/data/10M`, `bench/data/250k`. */
function defaultDataDir(events: number): string {
  return resolve(benchFolder, 'data', sizeName(events))
}

/** 1000000 as `1M`, 250000 as `250k`. */
export function sizeName(events: number): string {
  if (events % 1_000_000 === 0) return `${events / 1_000_000}M`
  return events % 1000 === 0 ? `${events / 1000}k` : String(events)
}

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>

function parsed(args: readonly string[], usage: string, options: Options): Record<string, unknown> {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values
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
