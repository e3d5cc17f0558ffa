import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DataScope } from '../../../db/actor.ts'
import { isOpen } from '../../../db/scoped.ts'
import type { IdRange } from '../keyword.ts'

/**
 * THE predicate of a search for service events: filter, keyword, range, flags and positions. List, totals, map, export
 * and selection all use it, so they always agree. Long ranges of large tables are searched in memory instead, by the
 * same predicate in `column-match.ts` (decision 0011). The data scope is applied by `serviceEvents(db, scope)`, which
 * every reader starts from with the scope of the selection.
 *
 * Names in a search (customers, cities, components, contract terms) were resolved in the small tables before
 * (`selection.queries.ts`), so the scan of events compares only numbers and stays on its indexes. An event without a
 * category, such as an edge issue without an instrument, has null there and does not match.
 */

/** A search, resolved to ids and codes. A null list does not restrict; an empty list matches nothing. */
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
  /** Sites that match region, country, city and positions. */
  sites: number[] | null
  instruments: {
    ids: number[]
    /**
     * Present customers of the instruments, in the same order; set if the filter concerns the *current* data of the
     * instrument.
     */
    customersNow: number[] | null
  } | null
  words: SelectedWord[]
  /** True if the range holds so few events that reading each text is faster than the text index. */
  readsTexts: boolean
}

export interface QuickFilters {
  noOwner: boolean
  noAction: boolean
  fullSupport: boolean
}

/** A word of the keyword with everything it was found in. */
export interface SelectedWord {
  /** The word itself, to find in description and user message; null if it is too short. */
  text: string | null
  /** The same as a LIKE pattern. */
  textPattern: string | null
  instruments: number[]
  /** Instruments that match by their system name alone, with their present customers in the same order. */
  namedNow: { ids: number[]; customersNow: number[] }
  /** Gateways that match by their own installed product ID, which edge issues show. */
  gateways: number[]
  components: number[]
  customers: number[]
  sites: number[]
  owners: number[]
  eventIds: IdRange[]
}

type Condition = RawBuilder<SqlBool>

const HOUR_MS = 3_600_000
/** Specification: no owner for 2 hours or more, no action for 24 hours or more. */
export const NO_OWNER_AFTER_MS = 2 * HOUR_MS
export const NO_ACTION_AFTER_MS = 24 * HOUR_MS

/** Returns all conditions except the range and the quick filters, which the three counters ignore. */
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

/** Condition for events created before the range begins; never true without a start. */
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

/** Returns the selection as one condition on `e`, without its scope. */
export function matches(selection: EventSelection): Condition {
  return all([...rangeConditions(selection), ...flagConditions(selection), ...filterConditions(selection)])
}

/** The parts of the condition: counters ignore the flags, and older open events lie before the range. */
export const parts = {
  range: (selection: EventSelection): Condition => all(rangeConditions(selection)),
  flags: (selection: EventSelection): Condition => all(flagConditions(selection)),
  filter: (selection: EventSelection): Condition => all(filterConditions(selection)),
}

function all(conditions: Condition[]): Condition {
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` AND `)})`
}

/** True if only scope and range narrow the selection, so that the rollups hold its totals. */
export function isUnfiltered(selection: EventSelection): boolean {
  return flagConditions(selection).length === 0 && filterConditions(selection).length === 0
}

function anyOf(column: string, values: readonly number[] | null, type: 'int' | 'smallint'): Condition[] {
  return values === null ? [] : [isAnyOf(column, values, type)]
}

/**
 * Above this length, the time that the planner spends on each value outweighs the gain (4,000 instruments: 15 ms per
 * condition), and it would use no index anyway.
 */
const PLANNED_VALUES = 300

function isAnyOf(column: string, values: readonly number[], type: 'int' | 'smallint' = 'int'): Condition {
  return isInList(sql.ref(column), sql`${[...values]}::${sql.raw(type)}[]`, values.length)
}

/** Tests membership by hash. IS TRUE keeps a long list a filter; as a join it would take the scan off its order. */
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

/** Finds a short list by the index of instruments; hashes a long list once, by both ids. */
function isOneThatBelongsNow(instrumentIds: readonly number[], customerIds: readonly number[]): Condition {
  const belongs = belongsNow(instrumentIds, customerIds)
  if (instrumentIds.length > PLANNED_VALUES) return belongs
  return sql`(${isAnyOf('e.instrument_id', instrumentIds)} AND ${belongs})`
}

/**
 * True if the instrument still belongs to the customer of the event: current data of the instrument (status, contract,
 * name) is hidden from a former customer. Both ids are combined into one number, because a list is hashed, while a
 * join would take the scan off its order.
 */
export function belongsNow(instrumentIds: readonly number[], customerIds: readonly number[]): Condition {
  const keys = instrumentIds.map((id, index) => String((BigInt(id) << 32n) | BigInt(customerIds[index] ?? 0)))
  return isInList(sql`((e.instrument_id::int8 << 32) | e.customer_id::int8)`, sql`${keys}::int8[]`, keys.length)
}

/** Returns one arm per field; arms without a match are left out, so that the others can use their indexes. */
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
    // Last, because it takes longest. The empty text keeps the planner off the text index, which it underestimates (60
    // ms for a word of 150,000 events).
    const text = readsTexts ? sql`(e.text_folded || '')` : sql`e.text_folded`
    arms.push(sql`${text} LIKE ${word.textPattern}`)
  }
  return arms.length === 0 ? sql`false` : sql`(${sql.join(arms, sql` OR `)})`
}
