import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DataScope } from '../../../db/actor.ts'
import { isOpen } from '../../../db/scoped.ts'
import type { IdRange } from '../keyword.ts'

/**
 * THE predicate of a search for service events: filter, keyword, range, flags and positions. List, totals, map, export and
 * selection all take it from here, so they can't disagree. Long ranges of large tables are searched in memory instead, by
 * the same predicate in `column-match.ts` (decision 0011). The data scope is put on by `serviceEvents(db, scope)`, which
 * every reader starts from with the selection's own scope.
 *
 * What a person named by words (customers, cities, components, contract terms) was looked up in the small tables before
 * (`selection.queries.ts`), so the scan of events compares numbers alone and stays on its indexes. An event that lacks a
 * category, such as an edge issue without instrument, has null there and is not found by it.
 */

/** A search, resolved to ids and codes. A list that is null restricts nothing; an empty one lets nothing through. */
export interface EventSelection {
  /** The caller's data scope, narrowed to the customers of the filter. */
  scope: DataScope
  start: Date | null
  stop: Date | null
  flags: QuickFilters
  now: Date
  severities: number[] | null
  alertTypes: number[] | null
  alertStatuses: number[] | null
  closeReasons: number[] | null
  owners: { ids: number[]; none: boolean } | null
  components: number[] | null
  /** From the site's region, country, city and the positions. */
  sites: number[] | null
  instruments: {
    ids: number[]
    /** Customers that the instruments belong to now, in the same order: set where what they have *now* is asked for. */
    customersNow: number[] | null
  } | null
  words: SelectedWord[]
  /** The range holds so few events that looking into each text takes less time than the text index. */
  readsTexts: boolean
}

export interface QuickFilters {
  noOwner: boolean
  noAction: boolean
  fullSupport: boolean
}

/** A word of the keyword with everything it was found in. */
export interface SelectedWord {
  /** The word itself, to look for in description and user message; null for a short one. */
  text: string | null
  /** The same as a pattern. */
  textPattern: string | null
  instruments: number[]
  /** Instruments whose name in the laboratory alone holds the word: found by their customers of today, in the same order. */
  namedNow: { ids: number[]; customersNow: number[] }
  /** Gateways whose own installed product id an edge issue shows. */
  gateways: number[]
  components: number[]
  customers: number[]
  sites: number[]
  owners: number[]
  eventIds: IdRange[]
}

type Condition = RawBuilder<SqlBool>

const HOUR_MS = 3_600_000
/** Specification: no owner for 2 hours and more, no action for 24 hours and more. */
export const NO_OWNER_AFTER_MS = 2 * HOUR_MS
export const NO_ACTION_AFTER_MS = 24 * HOUR_MS

/** Everything but the flags, which the three counters ignore, and the range. */
function filterConditions(selection: EventSelection): Condition[] {
  return [
    ...anyOf('e.severity', selection.severities, 'smallint'),
    ...anyOf('e.alert_type', selection.alertTypes, 'smallint'),
    ...anyOf('e.alert_status', selection.alertStatuses, 'smallint'),
    ...anyOf('e.reason_closed', selection.closeReasons, 'smallint'),
    ...anyOf('e.component_id', selection.components, 'int'),
    ...anyOf('e.site_id', selection.sites, 'int'),
    ...ownerConditions(selection),
    ...instrumentConditions(selection),
    ...selection.words.map((word) => wordCondition(word, selection)),
  ]
}

/** start ≤ created_at < stop. */
function rangeConditions({ start, stop }: EventSelection): Condition[] {
  return [
    ...(start ? [sql<SqlBool>`e.created_at >= ${start}`] : []),
    ...(stop ? [sql<SqlBool>`e.created_at < ${stop}`] : []),
  ]
}

/** New, without owner, created two hours ago or earlier. */
export function noOwnerCondition(now: Date): Condition {
  return sql`(e.alert_status = 1 AND e.claimed_by IS NULL AND e.created_at <= ${new Date(now.getTime() - NO_OWNER_AFTER_MS)})`
}

/** In progress and unchanged for 24 hours or longer. */
export function noActionCondition(now: Date): Condition {
  return sql`(e.alert_status = 2 AND e.last_action_at <= ${new Date(now.getTime() - NO_ACTION_AFTER_MS)})`
}

/** Not closed and raised under a 24-hour contract. */
export const fullSupportCondition: Condition = sql`(${isOpen} AND e.full_support)`

/** Created before the range begins; never where it has no beginning. */
export function beforeRange({ start }: EventSelection): Condition {
  return start ? sql`e.created_at < ${start}` : sql`false`
}

function flagConditions({ flags, now }: EventSelection): Condition[] {
  return [
    ...(flags.noOwner ? [noOwnerCondition(now)] : []),
    ...(flags.noAction ? [noActionCondition(now)] : []),
    ...(flags.fullSupport ? [fullSupportCondition] : []),
  ]
}

/** The selection as one condition on `e`, without its scope. */
export function matches(selection: EventSelection): Condition {
  return all([...rangeConditions(selection), ...flagConditions(selection), ...filterConditions(selection)])
}

/** Its parts, for those who need them apart: counters ignore the flags, and older open events lie before the range. */
export const parts = {
  range: (selection: EventSelection): Condition => all(rangeConditions(selection)),
  flags: (selection: EventSelection): Condition => all(flagConditions(selection)),
  filter: (selection: EventSelection): Condition => all(filterConditions(selection)),
}

function all(conditions: Condition[]): Condition {
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` AND `)})`
}

/** Whether nothing but scope and range narrows the selection, so that the rollups know its totals. */
export function isUnfiltered(selection: EventSelection): boolean {
  return flagConditions(selection).length === 0 && filterConditions(selection).length === 0
}

function anyOf(column: string, values: readonly number[] | null, type: 'int' | 'smallint'): Condition[] {
  return values === null ? [] : [isAnyOf(column, values, type)]
}

/**
 * Above this many the planner's look at each of them costs more than it gains (4,000 instruments: 15 ms per condition), and
 * no index would be used anyway.
 */
const PLANNED_VALUES = 300

function isAnyOf(column: string, values: readonly number[], type: 'int' | 'smallint' = 'int'): Condition {
  return isInList(sql.ref(column), sql`${[...values]}::${sql.raw(type)}[]`, values.length)
}

/** Membership by hash. IS TRUE keeps a long list a filter; as a join it would take the scan off its order. */
function isInList(value: RawBuilder<unknown>, list: RawBuilder<unknown>, length: number): Condition {
  return length <= PLANNED_VALUES ? sql`${value} = ANY(${list})` : sql`(${value} IN (SELECT unnest(${list}))) IS TRUE`
}

function ownerConditions({ owners }: EventSelection): Condition[] {
  if (owners === null) return []
  const byUser = isAnyOf('e.claimed_by', owners.ids)
  if (!owners.none) return [byUser]
  return [owners.ids.length === 0 ? sql`e.claimed_by IS NULL` : sql`(e.claimed_by IS NULL OR ${byUser})`]
}

function instrumentConditions({ instruments }: EventSelection): Condition[] {
  if (instruments === null) return []
  const { ids, customersNow } = instruments
  return [customersNow === null ? isAnyOf('e.instrument_id', ids) : isOneThatBelongsNow(ids, customersNow)]
}

/** A short list is looked up by the index of instruments; a long one is hashed once, by both ids. */
function isOneThatBelongsNow(instrumentIds: readonly number[], customerIds: readonly number[]): Condition {
  const belongs = belongsNow(instrumentIds, customerIds)
  if (instrumentIds.length > PLANNED_VALUES) return belongs
  return sql`(${isAnyOf('e.instrument_id', instrumentIds)} AND ${belongs})`
}

/**
 * The instrument still belongs to the customer under whom the event was raised: what it has now (status, contract, name)
 * is nothing to a former customer. Both ids as one number, because a list is hashed and a join would take the scan off
 * its order.
 */
export function belongsNow(instrumentIds: readonly number[], customerIds: readonly number[]): Condition {
  const keys = instrumentIds.map((id, index) => String((BigInt(id) << 32n) | BigInt(customerIds[index] ?? 0)))
  return isInList(sql`((e.instrument_id::int8 << 32) | e.customer_id::int8)`, sql`${keys}::int8[]`, keys.length)
}

/** One arm per field; an arm that found nothing is left out, so that the rest can be looked up in their indexes. */
function wordCondition(word: SelectedWord, { readsTexts }: EventSelection): Condition {
  const arms: Condition[] = []
  for (const [column, ids] of [
    ['e.instrument_id', word.instruments],
    ['e.component_id', word.components],
    ['e.customer_id', word.customers],
    ['e.site_id', word.sites],
    ['e.claimed_by', word.owners],
  ] as const) {
    if (ids.length > 0) arms.push(isAnyOf(column, ids))
  }
  const { ids, customersNow } = word.namedNow
  if (ids.length > 0) arms.push(isOneThatBelongsNow(ids, customersNow))
  if (word.gateways.length > 0) arms.push(sql`(e.is_edge_issue AND ${isAnyOf('e.gateway_id', word.gateways)})`)
  for (const { from, to } of word.eventIds) arms.push(sql`e.id BETWEEN ${from} AND ${to}`)
  if (word.textPattern !== null) {
    // Last, because it takes longest; the empty text keeps the planner from the text index, which it takes for cheap (60 ms for a word of 150,000 events).
    const text = readsTexts ? sql`(e.text_folded || '')` : sql`e.text_folded`
    arms.push(sql`${text} LIKE ${word.textPattern}`)
  }
  return arms.length === 0 ? sql`false` : sql`(${sql.join(arms, sql` OR `)})`
}
