import type { EventFilter } from '@benchwatch/contract/events/events'
import {
  alertStatuses,
  type ContractClock,
  closeReasons,
  contractClockHours,
  contractClocks,
  type EventFilterCategory,
  excluding,
  instrumentStatuses,
  SYSTEM_OWNER,
  severities,
} from '@benchwatch/contract/vocabulary'
import { type RawBuilder, sql } from 'kysely'
import type { DataScope } from '../../../db/actor.ts'
import type { Db } from '../../../db/connect.ts'
import { fold } from '../../../db/fold.ts'
import { typesNamed } from '../../../db/instrument-type.ts'
import { inScope, instruments, runs } from '../../../db/scoped.ts'
import { chosenOf, customersNamed, namedBy } from '../../../db/sql/named-values.ts'
import { severityCodes } from '../../../db/sql/severity.ts'
import { alertStatusCodes, closeReasonCode, SYSTEM_USER_ID } from '../event-codes.ts'
import { type KeywordWord, keywordWords } from '../keyword.ts'
import type { CodeColumn, Condition } from './condition.ts'

/** A search as requests carry it. Absent parts do not restrict. */
export interface EventQuery {
  filter: EventFilter
  /** Positions of sites in degrees; an empty list does not restrict. */
  positions?: readonly (readonly [number, number])[] | undefined
  keyword?: string | undefined
  start?: Date | undefined
  stop?: Date | undefined
  flags?: QuickFilters
}

interface QuickFilters {
  noOwner?: boolean | undefined
  noAction?: boolean | undefined
  fullSupport?: boolean | undefined
}

/** A search with every name resolved to ids. All engines answer it alike. */
export interface EventSelection {
  /** The caller's data scope, narrowed to the customers of the filter. */
  scope: DataScope
  /** Condition of filter, keyword and positions, which the three counters use too. */
  filter: Condition
  /** start ≤ created < stop. Null does not restrict. */
  start: Date | null
  stop: Date | null
  flags: QuickFilters
  now: Date
}

const HOUR_MS = 3_600_000
/** Specification: no owner for 2 hours or more, no action for 24 hours or more. */
const NO_OWNER_AFTER_MS = 2 * HOUR_MS
const NO_ACTION_AFTER_MS = 24 * HOUR_MS

/** The three quick filters, each with a counter of its own in the totals. */
const quickFilters: Record<keyof QuickFilters, (now: Date) => Condition> = {
  /** New, without owner, created two hours ago or earlier. */
  noOwner: (now) => ({
    is: 'all',
    of: [
      { is: 'open' },
      { is: 'anyOf', column: 'alertStatus', values: [alertStatusCodes['1_NEW']] },
      { is: 'withoutOwner' },
      { is: 'until', column: 'createdAt', at: new Date(now.getTime() - NO_OWNER_AFTER_MS) },
    ],
  }),
  /** In progress and unchanged for 24 hours or longer. */
  noAction: (now) => ({
    is: 'all',
    of: [
      { is: 'open' },
      { is: 'anyOf', column: 'alertStatus', values: [alertStatusCodes['2_IN_PROGRESS']] },
      { is: 'until', column: 'lastActionAt', at: new Date(now.getTime() - NO_ACTION_AFTER_MS) },
    ],
  }),
  /** Not closed and raised under a 24-hour contract. */
  fullSupport: () => ({ is: 'all', of: [{ is: 'open' }, { is: 'fullSupport' }] }),
}

/** Everything that a selection asks for, apart from its scope. */
export function conditionOf(selection: EventSelection): Condition {
  return { is: 'all', of: [rangeOf(selection), flagsOf(selection), selection.filter] }
}

function rangeOf({ start, stop }: EventSelection): Condition {
  return {
    is: 'all',
    of: [
      ...(start ? [{ is: 'from', column: 'createdAt', at: start } as const] : []),
      ...(stop ? [{ is: 'before', column: 'createdAt', at: stop } as const] : []),
    ],
  }
}

function flagsOf({ flags, now }: EventSelection): Condition {
  const chosen = Object.entries(quickFilters).filter(([name]) => flags[name as keyof QuickFilters])
  return { is: 'all', of: chosen.map(([, condition]) => condition(now)) }
}

/**
 * The counters of open events. Their condition is only for open events. The quick filters restrict only the older open
 * events: those from before the range begins, and none without a start.
 */
export function countersOf(selection: EventSelection) {
  const { start, filter, now } = selection
  const counter = (...of: Condition[]): Condition => ({ is: 'all', of: [...of, filter] })
  const inRange = rangeOf(selection)
  return {
    noOwnerEvents: counter(quickFilters.noOwner(now), inRange),
    noActionEvents: counter(quickFilters.noAction(now), inRange),
    fullSupportEvents: counter(quickFilters.fullSupport(now), inRange),
    olderOpenEvents: start
      ? counter({ is: 'open' }, { is: 'before', column: 'createdAt', at: start }, flagsOf(selection))
      : ({ is: 'any', of: [] } as const),
  }
}

type Resolve = (
  db: Db,
  input: { values: readonly string[]; scope: DataScope; now: Date },
) => Condition | Promise<Condition>

/**
 * One line for each filter: how its values become a condition. Everything else about a filter follows from it and from
 * its line in `eventFilterCategories` of the contract (label, order, whether edge issues have a value), and excluding its
 * values is the opposite of that condition.
 */
const filters: Record<EventFilterCategory, Resolve> = {
  enterpriseName: async (db, { values, scope }) => ({
    is: 'anyOf',
    column: 'customer',
    values: await customersNamed(db, { names: values, scope }),
  }),
  alertStatus: code('alertStatus', (values) => chosenOf(alertStatuses, values).map((one) => alertStatusCodes[one])),
  alertType: code('alertType', (values) => chosenOf(['1', '2'], values).map(Number)),
  severity: code('severity', (values) => chosenOf(severities, values).map((one) => severityCodes[one])),
  owner: (_, { values }) => ownersNamed(values),
  reasonClosed: code('closeReason', (values) => chosenOf(closeReasons, values).map((one) => closeReasonCode(one))),
  componentName: idsNamed('component', (db) => db.selectFrom('component').select(['id', 'name as value']).execute()),
  componentType: idsNamed('component', (db) => db.selectFrom('component').select(['id', 'type as value']).execute()),
  instrumentType: instrumentsBy(async (values, db) => sql`i.type = ANY(${await typesNamed(db, values)}::text[])`),
  qualifiedSystem: instrumentsBy(
    (values) => sql`i.qualified_system = ANY(${chosenOf(['true', 'false'], values)}::boolean[])`,
  ),
  instrumentStatus: presentInstrumentsBy(
    (values) => sql`i.status = ANY(${chosenOf(instrumentStatuses, values)}::text[])`,
  ),
  run: async (db, { values, scope }) => {
    const isNamed = namedBy(values)
    const rows = await runs(db, scope)
      .where('r.name_folded', 'in', [...new Set(values.map(fold))])
      .select(['r.id', 'r.name'])
      .execute()
    return { is: 'anyOf', column: 'run', values: rows.filter(({ name }) => isNamed(name)).map(({ id }) => id) }
  },
  contractSLA: presentInstrumentsBy(
    async (values, db) => sql`k.sla_term = ANY(${await contractTerms(db, values)}::text[])`,
  ),
  contractClock: (_, { values, now }) => clocksWith(chosenOf(contractClocks, values), now),
  siteRegion: idsNamed('site', (db, scope) => sitesIn(db, scope).select(['s.id', 's.region as value']).execute()),
  siteCountry: idsNamed('site', (db, scope) => sitesIn(db, scope).select(['s.id', 's.country as value']).execute()),
  siteCity: idsNamed('site', (db, scope) => sitesIn(db, scope).select(['s.id', 's.city as value']).execute()),
}

/**
 * Resolves the names in a search and returns the selection that every engine answers. Reads only small tables.
 * Spellings are compared here and not in the database, whose lower() depends on its locale.
 */
export async function resolveSelection(
  db: Db,
  { search, scope: given, now }: { search: EventQuery; scope: DataScope; now: Date },
): Promise<EventSelection> {
  const { enterpriseName: names = [], ...filter } = search.filter
  // As a scope, they keep the counters off the open events of others: 20 instead of 75 ms for 10,000 in PostgreSQL.
  const scope = names.length === 0 ? given : await customersNamed(db, { names, scope: given })
  const selectionFor = await resolveForCounts(db, { search: { ...search, filter }, scope, now })
  return selectionFor(null)
}

/**
 * Resolves a search as `resolveSelection` does, and returns the selection in which the values of one category restrict
 * nothing, neither wanted nor excluded ones; all categories restrict the selection for null.
 */
export async function resolveForCounts(
  db: Db,
  { search, scope, now }: { search: EventQuery; scope: DataScope; now: Date },
): Promise<(category: EventFilterCategory | null) => EventSelection> {
  const { positions, start = null, stop = null, flags = {} } = search
  const naming = Object.entries(filters).flatMap(([name, resolve]) => {
    const category = name as EventFilterCategory
    const wanted = search.filter[category]
    const excluded = search.filter[excluding(category)]
    const conditions = [
      ...(wanted?.length ? [resolve(db, { values: wanted, scope, now })] : []),
      ...(excluded?.length ? [withoutAny(resolve(db, { values: excluded, scope, now }))] : []),
    ]
    return conditions.map(async (condition) => ({ category, condition: await condition }))
  })
  const [named, words, places] = await Promise.all([
    Promise.all(naming),
    findWords(db, keywordWords(search.keyword ?? '')),
    Promise.all(positions?.length ? [sitesAt(db, { positions, scope })] : []),
  ])
  return (without) => {
    const others = named.filter(({ category }) => category !== without).map(({ condition }) => condition)
    return { scope, filter: { is: 'all', of: [...others, ...places, ...words] }, start, stop, flags, now }
  }
}

/** Excludes events. One without a value has none of the excluded values, so it stays. */
async function withoutAny(excluded: Condition | Promise<Condition>): Promise<Condition> {
  return { is: 'not', of: await excluded }
}

/** The contract clock of an event runs: it is open, under a 24-hour contract, and has no owner. */
export const contractClockRuns: Condition = {
  is: 'all',
  of: [{ is: 'open' }, { is: 'fullSupport' }, { is: 'withoutOwner' }],
}

/** An event under a 24-hour contract has an owner or is closed. */
const contractClockStopped: Condition = {
  is: 'all',
  of: [{ is: 'fullSupport' }, { is: 'not', of: contractClockRuns }],
}

/** The contract clock of an event has one of these values at the moment. */
export function clocksWith(chosen: readonly ContractClock[], now: Date): Condition {
  const createdAt = (left: number) => new Date(now.getTime() - (contractClockHours.promised - left) * HOUR_MS)
  const soon = createdAt(contractClockHours.soon)
  const due = createdAt(0)
  const spans: Record<Exclude<ContractClock, 'stopped'>, Condition> = {
    over4h: { is: 'from', column: 'createdAt', at: soon },
    under4h: {
      is: 'all',
      of: [
        { is: 'from', column: 'createdAt', at: due },
        { is: 'before', column: 'createdAt', at: soon },
      ],
    },
    overdue: { is: 'before', column: 'createdAt', at: due },
  }
  const running = chosen.filter((one) => one !== 'stopped').map((one) => spans[one])
  const stopped = chosen.includes('stopped') ? [contractClockStopped] : []
  return { is: 'any', of: [{ is: 'all', of: [contractClockRuns, { is: 'any', of: running }] }, ...stopped] }
}

/** A filter on a column of the event itself. */
function code(column: CodeColumn, codes: (values: readonly string[]) => number[]): Resolve {
  return (_, { values }) => ({ is: 'anyOf', column, values: codes(values) })
}

function ownersNamed(values: readonly string[]): Condition {
  const names = new Set(values.map((value) => value.toLowerCase()))
  const ids = [...names].filter((name) => /^[1-9]\d{0,8}$/.test(name)).map(Number)
  if (names.has(SYSTEM_OWNER.toLowerCase())) ids.push(SYSTEM_USER_ID)
  const named: Condition = { is: 'anyOf', column: 'owner', values: ids }
  return names.has('none') ? { is: 'any', of: [{ is: 'withoutOwner' }, named] } : named
}

/** A filter by a name in a small table, such as the city of a site. An event stays at the site where it was raised. */
function idsNamed(
  column: CodeColumn,
  read: (db: Db, scope: DataScope) => Promise<{ id: number; value: string | null }[]>,
): Resolve {
  return async (db, { values, scope }) => {
    const isNamed = namedBy(values)
    const rows = await read(db, scope)
    return { is: 'anyOf', column, values: rows.filter(({ value }) => isNamed(value)).map(({ id }) => id) }
  }
}

function sitesIn(db: Db, scope: DataScope) {
  return db.selectFrom('site as s').where(inScope(scope, sql.ref('s.customer_id')))
}

type InstrumentCondition = (values: readonly string[], db: Db) => RawBuilder<unknown> | Promise<RawBuilder<unknown>>

/**
 * A filter by what never changes about an instrument. It covers all customers: an instrument that has moved keeps its
 * type for its former customer's events.
 */
function instrumentsBy(condition: InstrumentCondition): Resolve {
  return async (db, { values }) => {
    const rows = await instrumentsWhere(db, await condition(values, db))
    return { is: 'anyOf', column: 'instrument', values: rows.map(({ id }) => id) }
  }
}

/** A filter by current data of an instrument, which only its present customer sees. */
function presentInstrumentsBy(condition: InstrumentCondition): Resolve {
  return async (db, { values }) => {
    const rows = await instrumentsWhere(db, await condition(values, db))
    return {
      is: 'belongsNow',
      instruments: rows.map(({ id }) => id),
      customers: rows.map(({ customer_id }) => customer_id),
    }
  }
}

function instrumentsWhere(db: Db, condition: RawBuilder<unknown>) {
  return instruments(db, 'all')
    .leftJoin('contract as k', (join) =>
      join.onRef('k.id', '=', 'i.contract_id').onRef('k.customer_id', '=', 'i.customer_id'),
    )
    .where(sql<boolean>`${condition}`)
    .select(['i.id', 'i.customer_id'])
    .execute()
}

/** Returns the terms as contracts spell them. */
async function contractTerms(db: Db, values: readonly string[]): Promise<string[]> {
  const isNamed = namedBy(values)
  const rows = await db.selectFrom('contract').select('sla_term').distinct().execute()
  return rows.flatMap(({ sla_term }) => (sla_term && isNamed(sla_term) ? [sla_term] : []))
}

async function sitesAt(
  db: Db,
  { positions, scope }: { positions: readonly (readonly [number, number])[]; scope: DataScope },
): Promise<Condition> {
  const wanted = new Set(positions.map(([latitude, longitude]) => positionKey(latitude, longitude)))
  const rows = await sitesIn(db, scope)
    .where('s.latitude', 'is not', null)
    .select(['s.id', 's.latitude', 's.longitude'])
    .execute()
  const found = rows.filter((row) => wanted.has(positionKey(Number(row.latitude), Number(row.longitude))))
  return { is: 'anyOf', column: 'site', values: found.map(({ id }) => id) }
}

/** Positions are stored and compared to five decimals, about a metre. */
function positionKey(latitude: number, longitude: number): string {
  return `${Math.round(latitude * 1e5)} ${Math.round(longitude * 1e5)}`
}

/** Places where a word of the keyword is looked up: the column of events, and the folded text of the small table behind it. */
const searched = [
  // Installed product IDs are ASCII, so lower() of any locale folds them. Edge issues show that of their gateway.
  { column: 'gateway', table: 'gateway', text: sql`lower(t.installed_product_id)` },
  { column: 'component', table: 'component', text: sql`t.name_folded` },
  { column: 'customer', table: 'customer', text: sql`t.name_folded` },
  { column: 'site', table: 'site', text: sql`t.place_folded` },
  { column: 'owner', table: 'app_user', text: sql`t.name_folded` },
] as const

interface FoundInstruments {
  position: number
  ids: number[]
  customersNow: number[]
  /** The description that the instruments share; null if their installed product ID contains the word. */
  description: string | null
}

/** Returns a condition for each word: one of the fields of the event contains it. */
async function findWords(db: Db, words: readonly KeywordWord[]): Promise<Condition[]> {
  if (words.length === 0) return []
  const patterns = sql`unnest(${words.map(({ pattern }) => pattern)}::text[]) WITH ORDINALITY AS w (pattern, position)`
  const finding = sql<{ column: CodeColumn; position: number; ids: number[] }>`${sql.join(
    searched.map(
      ({ column, table, text }) =>
        sql`SELECT ${sql.lit(column)} AS "column", w.position::int AS position, array_agg(t.id) AS ids
          FROM ${sql.table(table)} AS t JOIN ${patterns} ON ${text} LIKE w.pattern GROUP BY w.position`,
    ),
    sql` UNION ALL `,
  )}`.execute(db)
  const naming = sql<FoundInstruments>`
    SELECT w.position::int AS position, array_agg(i.id) AS ids, array_agg(i.customer_id) AS "customersNow",
      CASE WHEN lower(i.installed_product_id) NOT LIKE w.pattern THEN i.product_description END AS description
    FROM (${instruments(db, 'all').selectAll('i')}) AS i JOIN ${patterns} ON i.search_folded LIKE w.pattern
    GROUP BY w.position, 4`.execute(db)
  const [{ rows: found }, { rows: named }] = await Promise.all([finding, naming])
  return words.map((word, index) => {
    const isOfWord = ({ position }: { position: number }) => position === index + 1
    return {
      is: 'any',
      of: [
        ...found.filter(isOfWord).map(({ column, ids }): Condition => ({ is: 'anyOf', column, values: ids })),
        ...instrumentsWith(word, named.filter(isOfWord)),
        ...(word.eventIds ?? []).map(({ from, to }): Condition => ({ is: 'idBetween', from, to })),
        // Last, because it takes longest.
        ...(word.isShort ? [] : [{ is: 'containing', word: word.text } as const]),
      ],
    }
  })
}

/**
 * Finds instruments by their texts. Description and product ID stay with the instrument; its name is set by its
 * present customer. They are stored folded in one column with blanks between and within them, so the few distinct
 * descriptions are folded again.
 */
function instrumentsWith({ text }: KeywordWord, found: readonly FoundInstruments[]): Condition[] {
  const isOwn = ({ description }: FoundInstruments) => description === null || fold(description).includes(text)
  const own = found.filter(isOwn)
  const named = found.filter((row) => !isOwn(row))
  return [
    ...(own.length ? [{ is: 'anyOf', column: 'instrument', values: own.flatMap(({ ids }) => ids) } as const] : []),
    ...(named.length
      ? [
          {
            is: 'belongsNow',
            instruments: named.flatMap(({ ids }) => ids),
            customers: named.flatMap(({ customersNow }) => customersNow),
          } as const,
        ]
      : []),
  ]
}
