import type { InstrumentFilter } from '@benchwatch/contract/instruments/instruments'
import {
  ALL_FAMILIES,
  excluding,
  type InstrumentFilterCategory,
  instrumentStatuses,
  type MaintenanceState,
  maintenanceStates,
  orcStatuses,
  type UsageLimit,
  usageLimits,
} from '@benchwatch/contract/vocabulary'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { readInstrumentTypes, typesNamed } from '../../db/instrument-type.ts'
import { windowIsOn } from '../../db/maintenance-windows.ts'
import { inScope } from '../../db/scoped.ts'
import { chosenOf, customersNamed, namedBy } from '../../db/sql/named-values.ts'
import { likePattern, wordsOf } from '../../db/sql/words.ts'
import { problem } from '../../platform/http/problem.ts'
import { hasReachedLimit } from '../usage/usage.lookup.ts'

const DAY_MS = 86_400_000

/** A search as requests carry it. Absent parts do not restrict. */
export interface InstrumentSearch {
  filter: InstrumentFilter
  keyword?: string | undefined
  /** Key of a family, or All. */
  family?: string | undefined
  start?: Date | undefined
  stop?: Date | undefined
}

/** A condition on an instrument `i`. */
type Condition = RawBuilder<SqlBool>

interface Asked {
  scope: DataScope
  now: Date
}

type Resolve = (db: Db, asked: Asked & { values: readonly string[] }) => Condition | Promise<Condition>

/**
 * One line for each filter: how its values become a condition. Excluding them is the opposite of that condition. Names
 * are resolved in small tables, so the scan of instruments compares only its own columns.
 */
const filters: Record<InstrumentFilterCategory, Resolve> = {
  instrumentType: async (db, { values }) => anyOf('i.type', await typesNamed(db, values), 'text'),
  instrumentStatus: (_, { values }) => anyOf('i.status', chosenOf(instrumentStatuses, values), 'text'),
  orcStatus: (_, { values }) => anyOf('i.orc_status', chosenOf(orcStatuses, values), 'text'),
  maintenance: (_, { values, now }) => inMaintenance(chosenOf(maintenanceStates, values), now),
  usageLimit: (_, { values, scope }) => atUsageLimit(chosenOf(usageLimits, values), scope),
  contractSLA: async (db, { values }) => anyOf('i.contract_id', await contractsNamed(db, values), 'int'),
  instrumentCustomer: async (db, { values, scope }) =>
    anyOf('i.customer_id', await customersNamed(db, { names: values, scope }), 'int'),
  instrumentRegion: sitesNamed('region'),
  instrumentCountry: sitesNamed('country'),
  instrumentCity: sitesNamed('city'),
  qualifiedSystem: (_, { values }) => anyOf('i.qualified_system', chosenOf(['true', 'false'], values), 'boolean'),
}

/**
 * Resolves the names in a search and returns the condition on an instrument `i` that list, count and export use, so they
 * always agree; the scope is not part of it. Reads only small tables. Spellings are compared here and not in the
 * database, whose lower() depends on its locale.
 */
export async function resolveInstrumentSearch(
  db: Db,
  { search, ...asked }: Asked & { search: InstrumentSearch },
): Promise<Condition> {
  const { filter, family = ALL_FAMILIES, start, stop } = search
  const named = Object.entries(filters).flatMap(([name, resolve]) => {
    const category = name as InstrumentFilterCategory
    return [
      { values: filter[category] ?? [], isExcluded: false },
      { values: filter[excluding(category)] ?? [], isExcluded: true },
    ].flatMap(({ values, isExcluded }) =>
      values.length === 0 ? [] : [conditionOf(resolve(db, { ...asked, values }), isExcluded)],
    )
  })
  const conditions = [
    ...(await Promise.all(named)),
    ...(family === ALL_FAMILIES ? [] : [anyOf('i.type', await typesOf(db, family), 'text')]),
    ...(filter.instruments?.length ? [anyOf('i.installed_product_id', filter.instruments, 'text')] : []),
    ...(start ? [sql<SqlBool>`i.next_service >= ${firstDayFrom(start)}::date`] : []),
    ...(stop ? [sql<SqlBool>`i.next_service < ${firstDayFrom(stop)}::date`] : []),
    ...(await findWords(db, wordsOf(search.keyword ?? ''))),
  ]
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` AND `)})`
}

/** An instrument without a value has none of the excluded values, so it stays. */
async function conditionOf(named: Condition | Promise<Condition>, isExcluded: boolean): Promise<Condition> {
  return isExcluded ? sql`(${await named}) IS NOT TRUE` : named
}

function anyOf(column: string, values: readonly (string | number)[], type: 'text' | 'int' | 'boolean'): Condition {
  return sql`${sql.ref(column)} = ANY(${[...values]}::${sql.raw(type)}[])`
}

/** Returns the keys of the family's types. Throws validation-failed if the family is not registered. */
async function typesOf(db: Db, family: string): Promise<string[]> {
  const { families, types } = await readInstrumentTypes(db)
  if (!families.some(({ key }) => key === family)) {
    throw problem('validation-failed', `There is no instrument family "${family}". Choose a registered one, or All.`, {
      errors: [{ path: 'query.instrumentFamily', message: 'is not an instrument family' }],
    })
  }
  return types.filter((type) => type.family === family).map(({ key }) => key)
}

/**
 * Returns the first day that does not begin before `at`. A next service is a day without a zone and begins at midnight
 * UTC, so start ≤ t < stop compares days in the same way.
 */
function firstDayFrom(at: Date): string {
  return new Date(Math.ceil(at.getTime() / DAY_MS) * DAY_MS).toISOString().slice(0, 10)
}

async function contractsNamed(db: Db, terms: readonly string[]): Promise<number[]> {
  const isNamed = namedBy(terms)
  const rows = await db.selectFrom('contract').where('sla_term', 'is not', null).select(['id', 'sla_term']).execute()
  return rows.filter(({ sla_term }) => isNamed(sla_term)).map(({ id }) => id)
}

function sitesNamed(part: 'region' | 'country' | 'city'): Resolve {
  return async (db, { values, scope }) => {
    const isNamed = namedBy(values)
    const rows = await db
      .selectFrom('site as s')
      .where(inScope(scope, sql.ref('s.customer_id')))
      .select(['s.id', `s.${part} as name`])
      .execute()
    return anyOf(
      'i.site_id',
      rows.filter(({ name }) => isNamed(name)).map(({ id }) => id),
      'int',
    )
  }
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
  return anyCondition(states.map((state) => of[state]))
}

function atUsageLimit(chosen: readonly UsageLimit[], scope: DataScope): Condition {
  const reached = hasReachedLimit(scope)
  const of: Record<UsageLimit, Condition> = { reached, notReached: sql`NOT ${reached}` }
  return anyCondition(chosen.map((one) => of[one]))
}

function anyCondition(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` OR `)})`
}

/** Returns a condition for each word. Customers and places are searched in one statement; the scan searches the names. */
async function findWords(db: Db, words: readonly string[]): Promise<Condition[]> {
  if (words.length === 0) return []
  const patterns = words.map(likePattern)
  const { rows } = await sql<{ customers: number[]; sites: number[] }>`
    SELECT ARRAY(SELECT c.id FROM customer c WHERE c.name_folded LIKE w.pattern) AS customers,
      ARRAY(SELECT s.id FROM site s WHERE s.place_folded LIKE w.pattern) AS sites
    FROM unnest(${patterns}::text[]) WITH ORDINALITY AS w (pattern, position) ORDER BY w.position`.execute(db)
  return patterns.map((pattern, index) => {
    const { customers = [], sites = [] } = rows[index] ?? {}
    const arms = [
      sql<SqlBool>`i.search_folded LIKE ${pattern}`,
      ...(customers.length > 0 ? [anyOf('i.customer_id', customers, 'int')] : []),
      ...(sites.length > 0 ? [anyOf('i.site_id', sites, 'int')] : []),
    ]
    return sql`(${sql.join(arms, sql` OR `)})`
  })
}
