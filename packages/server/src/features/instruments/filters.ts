import type {
  InstrumentStatus,
  InstrumentType,
  MaintenanceState,
  OrcStatus,
  UsageLimit,
} from '@benchwatch/contract/vocabulary'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import { windowIsOn } from '../../db/maintenance-windows.ts'
import { hasReachedLimit } from '../usage/usage.lookup.ts'

/**
 * THE predicate of a search for instruments: filter, keyword, family and range. List, count and export all use it, so
 * they always agree. The data scope is applied by `instruments(db, scope)`, which every reader starts from with the
 * scope of the selection.
 *
 * Names in a search (customers, places, contract terms) were resolved in the small tables before
 * (`selection.queries.ts`), so the scan of instruments compares only its own columns.
 */

/** A search, resolved to ids. A null list does not restrict; an empty list matches nothing. */
export interface InstrumentSelection {
  /** The caller's data scope, narrowed to the customers of the filter. */
  scope: DataScope
  now: Date
  types: InstrumentType[] | null
  statuses: InstrumentStatus[] | null
  orcStatuses: OrcStatus[] | null
  maintenance: MaintenanceState[] | null
  usageLimits: UsageLimit[] | null
  qualified: boolean[] | null
  contracts: number[] | null
  /** Sites that match region, country and city. */
  sites: number[] | null
  installedProductIds: string[] | null
  /** Days of the next service, YYYY-MM-DD: from the first on, before the second. */
  nextService: { from: string | null; before: string | null }
  words: InstrumentWord[]
}

/** A word of the keyword with the customers and sites it was found in. */
export interface InstrumentWord {
  /** LIKE pattern for description, system name and installed product ID, folded. */
  pattern: string
  customers: number[]
  sites: number[]
}

type Condition = RawBuilder<SqlBool>

/** Returns the selection as one condition on `i`, without its scope. */
export function matches(selection: InstrumentSelection): Condition {
  const { nextService, maintenance, usageLimits } = selection
  const conditions = [
    ...anyOf('i.type', selection.types, 'text'),
    ...anyOf('i.status', selection.statuses, 'text'),
    ...anyOf('i.orc_status', selection.orcStatuses, 'text'),
    ...anyOf('i.qualified_system', selection.qualified, 'boolean'),
    ...anyOf('i.contract_id', selection.contracts, 'int'),
    ...anyOf('i.site_id', selection.sites, 'int'),
    ...anyOf('i.installed_product_id', selection.installedProductIds, 'text'),
    ...(nextService.from === null ? [] : [sql<SqlBool>`i.next_service >= ${nextService.from}::date`]),
    ...(nextService.before === null ? [] : [sql<SqlBool>`i.next_service < ${nextService.before}::date`]),
    ...(maintenance === null ? [] : [inMaintenance(maintenance, selection.now)]),
    ...(usageLimits === null ? [] : [atUsageLimit(usageLimits, selection.scope)]),
    ...selection.words.map(wordCondition),
  ]
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` AND `)})`
}

function anyOf(
  column: string,
  values: readonly (string | number | boolean)[] | null,
  type: 'text' | 'int' | 'boolean',
): Condition[] {
  return values === null ? [] : [sql`${sql.ref(column)} = ANY(${[...values]}::${sql.raw(type)}[])`]
}

/**
 * On: a window is in force now. Scheduled: none is, but one lies ahead. None: neither. Windows are few, so each state
 * is a set of instruments that is hashed once, instead of a look-up per instrument.
 */
function inMaintenance(states: readonly MaintenanceState[], now: Date): Condition {
  const isOn = sql<SqlBool>`i.id IN (SELECT w.instrument_id FROM maintenance_window w
    WHERE ${windowIsOn(now)})`
  const isPlanned = sql<SqlBool>`i.id IN (SELECT w.instrument_id FROM maintenance_window w WHERE w.start_at > ${now})`
  const of: Record<MaintenanceState, Condition> = {
    on: isOn,
    scheduled: sql`(${isPlanned} AND NOT ${isOn})`,
    none: sql`(NOT ${isOn} AND NOT ${isPlanned})`,
  }
  return states.length === 0
    ? sql`false`
    : sql`(${sql.join(
        states.map((state) => of[state]),
        sql` OR `,
      )})`
}

function atUsageLimit(chosen: readonly UsageLimit[], scope: DataScope): Condition {
  const of: Record<UsageLimit, Condition> = {
    reached: hasReachedLimit(scope),
    notReached: sql`NOT ${hasReachedLimit(scope)}`,
  }
  return chosen.length === 0
    ? sql`false`
    : sql`(${sql.join(
        chosen.map((one) => of[one]),
        sql` OR `,
      )})`
}

function wordCondition({ pattern, customers, sites }: InstrumentWord): Condition {
  const arms = [
    sql<SqlBool>`i.search_folded LIKE ${pattern}`,
    ...(customers.length > 0 ? anyOf('i.customer_id', customers, 'int') : []),
    ...(sites.length > 0 ? anyOf('i.site_id', sites, 'int') : []),
  ]
  return sql`(${sql.join(arms, sql` OR `)})`
}
