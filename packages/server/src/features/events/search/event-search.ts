import type { EventTotals } from '@benchwatch/contract/events/events'
import type { Order } from '@benchwatch/contract/primitives'
import type { EventOrderBy } from '@benchwatch/contract/vocabulary'
import type { Trx } from '../../../db/connect.ts'
import type { CodeColumn } from './condition.ts'
import type { EventSelection } from './filters.queries.ts'

/**
 * The one door to searches for service events: list, totals, map, export, bulk change and counters of saved views all
 * go through it, and nothing else selects events. Behind it, PostgreSQL always answers; the index in memory answers
 * where there are many events; ClickHouse where one machine ends. All three give the same answers.
 */
export interface EventSearch {
  /**
   * Fixes the moment that answers are of. Call it before the first statement of the transaction that searches, which
   * must be REPEATABLE READ.
   */
  begin(): SearchMoment
  state(): SearchState
  stop(): Promise<void>
}

/** Answers of one moment. */
export interface SearchMoment {
  /**
   * Returns the totals of a selection with the ids of one page, or with its places where no page is wanted (the map).
   * Throws a serialization failure, which `inTransaction` retries, if the engine has moved on since `begin`.
   */
  find(trx: Trx, selection: EventSelection, page: Page | null): Promise<Found>
  /** Returns all ids in order, in batches, for exports. */
  each(trx: Trx, selection: EventSelection, order: EventOrder): AsyncIterable<readonly number[]>
  /** Counts the events of each selection by the values of its columns, in the order of the questions. Throws like `find`. */
  count(trx: Trx, questions: readonly CountQuestion[]): Promise<{ counts: ColumnCounts[]; asOf: Date | null }>
}

/** Asks for the number of events of each value in each of the columns. */
export interface CountQuestion {
  selection: EventSelection
  columns: readonly CountedColumn[]
  /** Ids of the runs that are counted. There may be millions, and others are not counted separately. */
  runs: readonly number[]
}

export type CountedColumn = Exclude<CodeColumn, 'id' | 'gateway'>

/** Events with one value of a column, in no particular order; values that no event has are absent. */
export type ColumnCounts = Partial<Record<CountedColumn, ValueCount[]>>

export interface ValueCount {
  /** Null counts the events without a value. */
  value: number | null
  /** Instruments are counted for each customer apart, because one may have moved; null in other columns. */
  customerId: number | null
  events: number
}

export interface SearchState {
  engine: 'postgres' | 'index' | 'clickhouse'
  /** False while the engine is loading or away, and PostgreSQL answers in its place. */
  isReady: boolean
  /** How far the engine is behind the database, in milliseconds; 0 if its answers are exact. */
  lagMs: number
}

/** Said to users about an answer: its moment if it is not the present one, and that it took longer than usual. */
export interface Searched {
  asOf: string | null
  isDegraded: boolean
}

export function searchedBy(search: EventSearch, { asOf }: Pick<Found, 'asOf'>): Searched {
  const { engine, isReady } = search.state()
  return { asOf: asOf?.toISOString() ?? null, isDegraded: engine === 'clickhouse' && !isReady }
}

export interface Found {
  totals: EventTotals
  ids: number[]
  /** Empty if a page was wanted. */
  places: PlaceCount[]
  /** The answer is of this moment; null if it is exact in the caller's snapshot. */
  asOf: Date | null
}

/** Events of one customer at one site, all and those not closed, by severity from low (index 0) to high. */
export interface PlaceCount {
  customerId: number
  siteId: number
  bySeverity: [number, number, number]
  openBySeverity: [number, number, number]
}

/**
 * Order of events (wire: orderBy). Equal values are ordered by id in the same direction, so the other direction is
 * exactly the reverse; missing values come last ascending and first descending. By `contractClock`, events without a
 * running clock come last in both directions, because they are not what the order is for.
 */
export interface EventOrder {
  orderBy: EventOrderBy
  order: Order
}

export interface Page extends EventOrder {
  limit: number
  offset: number
}
