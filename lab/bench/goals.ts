import type { Goal } from '../measure/measure.ts'
import { type Fixture, isEngineUsed } from './fixture.ts'
import type { RangeName } from './searches.ts'

const MILLION = 1_000_000

/** The most milliseconds of a search that the index answers among one million and among ten million events. */
const searches = {
  list: { '7 days': [40, 50], '30 days': [40, 50], '1 year': [40, 120], unbounded: [40, 300] },
  page: { '7 days': [40, 50], '30 days': [40, 50], '1 year': [50, 400], unbounded: [50, 400] },
  keyword: { '7 days': [100, 120], '30 days': [100, 120], '1 year': [1000, 1000], unbounded: [1000, 1000] },
} as const satisfies Record<string, Record<RangeName, readonly [number, number]>>
/** A list with its totals in ClickHouse; stated for ten million events on one machine. */
const CLICKHOUSE_LIST = 600

/** Returns the goal of a search, or undefined where none is stated, such as for PostgreSQL beyond its share of events. */
export function searchGoal(
  { data: { events }, engine }: Pick<Fixture, 'data' | 'engine'>,
  { kind, range }: { kind: keyof typeof searches; range: RangeName },
): Goal | undefined {
  if (events > 10 * MILLION) return undefined
  if (engine === 'clickhouse') return kind === 'list' ? { atMost: CLICKHOUSE_LIST } : undefined
  if (engine !== 'index' && isEngineUsed('index', events)) return undefined
  const [atOne, atTen] = searches[kind][range]
  return { atMost: events <= MILLION ? atOne : atTen }
}

/** Returns the goal of the server's memory, which depends on the events that the index holds. */
export function memoryGoal({ data: { events }, engine }: Pick<Fixture, 'data' | 'engine'>): Goal | undefined {
  if (!isEngineUsed(engine, events) || engine === 'clickhouse') return { atMost: 170 }
  if (events <= MILLION) return { atMost: 240 }
  return events <= 10 * MILLION ? { atMost: 500 } : undefined
}

/** The goals of the design that do not depend on the data; times are p95. */
export const goals = {
  event: { atMost: 5 },
  run: { atMost: 100 },
  counts: { atMost: 100 },
  outcomes: { atMost: 100 },
  instruments: { atMost: 50 },
  change: { atMost: 30 },
  ingestSingle: { atLeast: 1500 },
  ingestBatch: { atLeast: 5000 },
  /** Stated for five million lines in PostgreSQL. */
  logs: { atMost: 50 },
  /** Stated for a hundred million lines in ClickHouse. */
  clickhouseLogs: { atMost: 100 },
  /** One table of the dashboard over a year, and all times in one row; stated for a million events. */
  kpiTable: { atMost: 2000 },
  kpiSummary: { atMost: 1000 },
  listBesideKpi: { atMost: 250 },
  /** The time until the next frame, of a list of 100 events. */
  rows: { atMost: 100 },
  /** Stated for 100,000 positions. */
  mapMarks: { atMost: 1000 },
  mapTask: { atMost: 100 },
  live: { atMost: 250 },
  /** The share of commits that remains when each announces its change. */
  announced: { atLeast: 0.9 },
  /** Stated for ten million events. */
  crowd: { atMost: 200 },
  startWarm: { atMost: 3 },
  startCold: { atMost: 20 },
  /** Stated for ten million events. */
  startEngine: { atMost: 3 },
  /** Stated for a million rows. */
  exportSeconds: { atMost: 20 },
  exportMemory: { atMost: 100 },
  loginScripts: { atMost: 220 },
  eventsScripts: { atMost: 300 },
  styles: { atMost: 30 },
  requests: { atMost: 30 },
} as const satisfies Record<string, Goal>
