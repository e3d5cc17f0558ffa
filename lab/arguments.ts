import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** Wrong arguments; the message is a sentence for the person at the console. */
export class UsageError extends Error {}

const benchFolder = import.meta.dirname

export interface GenerateArguments {
  events: number
  instruments: number
  dataDir: string
  seed: string
  /** At so many places of the map; without, at those of the fleet. */
  positions?: number | undefined
}

export const GENERATE_USAGE = `Usage: npm run bench:generate -- [--events 1000000] [--instruments 5000] [--data bench/data/1M] [--seed bench] [--positions 100000]
Makes a data directory of the product with that many service events and instruments.
--positions  spreads the events over so many places, for the group map`

/** `npm run bench:generate`. Throws UsageError. */
export function readGenerateArguments(args: readonly string[]): GenerateArguments {
  const { events, instruments, data, seed, positions } = understood(GENERATE_USAGE, () =>
    parseArgs({
      args: [...args],
      options: {
        events: { type: 'string', default: '1000000' },
        instruments: { type: 'string', default: '5000' },
        data: { type: 'string' },
        seed: { type: 'string', default: 'bench' },
        positions: { type: 'string' },
      },
    }),
  ).values
  const count = wholeNumber('--events', events, { from: 1000, to: 100_000_000 })
  return {
    events: count,
    instruments: wholeNumber('--instruments', instruments, { from: 1000, to: 1_000_000 }),
    dataDir: resolve(data ?? defaultDataDir(count)),
    seed,
    positions: positions === undefined ? undefined : wholeNumber('--positions', positions, { from: 1, to: count }),
  }
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
  const given = understood(`${MEASURE_USAGE}\nGroups: ${groups.join(', ')}`, () =>
    parseArgs({
      args: [...args],
      options: {
        data: { type: 'string' },
        only: { type: 'string', multiple: true, default: [] },
        samples: { type: 'string', default: '200' },
        seconds: { type: 'string', default: '20' },
        out: { type: 'string' },
        plans: { type: 'boolean', default: false },
      },
    }),
  ).values
  const only = given.only.flatMap((names) => names.split(','))
  const unknown = only.filter((name) => !groups.includes(name))
  if (unknown.length > 0) {
    throw new UsageError(`There is no group ${unknown.join(', ')}. Groups: ${groups.join(', ')}.`)
  }
  return {
    dataDir: resolve(given.data ?? defaultDataDir(1_000_000)),
    only,
    samples: wholeNumber('--samples', given.samples, { from: 10, to: 100_000 }),
    seconds: wholeNumber('--seconds', given.seconds, { from: 1, to: 3600 }),
    plans: given.plans,
    out: given.out === undefined ? null : resolve(given.out),
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

function understood<T>(usage: string, parse: () => T): T {
  try {
    return parse()
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
