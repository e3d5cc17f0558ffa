import { setTimeout as pause } from 'node:timers/promises'
import type { EventOrderBy } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DataScope } from '../db/actor.ts'
import type { Db, Trx } from '../db/connect.ts'
import type { SnapshotXid } from '../db/queues/queue-position.ts'
import { intArray } from '../db/sql/int-array.ts'
import { likePattern } from '../db/sql/words.ts'
import { BeginAgain } from '../db/transaction.ts'
import {
  type CodeColumn,
  type Condition,
  type InstantColumn,
  type SqlDialect,
  toSql,
} from '../features/events/search/condition.ts'
import type {
  ColumnCounts,
  CountedColumn,
  CountQuestion,
  EventOrder,
  EventSearch,
  Found,
  Page,
  SearchMoment,
} from '../features/events/search/event-search.ts'
import {
  conditionOf,
  contractClockRuns,
  countersOf,
  type EventSelection,
} from '../features/events/search/filters.queries.ts'
import { type RankedTable, readValueRanks, type ValueRanks } from '../features/events/search/value-ranks.queries.ts'
import type { Log } from '../platform/log.ts'
import { type Clickhouse, ClickhouseFault, Literal, tabSeparated } from './clickhouse.ts'
import {
  changedFrom,
  type FeedPosition,
  feedEvents,
  readDeletedEvents,
  readFeedState,
  readSource,
} from './event-feed.ts'
import { type EventColumn, eventColumns, tables } from './schema.ts'

/** How often each process looks how far the feed is. */
const LOOK_MS = 1000
const MOST_LAG_MS = 60_000
/**
 * Changes since the last round that a search lays over the events in ClickHouse, so that its answer is exact. With more,
 * the newest are laid over, the user's own among them, and the answer says which moment it is of.
 */
const MOST_CHANGES = 2000
/** The same for an export, which must be exact and may take longer. */
const MOST_EXPORTED_CHANGES = 50_000

interface Parts {
  clickhouse: Clickhouse
  db: Db
  fallback: EventSearch
  log: Log
  /** Milliseconds behind the database from which on PostgreSQL answers; one minute by default. */
  mostLagMs?: number
}

/** Searches events in ClickHouse; while it is away, slow or behind, `fallback` answers. */
export class ClickhouseSearch implements EventSearch {
  readonly #parts: Parts
  readonly #stopping = new AbortController()
  #finished: Promise<void> | undefined
  #source = ''
  #done: FeedPosition | null = null
  #wasReady: boolean | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Looks each second how far the feed is, until stopped. */
  start(): this {
    this.#finished = this.#watch()
    return this
  }

  state(): ReturnType<EventSearch['state']> {
    return { engine: 'clickhouse', isReady: this.#isReady, lagMs: this.#done ? this.#lagMs(this.#done) : 0 }
  }

  begin(): SearchMoment {
    const { clickhouse, log } = this.#parts
    const other = this.#parts.fallback.begin()
    const done = this.#done
    if (done === null || !this.#isReady) return other
    const source = this.#source
    const orElse = async <T>(answer: Promise<T>, instead: () => Promise<T>) => {
      try {
        return await answer
      } catch (error) {
        if (!(error instanceof ClickhouseFault)) throw error
        log.warn({ err: error }, 'PostgreSQL answers a search in place of ClickHouse')
        return instead()
      }
    }
    const parts = { clickhouse, source, done }
    return {
      find: (trx, selection, page) =>
        orElse(find(trx, { ...parts, selection, page }), () => other.find(trx, selection, page)),
      count: (trx, questions) => orElse(count(trx, { ...parts, questions }), () => other.count(trx, questions)),
      each: (trx, selection, order) => this.#each(trx, { source, done, selection, order, other }),
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#finished
    await this.#parts.fallback.stop()
  }

  /** Looks how far the feed is. */
  async look(): Promise<void> {
    const { clickhouse, db, log } = this.#parts
    try {
      this.#source = await readSource(db)
      this.#done = (await readFeedState(db, clickhouse, this.#source)).done
    } catch (error) {
      this.#done = null
      if (this.#wasReady !== false) log.warn({ err: error }, 'ClickHouse cannot be asked')
    }
    if (this.#isReady !== this.#wasReady) {
      log.info(this.state(), this.#isReady ? 'ClickHouse answers searches' : 'PostgreSQL answers searches')
    }
    this.#wasReady = this.#isReady
  }

  get #isReady(): boolean {
    return (
      this.#done !== null &&
      !this.#parts.clickhouse.isPaused &&
      this.#lagMs(this.#done) < (this.#parts.mostLagMs ?? MOST_LAG_MS)
    )
  }

  #lagMs({ at }: FeedPosition): number {
    return Math.max(0, Date.now() - at.getTime())
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await this.look()
      await pause(LOOK_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  /** An export is always exact: with too many changes, PostgreSQL answers. */
  async *#each(
    trx: Trx,
    {
      source,
      done,
      selection,
      order,
      other,
    }: Omit<Search, 'clickhouse' | 'page'> & { order: EventOrder; other: SearchMoment },
  ): AsyncGenerator<readonly number[]> {
    const { clickhouse } = this.#parts
    let hasBegun = false
    try {
      const changes = await readChanges(trx, done.horizon, MOST_EXPORTED_CHANGES)
      if (!changes.areAll) throw new ClickhouseFault('Too many events have changed for an exact export.')
      const ordered = await inOrder(trx, order)
      const question = sql`${freshEvents(changes)}
        SELECT id FROM ${rowsOf(selection.scope, conditionOf(selection), changes)} AS e ORDER BY ${ordered}`
      const check = () => checkMoment(trx, { clickhouse, source, done, isExact: true })
      for await (const rows of clickhouse.batches<[number]>(trx, question)) {
        if (!hasBegun) await check()
        hasBegun = true
        yield rows.map(([id]) => id)
      }
      if (!hasBegun) await check()
    } catch (error) {
      if (hasBegun || !(error instanceof ClickhouseFault)) throw error
      yield* other.each(trx, selection, order)
    }
  }
}

interface Search {
  clickhouse: Clickhouse
  source: string
  done: FeedPosition
  selection: EventSelection
  page: Page | null
}

/**
 * Finds totals and page by one statement, so that both are of one moment. Changes that the caller's snapshot sees since
 * the last complete round are laid over, which makes the answer exact in that snapshot.
 */
async function find(trx: Trx, { clickhouse, source, done, selection, page }: Search): Promise<Found> {
  const changes = await readChanges(trx, done.horizon)
  const parts = [totalsOf(selection, changes, { isMap: page === null }), countsOf(selection, changes)]
  const order = page && (await inOrder(trx, page))
  if (page && order) parts.push(pageOf({ selection, changes, page, order }))
  const rows = await clickhouse.rows<[number, number[][]]>(
    trx,
    sql`${freshEvents(changes)} ${sql.join(parts, sql` UNION ALL `)}`,
  )
  const answers = new Map(rows)
  const [counted = [], places = [], ...bySeverity] = answers.get(TOTALS) ?? []
  const [events = 0, instruments = 0, components = 0] = counted
  const [counters = []] = answers.get(COUNTERS) ?? []
  const countsAt = (index: number, from: number) =>
    [0, 1, 2].map((severity) => bySeverity[from + severity]?.[index] ?? 0) as [number, number, number]
  const found = places.map((place, index) => ({
    customerId: Math.floor(place / TWO_TO_32),
    siteId: place % TWO_TO_32,
    bySeverity: countsAt(index, 0),
    openBySeverity: countsAt(index, 3),
  }))
  const [noOwnerEvents = 0, noActionEvents = 0, fullSupportEvents = 0, olderOpenEvents = 0] = counters
  let ids = answers.get(PAGE)?.[0] ?? []
  if (page && order && ids.length < Math.min(page.limit, events - page.offset)) {
    const [whole] = await clickhouse.rows<[number, number[][]]>(
      trx,
      sql`${freshEvents(changes)} ${pageOf({ selection, changes, page, order }, 'all')}`,
    )
    ids = whole?.[1][0] ?? []
  }
  await checkMoment(trx, { clickhouse, source, done, isExact: changes.areAll })
  return {
    totals: {
      events,
      instruments,
      components,
      customers: new Set(found.map(({ customerId }) => customerId)).size,
      locations: await countLocations(trx, found),
      noOwnerEvents,
      noActionEvents,
      fullSupportEvents,
      olderOpenEvents,
    },
    ids,
    places: page ? [] : found,
    asOf: changes.areAll ? null : done.at,
  }
}

/** Counts the values for all questions by one statement. */
async function count(
  trx: Trx,
  { clickhouse, source, done, questions }: Omit<Search, 'selection' | 'page'> & { questions: readonly CountQuestion[] },
): ReturnType<SearchMoment['count']> {
  const changes = await readChanges(trx, done.horizon)
  const parts = questions.map(({ selection, columns: counted, runs }, part) => {
    const grouped = [...new Set<CountedColumn>([...counted, 'customer'])]
    // There is always one value in the list, and 0 stands for no run.
    const offered = sql`if(${isIn(columnOf('run'), [0, ...runs])}, ${columnOf('run')}, 0) AS run_id`
    const names = grouped.map((name) => (name === 'run' ? offered : columnOf(name)))
    return sql`SELECT ${sql.lit(part)} AS part, [${sql.join(counted.map(sumsOf))}] AS numbers
      FROM (SELECT ${sql.join(names)}, count() AS n FROM ${rowsOf(selection.scope, conditionOf(selection), changes)} AS e
        GROUP BY ${sql.join(grouped.map((_, at) => sql.lit(at + 1)))})`
  })
  const rows = await clickhouse.rows<[number, number[][]]>(
    trx,
    sql`${freshEvents(changes)} ${sql.join(parts, sql` UNION ALL `)}`,
  )
  await checkMoment(trx, { clickhouse, source, done, isExact: changes.areAll })
  const answers = new Map(rows)
  const counts = questions.map(({ columns: counted }, part): ColumnCounts => {
    const numbers = answers.get(part) ?? []
    const countsOf = (name: CountedColumn, at: number) =>
      (numbers[2 * at] ?? []).map((key, index) => ({
        ...valueOfKey(name, key),
        events: numbers[2 * at + 1]?.[index] ?? 0,
      }))
    return Object.fromEntries(counted.map((name, at) => [name, countsOf(name, at)]))
  })
  return { counts, asOf: changes.areAll ? null : done.at }
}

/** Returns the keys of a column with their sums, as two arrays. Key 0 means a missing value, so owners begin at 1. */
function sumsOf(name: CountedColumn): RawBuilder<unknown> {
  const column = sql.ref(columns[name])
  const key =
    name === 'instrument'
      ? sql`toUInt64(customer_id) * ${TWO_TO_32} + ${column}`
      : sql`toUInt64(${name === 'owner' ? sql`${column} + 1` : column})`
  const sums = sql.ref(`sums_${name}`)
  return sql`(sumMap([${key}], [n]) AS ${sums}).1, ${sums}.2`
}

function valueOfKey(name: CountedColumn, key: number): { value: number | null; customerId: number | null } {
  if (name === 'instrument') return { value: key % TWO_TO_32 || null, customerId: Math.floor(key / TWO_TO_32) }
  if (name === 'owner') return { value: key === 0 ? null : key - 1, customerId: null }
  return { value: key || null, customerId: null }
}

/**
 * Fails if a round wrote something that the caller's snapshot does not see, so that the search starts again with a new
 * snapshot, or if the events are no longer there.
 */
async function checkMoment(
  trx: Trx,
  { clickhouse, source, done, isExact }: Pick<Search, 'clickhouse' | 'source' | 'done'> & { isExact: boolean },
): Promise<void> {
  const now = await readFeedState(trx, clickhouse, source)
  if (now.done === null || BigInt(now.done.version) < BigInt(done.version)) {
    throw new ClickhouseFault('The events in ClickHouse are being copied again.')
  }
  if (!isExact || BigInt(now.begun) <= BigInt(done.version)) return
  const { rows } = await sql<{ isSeen: boolean }>`
    SELECT pg_visible_in_snapshot(${now.begun}::xid8, pg_current_snapshot()) AS "isSeen"`.execute(trx)
  if (!rows[0]?.isSeen) throw new BeginAgain()
}

interface Changes {
  /** Lines of tab-separated values. */
  fresh: string[]
  /** Ids of events whose rows in ClickHouse may be old. */
  hidden: number[]
  areAll: boolean
}

async function readChanges(trx: Trx, horizon: SnapshotXid, most = MOST_CHANGES): Promise<Changes> {
  const rows = await feedEvents(trx)
    .where(changedFrom(horizon))
    .orderBy('e.changed_in', 'desc')
    .limit(most + 1)
    .execute()
  const deleted = await readDeletedEvents(trx, horizon, most + 1)
  return {
    fresh: rows.map((row) => tabSeparated(columnNames.map((name) => row[name]))),
    hidden: [...rows.map(({ id }) => Number(id)), ...deleted],
    areAll: rows.length <= most && deleted.length <= most,
  }
}

const columnNames = Object.keys(eventColumns) as EventColumn[]
const structure = columnNames.map((name) => `${name} ${eventColumns[name].type}`).join(', ')

function freshEvents({ fresh }: Changes): RawBuilder<unknown> {
  if (fresh.length === 0) return sql``
  return sql`WITH fresh AS (SELECT * FROM format(TSV, ${sql.lit(structure)}, ${new Literal(fresh.join(''))}))`
}

/** Returns the events that match, with those of the snapshot in place of those that changed. */
function rowsOf(
  scope: DataScope,
  condition: Condition,
  { fresh, hidden }: Changes,
  more: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  const matches = sql`${inSelection(scope, condition)} AND ${more}`
  const stored = sql`SELECT ${columnList} FROM ${sql.table(tables.event)} AS e FINAL WHERE ${matches}`
  const kept = hidden.length === 0 ? stored : sql`${stored} AND NOT ${isIn(sql`e.id`, hidden)}`
  return fresh.length === 0
    ? sql`(${kept})`
    : sql`(${kept} UNION ALL SELECT ${columnList} FROM fresh AS e WHERE ${matches})`
}

function inSelection(scope: DataScope, condition: Condition): RawBuilder<unknown> {
  return sql`${scope === 'all' ? sql`true` : isIn(sql`e.customer_id`, scope)} AND ${toSql(condition, dialect)}`
}

const columnList = sql.raw(columnNames.map((name) => `e.${name} AS ${name}`).join(', '))

const TOTALS = 0
const COUNTERS = 1
const PAGE = 2
const TWO_TO_32 = 2 ** 32

/**
 * Groups before counting distinct values, which takes a third of the time of counting over rows. Severities are counted
 * for the map alone, because they double the time.
 */
function totalsOf(selection: EventSelection, changes: Changes, { isMap }: { isMap: boolean }): RawBuilder<unknown> {
  const countsOf = [1, 2, 3].map(
    (severity) => sql`, countIf(severity = ${sql.lit(severity)}) AS ${sql.raw(`s${severity}`)}`,
  )
  const openOf = [1, 2, 3].map(
    (severity) => sql`, countIf(severity = ${sql.lit(severity)} AND ${dialect.isOpen}) AS ${sql.raw(`o${severity}`)}`,
  )
  const bySeverity = sql.join([...countsOf, ...openOf], sql` `)
  return sql`SELECT ${sql.lit(TOTALS)} AS part, [[sum(n),
      uniqExactIf(instrument_id, instrument_id != 0),
      uniqExactIf((instrument_id, component_id), instrument_id != 0 AND component_id != 0)],
      (sumMap([toUInt64(customer_id) * ${TWO_TO_32} + site_id], ${isMap ? sql`[s1], [s2], [s3], [o1], [o2], [o3]` : sql`[n]`}) AS places).1
      ${isMap ? sql`, places.2, places.3, places.4, places.5, places.6, places.7` : sql``}] AS numbers
    FROM (SELECT instrument_id, component_id, customer_id, site_id, count() AS n ${isMap ? bySeverity : sql``}
      FROM ${rowsOf(selection.scope, conditionOf(selection), changes)} AS e
      GROUP BY instrument_id, component_id, customer_id, site_id)`
}

function countsOf(selection: EventSelection, changes: Changes): RawBuilder<unknown> {
  const counters = countersOf(selection)
  const count = (name: keyof typeof counters) => sql`countIf(${toSql(counters[name], dialect)})`
  return sql`SELECT ${sql.lit(COUNTERS)}, [[${count('noOwnerEvents')}, ${count('noActionEvents')},
      ${count('fullSupportEvents')}, ${count('olderOpenEvents')}]]
    FROM ${rowsOf(selection.scope, { is: 'open' }, changes)} AS e`
}

interface PageInput {
  selection: EventSelection
  changes: Changes
  page: Page
  order: RawBuilder<unknown>
}

function pageOf(
  { selection, changes, page, order }: PageInput,
  rows: 'first' | 'all' = mayReadFirst(page) ? 'first' : 'all',
): RawBuilder<unknown> {
  const condition = conditionOf(selection)
  const among = rows === 'first' ? firstRows(selection, condition, changes, page) : sql`true`
  return sql`SELECT ${sql.lit(PAGE)}, [groupArray(id)] FROM (
    SELECT id FROM ${rowsOf(selection.scope, condition, changes, among)} AS e
    ORDER BY ${order} LIMIT ${page.limit} OFFSET ${page.offset})`
}

/** Up to here, finding where the first rows end is faster than sorting all. */
const FIRST_ROWS = 10_000
const END_OF_TIME = Number.MAX_SAFE_INTEGER

function mayReadFirst({ orderBy, offset, limit }: Page): boolean {
  return orderBy === 'createdAt' && offset + limit <= FIRST_ROWS
}

/**
 * Condition for the first rows in the order of creation. Their end is read from the sort key, among which are replaced
 * and deleted rows: rarely too few are left for the page, and then it is read without this condition.
 */
function firstRows(
  { scope }: EventSelection,
  condition: Condition,
  { hidden }: Changes,
  { order, offset, limit }: Page,
): RawBuilder<unknown> {
  const direction = sql.raw(order)
  // Without any row, the end lies before all events, so that they are not read again.
  const [comparison, end] =
    order === 'ASC'
      ? [sql`<=`, sql`if(count() = 0, -1, max(created_at))`]
      : [sql`>=`, sql`if(count() = 0, ${END_OF_TIME}, min(created_at))`]
  return sql`e.created_at ${comparison} (SELECT ${end} FROM (
    SELECT e.created_at AS created_at FROM ${sql.table(tables.event)} AS e
    WHERE ${inSelection(scope, condition)} AND NOT ${isIn(sql`e.id`, hidden)}
    ORDER BY e.created_at ${direction} LIMIT ${2 * (offset + limit)}))`
}

/** Names are ordered by ranks that PostgreSQL computes, because ClickHouse compares letters by other rules. */
async function inOrder(trx: Trx, { orderBy, order }: EventOrder): Promise<RawBuilder<unknown>> {
  const direction = sql.raw(order)
  if (orderBy === 'contractClock') {
    const runs = toSql(contractClockRuns, dialect)
    return sql`${runs} DESC, if(${runs}, e.created_at, 0) ${direction}, e.id ${direction}`
  }
  const keys = [...sortKey(orderBy, JSON.parse(await readValueRanks(trx, orderBy)) as ValueRanks[]), sql`e.id`]
  return sql.join(keys.map((key) => sql`${key} ${direction}`))
}

function sortKey(orderBy: Exclude<EventOrderBy, 'contractClock'>, ranks: readonly ValueRanks[]): RawBuilder<unknown>[] {
  const missingLast = (key: RawBuilder<unknown>) => [sql`${key} = 0`, key]
  switch (orderBy) {
    case 'createdAt':
      return [sql`e.created_at`]
    case 'eventId':
      return []
    case 'severity':
      return [sql`e.severity`]
    case 'alertStatus':
      return [sql`e.alert_status`]
    case 'description':
      return [sql`substring(e.text_folded, 1, e.description_bytes)`]
    case 'automaticEmailSentAt':
      return missingLast(sql`e.automatic_email_sent_at`)
    case 'instrumentStatus':
      return missingLast(
        sql`if(${rankOf('instrument', ranks, 'customersNow')} = e.customer_id, ${rankOf('instrument', ranks)}, 0)`,
      )
    case 'instrumentProductDescription':
      return missingLast(rankOf('instrument', ranks))
    case 'instrumentInstalledProductId':
      return missingLast(sql`if(e.instrument_id != 0, ${rankOf('instrument', ranks)}, ${rankOf('gateway', ranks)})`)
    case 'siteCity':
      return missingLast(rankOf('site', ranks))
    case 'enterpriseName':
      return missingLast(rankOf('customer', ranks))
    case 'claimedBy':
      return missingLast(rankOf('app_user', ranks))
  }
}

const rankedColumns: Record<RankedTable, EventColumn> = {
  instrument: 'instrument_id',
  gateway: 'gateway_id',
  site: 'site_id',
  customer: 'customer_id',
  app_user: 'claimed_by',
}

function rankOf(table: RankedTable, all: readonly ValueRanks[], values: 'ranks' | 'customersNow' = 'ranks') {
  const found = all.find((one) => one.table === table)
  if (!found) return sql`0`
  return sql`transform(${sql.ref(`e.${rankedColumns[table]}`)}, ${numbers(found.ids)}, ${numbers(found[values])}, 0)`
}

function numbers(values: readonly number[]): RawBuilder<unknown> {
  return sql`[${sql.raw(values.map(Number).join(', '))}]`
}

function isIn(value: RawBuilder<unknown>, values: readonly (number | bigint)[]): RawBuilder<SqlBool> {
  return sql`(${value} IN (${sql.raw(values.join(', '))}))`
}

const columns: Record<CodeColumn | InstantColumn, EventColumn> = {
  id: 'id',
  severity: 'severity',
  alertType: 'alert_type',
  alertStatus: 'alert_status',
  closeReason: 'reason_closed',
  component: 'component_id',
  site: 'site_id',
  instrument: 'instrument_id',
  run: 'run_id',
  customer: 'customer_id',
  owner: 'claimed_by',
  gateway: 'gateway_id',
  createdAt: 'created_at',
  lastActionAt: 'last_action_at',
}

const columnOf = (name: CodeColumn | InstantColumn) => sql.ref(`e.${columns[name]}`)

/** ClickHouse's SQL for conditions on `e`. Instants are milliseconds. 0 is a missing id; as an owner, the system user. */
export const dialect: SqlDialect = {
  column: columnOf,
  anyOf: (column, values) => isIn(columnOf(column), values),
  instant: (at) => sql`${at.getTime()}`,
  containing: (word) => sql`e.text_folded LIKE ${likePattern(word)}`,
  isOpen: sql`e.alert_status != 3`,
  isWithoutOwner: sql`e.claimed_by < 0`,
  isFullSupport: sql`e.full_support = 1`,
  belongsNow: (instruments, customers) =>
    isIn(
      sql`bitShiftLeft(toUInt64(e.instrument_id), 32) + e.customer_id`,
      instruments.map((id, index) => (BigInt(id) << 32n) | BigInt(customers[index] ?? 0)),
    ),
}

async function countLocations(trx: Trx, places: Found['places']): Promise<number> {
  const { rows } = await sql<{ locations: number }>`
    SELECT count(*) AS locations FROM (SELECT DISTINCT p.customer_id, s.location_key
      FROM unnest(${intArray(places.map(({ customerId }) => customerId))}, ${intArray(places.map(({ siteId }) => siteId))}) AS p (customer_id, site_id)
      JOIN site AS s ON s.id = p.site_id) AS l`.execute(trx)
  return rows[0]?.locations ?? 0
}
