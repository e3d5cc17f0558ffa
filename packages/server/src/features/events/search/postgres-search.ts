import type { EventTotals } from '@benchwatch/contract/events/events'
import type { EventOrderBy } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../../../db/connect.ts'
import { isOpen, serviceEvents } from '../../../db/scoped.ts'
import { asPeopleRead } from '../../../db/sql/text-order.ts'
import { likePattern } from '../../../db/sql/words.ts'
import { NO_NAME } from '../../users/users.lookup.ts'
import { type CodeColumn, type Condition, type InstantColumn, type SqlDialect, toSql } from './condition.ts'
import type {
  ColumnCounts,
  CountedColumn,
  CountQuestion,
  EventOrder,
  EventSearch,
  Found,
  Page,
  PlaceCount,
  ValueCount,
} from './event-search.ts'
import { conditionOf, contractClockRuns, countersOf, type EventSelection } from './filters.queries.ts'

/** How conditions are written; tests ask every way for the same answers. */
interface Ways {
  /** True reads each text, false uses the text index; by default, whichever is faster for the range. */
  readsTexts?: boolean
  /** The longest list that is passed to the planner value by value. */
  plannedValues?: number
}

/**
 * Searches events in PostgreSQL, exactly in the caller's snapshot: one predicate, totals by one scan, pages by sorting.
 * Fast enough below some 200,000 events; above, it answers until the index is loaded, and whenever that one fails.
 */
export function createPostgresSearch(ways: Ways = {}): EventSearch {
  const ask = async (trx: Trx, selection: EventSelection): Promise<Asked> => ({
    selection,
    dialect: await dialectFor(trx, { selection, ways }),
  })
  return {
    begin: () => ({
      find: async (trx, selection, page) => find(trx, await ask(trx, selection), page),
      async *each(trx, selection, order) {
        yield* each(trx, await ask(trx, selection), order)
      },
      async count(trx, questions) {
        const counts: ColumnCounts[] = []
        for (const question of questions)
          counts.push(await countValues(trx, { ...question, ...(await ask(trx, question.selection)) }))
        return { counts, asOf: null }
      },
    }),
    state: () => ({ engine: 'postgres', isReady: true, lagMs: 0 }),
    stop: async () => undefined,
  }
}

export const postgresSearch = createPostgresSearch()

interface Asked {
  selection: EventSelection
  dialect: SqlDialect
}

async function find(trx: Trx, asked: Asked, page: Page | null): Promise<Found> {
  const totals = await readTotals(trx, asked)
  if (page === null) return { totals, ids: [], places: await readPlaces(trx, asked), asOf: null }
  if (page.offset >= totals.events) return { totals, ids: [], places: [], asOf: null }
  const rows = await eventsInOrder(trx, asked, page).limit(page.limit).offset(page.offset).execute()
  return { totals, ids: rows.map(({ id }) => id), places: [], asOf: null }
}

/** Rows that a cursor hands over at a time. */
const BATCH = 5000

let cursors = 0

async function* each(trx: Trx, asked: Asked, order: EventOrder): AsyncGenerator<readonly number[]> {
  cursors += 1
  // Closed by the end of the transaction.
  const cursor = sql.raw(`events_in_order_${cursors}`)
  await sql`DECLARE ${cursor} NO SCROLL CURSOR FOR ${eventsInOrder(trx, asked, order)}`.execute(trx)
  for (;;) {
    const { rows } = await sql<{ id: number }>`FETCH ${sql.lit(BATCH)} FROM ${cursor}`.execute(trx)
    if (rows.length > 0) yield rows.map(({ id }) => id)
    if (rows.length < BATCH) return
  }
}

const columns: Record<CodeColumn | InstantColumn, { ref: RawBuilder<unknown>; type: 'int' | 'smallint' | 'int8' }> = {
  id: { ref: sql.ref('e.id'), type: 'int8' },
  severity: { ref: sql.ref('e.severity'), type: 'smallint' },
  alertType: { ref: sql.ref('e.alert_type'), type: 'smallint' },
  alertStatus: { ref: sql.ref('e.alert_status'), type: 'smallint' },
  closeReason: { ref: sql.ref('e.reason_closed'), type: 'smallint' },
  component: { ref: sql.ref('e.component_id'), type: 'int' },
  site: { ref: sql.ref('e.site_id'), type: 'int' },
  instrument: { ref: sql.ref('e.instrument_id'), type: 'int' },
  run: { ref: sql.ref('e.run_id'), type: 'int' },
  customer: { ref: sql.ref('e.customer_id'), type: 'int' },
  owner: { ref: sql.ref('e.claimed_by'), type: 'int' },
  gateway: { ref: sql`(CASE WHEN e.is_edge_issue THEN e.gateway_id END)`, type: 'int' },
  createdAt: { ref: sql.ref('e.created_at'), type: 'int8' },
  lastActionAt: { ref: sql.ref('e.last_action_at'), type: 'int8' },
}

/** Up to here reading the texts one by one was faster than the text index, even for rare words (20 ms). */
const FEW_EVENTS = 20_000

async function dialectFor(
  db: Db,
  { selection: { scope, start, stop, filter }, ways }: { selection: EventSelection; ways: Ways },
): Promise<SqlDialect> {
  if (ways.readsTexts !== undefined || !asksForTexts(filter) || !start) return dialectOf(ways)
  const some = serviceEvents(db, scope)
    .where('e.created_at', '>=', start)
    .$if(stop !== null, (query) => query.where('e.created_at', '<', stop as Date))
    .select('e.id')
    .limit(FEW_EVENTS + 1)
  const { rows } = await sql<{ events: number }>`SELECT count(*) AS events FROM (${some}) AS e`.execute(db)
  return dialectOf({ ...ways, readsTexts: (rows[0]?.events ?? 0) <= FEW_EVENTS })
}

/** Returns whether the condition reads texts of events, which takes longest. */
export function asksForTexts(condition: Condition): boolean {
  if (condition.is === 'not') return asksForTexts(condition.of)
  if (condition.is === 'all' || condition.is === 'any') return condition.of.some(asksForTexts)
  return condition.is === 'containing'
}

/**
 * Above this length, the time that the planner spends on each value outweighs the gain (4,000 instruments: 15 ms per
 * condition), and it would use no index anyway.
 */
const PLANNED_VALUES = 300

/** Returns PostgreSQL's SQL for conditions on `e`. */
function dialectOf({ readsTexts = false, plannedValues = PLANNED_VALUES }: Ways): SqlDialect {
  const anyOf = (column: CodeColumn, values: readonly number[]) => {
    const { ref, type } = columns[column]
    return isInList(ref, sql`${[...values]}::${sql.raw(type)}[]`, values.length)
  }
  // A long list is tested by hash. IS TRUE keeps it a filter; as a join it would take the scan off its order.
  const isInList = (value: RawBuilder<unknown>, list: RawBuilder<unknown>, length: number) =>
    length <= plannedValues
      ? sql<SqlBool>`${value} = ANY(${list})`
      : sql<SqlBool>`(${value} IN (SELECT unnest(${list}))) IS TRUE`
  return {
    anyOf,
    column: (name) => columns[name].ref,
    instant: (at) => sql`${at}`,
    isOpen,
    isWithoutOwner: sql`e.claimed_by IS NULL`,
    isFullSupport: sql`e.full_support`,
    // The empty text keeps the planner off the text index, which it underestimates (60 ms for a word of 150,000 events).
    containing: (word) =>
      sql`${readsTexts ? sql`(e.text_folded || '')` : sql`e.text_folded`} LIKE ${likePattern(word)}`,
    // Both ids are combined into one number, because a list is hashed, while a join would take the scan off its order.
    belongsNow(instruments, customers) {
      const keys = instruments.map((id, index) => String((BigInt(id) << 32n) | BigInt(customers[index] ?? 0)))
      const pair = sql`((e.instrument_id::int8 << 32) | e.customer_id::int8)`
      const isPair = isInList(pair, sql`${keys}::int8[]`, keys.length)
      // A short list is found by the index of instruments.
      return keys.length > plannedValues ? isPair : sql`(${anyOf('instrument', instruments)} AND ${isPair})`
    },
  }
}

function matching(db: Db, { selection, dialect }: Asked) {
  return serviceEvents(db, selection.scope).where(toSql(conditionOf(selection), dialect))
}

/**
 * Returns the exact totals: one scan over the matches, grouped before distinct values are counted (several
 * count(distinct) over events would sort them all: 1.6 s per million), and one over the open events, which are few.
 */
async function readTotals(db: Db, asked: Asked): Promise<EventTotals> {
  const { selection, dialect } = asked
  const found = matching(db, asked)
    .groupBy(['e.instrument_id', 'e.component_id', 'e.customer_id', 'e.site_id'])
    .select(['e.instrument_id', 'e.component_id', 'e.customer_id', 'e.site_id', sql<number>`count(*)`.as('events')])
  const counters = serviceEvents(db, selection.scope)
    .where(isOpen)
    .select(
      Object.entries(countersOf(selection)).map(([name, condition]) =>
        sql<number>`count(*) FILTER (WHERE ${toSql(condition, dialect)})`.as(name),
      ),
    )
  const { rows } = await sql<EventTotals>`
    WITH found AS MATERIALIZED (${found}),
      places AS MATERIALIZED (SELECT DISTINCT customer_id, site_id FROM found)
    SELECT
      (SELECT coalesce(sum(events), 0)::int8 FROM found) AS "events",
      (SELECT count(DISTINCT instrument_id) FROM found) AS "instruments",
      (SELECT count(*) FROM (SELECT DISTINCT instrument_id, component_id FROM found
        WHERE instrument_id IS NOT NULL AND component_id IS NOT NULL) AS pair) AS "components",
      (SELECT count(DISTINCT customer_id) FROM places) AS "customers",
      (SELECT count(*) FROM (SELECT DISTINCT p.customer_id, s.location_key
        FROM places AS p JOIN site AS s ON s.id = p.site_id) AS l) AS "locations",
      open_events.*
    FROM (${counters}) AS open_events`.execute(db)
  const [totals] = rows
  if (!totals) throw new Error('The totals query returned no row.')
  return totals
}

async function readPlaces(db: Db, asked: Asked): Promise<PlaceCount[]> {
  const countOf = (severity: number, condition = sql`true`) =>
    sql<number>`count(*) FILTER (WHERE e.severity = ${sql.lit(severity)} AND ${condition})`
  const rows = await matching(db, asked)
    .groupBy(['e.customer_id', 'e.site_id'])
    .select(['e.customer_id', 'e.site_id', countOf(1).as('low'), countOf(2).as('medium'), countOf(3).as('high')])
    .select([countOf(1, isOpen).as('openLow'), countOf(2, isOpen).as('openMedium'), countOf(3, isOpen).as('openHigh')])
    .execute()
  return rows.map(({ customer_id, site_id, low, medium, high, openLow, openMedium, openHigh }) => ({
    customerId: customer_id,
    siteId: site_id,
    bySeverity: [low, medium, high],
    openBySeverity: [openLow, openMedium, openHigh],
  }))
}

/** Groups once by all columns, so that each column is counted over what these have in common instead of over events. */
async function countValues(db: Db, { columns: counted, runs, ...asked }: Asked & CountQuestion): Promise<ColumnCounts> {
  const names = [...new Set<CountedColumn>([...counted, 'customer'])]
  const refs = { ...columns, run: { ref: sql`CASE WHEN e.run_id = ANY(${[...runs]}::int[]) THEN e.run_id END` } }
  const found = matching(db, asked)
    .groupBy(names.map((_, at) => sql.lit(at + 1)))
    .select(names.map((name) => refs[name].ref.as(name)))
    .select(sql<number>`count(*)`.as('events'))
  const counts = counted.map(
    (name) => sql`SELECT ${sql.lit(name)} AS "column", ${sql.ref(name)}::int AS "value",
      ${name === 'instrument' ? sql.ref('customer') : sql`NULL::int`} AS "customerId", sum(events)::int8 AS "events"
      FROM found GROUP BY 2, 3`,
  )
  const { rows } = await sql<ValueCount & { column: CountedColumn }>`
    WITH found AS MATERIALIZED (${found}) ${sql.join(counts, sql` UNION ALL `)}`.execute(db)
  return Object.groupBy(rows, ({ column }) => column)
}

/**
 * The folded description of an event `e` (db/fold.ts): as many lines of `text_folded` as the description has itself,
 * because the user message follows after a line break, and folding neither adds nor removes line breaks.
 */
export const foldedDescription = sql<string>`CASE WHEN strpos(e.description, E'\\n') = 0 THEN split_part(e.text_folded, E'\\n', 1)
  ELSE array_to_string((string_to_array(e.text_folded, E'\\n'))[:array_length(string_to_array(e.description, E'\\n'), 1)], E'\\n') END`

/** The sort key of each order, from an event `e` and the small tables i, g, s, c, u. */
const sortKeys: Record<Exclude<EventOrderBy, 'contractClock'>, RawBuilder<unknown>> = {
  createdAt: sql`e.created_at`,
  eventId: sql`e.id`,
  severity: sql`e.severity`,
  alertStatus: sql`e.alert_status`,
  // Compared by bytes: independent of the ICU version, and the index in memory does the same without ICU.
  description: sql`${foldedDescription} COLLATE "C"`,
  automaticEmailSentAt: sql`e.automatic_email_sent_at`,
  instrumentStatus: sql`(CASE WHEN i.customer_id = e.customer_id THEN i.status END) ${asPeopleRead}`,
  instrumentProductDescription: sql`i.product_description ${asPeopleRead}`,
  instrumentInstalledProductId: sql`coalesce(i.installed_product_id, g.installed_product_id) ${asPeopleRead}`,
  siteCity: sql`s.city ${asPeopleRead}`,
  enterpriseName: sql`c.name ${asPeopleRead}`,
  claimedBy: sql`(CASE WHEN u.id IS NOT NULL THEN coalesce(u.name, ${NO_NAME}) END) ${asPeopleRead}`,
}

/** Query for the ids of everything that matches, in order. Only the order of creation is read from an index. */
function eventsInOrder(db: Db, asked: Asked, { orderBy, order }: EventOrder) {
  const direction = order === 'ASC' ? 'asc' : 'desc'
  if (orderBy === 'createdAt' || orderBy === 'eventId') {
    const query = matching(db, asked).select('e.id')
    return (orderBy === 'createdAt' ? query.orderBy('e.created_at', direction) : query).orderBy('e.id', direction)
  }
  if (orderBy === 'contractClock') {
    const runs = toSql(contractClockRuns, asked.dialect)
    return matching(db, asked)
      .orderBy(runs, 'desc')
      .orderBy(sql`CASE WHEN ${runs} THEN e.created_at END`, direction)
      .orderBy('e.id', direction)
      .select('e.id')
  }
  return matching(db, asked)
    .leftJoin('instrument as i', (join) => join.on(sql<SqlBool>`i.id = e.instrument_id`))
    .leftJoin('gateway as g', (join) => join.on(sql<SqlBool>`g.id = e.gateway_id`))
    .leftJoin('site as s', (join) => join.on(sql<SqlBool>`s.id = e.site_id`))
    .leftJoin('customer as c', (join) => join.on(sql<SqlBool>`c.id = e.customer_id`))
    .leftJoin('app_user as u', (join) => join.on(sql<SqlBool>`u.id = e.claimed_by`))
    .orderBy(sortKeys[orderBy], direction)
    .orderBy('e.id', direction)
    .select('e.id')
}
