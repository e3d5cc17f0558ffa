import type { InstrumentFilter } from '@benchwatch/contract/instruments'
import {
  type InstrumentType,
  instrumentFamilies,
  instrumentStatuses,
  instrumentTypes,
  maintenanceStates,
  orcStatuses,
  usageLimits,
} from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { inScope } from '../../db/scoped.ts'
import { chosenOf, customersNamed, isWanted, wantedNames } from '../../db/sql/named-values.ts'
import { likePattern, wordsOf } from '../../db/sql/words.ts'
import type { InstrumentSelection, InstrumentWord } from './filters.ts'

const DAY_MS = 86_400_000

/** A search as requests carry it. Absent parts do not restrict. */
export interface InstrumentSearch {
  filter: InstrumentFilter
  keyword?: string | undefined
  /** Label of a tab, or All. */
  family?: string | undefined
  start?: Date | undefined
  stop?: Date | undefined
}

/**
 * Resolves the names in a search and returns the selection that every reader of instruments uses. Reads only small
 * tables. Spellings are compared here and not in the database, whose lower() depends on its locale.
 */
export async function resolveSelection(
  db: Db,
  { search, scope, now }: { search: InstrumentSearch; scope: DataScope; now: Date },
): Promise<InstrumentSelection> {
  const { filter } = search
  const customers = await customersNamed(db, { names: filter.instrumentCustomer, scope })
  return {
    scope: customers ?? scope,
    now,
    types: selectedTypes(search),
    statuses: chosenOf(instrumentStatuses, filter.instrumentStatus),
    orcStatuses: chosenOf(orcStatuses, filter.orcStatus),
    maintenance: chosenOf(maintenanceStates, filter.maintenance),
    usageLimits: chosenOf(usageLimits, filter.usageLimit),
    qualified: chosenOf(['true', 'false'], filter.qualifiedSystem)?.map((word) => word === 'true') ?? null,
    contracts: await contractsNamed(db, filter.contractSLA),
    sites: await sitesNamed(db, { filter, scope }),
    installedProductIds: filter.instruments?.length ? filter.instruments : null,
    nextService: { from: firstDayFrom(search.start), before: firstDayFrom(search.stop) },
    words: await findWords(db, wordsOf(search.keyword ?? '')),
  }
}

/** Returns the types of the filter, of the family, or of both. */
function selectedTypes({ filter, family = 'All' }: InstrumentSearch): InstrumentType[] | null {
  const named = chosenOf(instrumentTypes, filter.instrumentType)
  if (family === 'All') return named
  const ofFamily: readonly InstrumentType[] = instrumentFamilies.find((one) => one.family === family)?.types ?? []
  return ofFamily.filter((type) => named?.includes(type) ?? true)
}

/**
 * Returns the first day that does not begin before `at`. A next service is a day without a zone and begins at midnight
 * UTC, so start ≤ t < stop compares days in the same way.
 */
function firstDayFrom(at: Date | undefined): string | null {
  return at ? new Date(Math.ceil(at.getTime() / DAY_MS) * DAY_MS).toISOString().slice(0, 10) : null
}

async function contractsNamed(db: Db, terms: readonly string[] | undefined): Promise<number[] | null> {
  const termNames = wantedNames(terms)
  if (termNames === null) return null
  const rows = await db.selectFrom('contract').where('sla_term', 'is not', null).select(['id', 'sla_term']).execute()
  return rows.filter(({ sla_term }) => termNames.has(sla_term?.toLowerCase() ?? '')).map(({ id }) => id)
}

async function sitesNamed(
  db: Db,
  { filter, scope }: { filter: InstrumentFilter; scope: DataScope },
): Promise<number[] | null> {
  const regions = wantedNames(filter.instrumentRegion)
  const countries = wantedNames(filter.instrumentCountry)
  const cities = wantedNames(filter.instrumentCity)
  if (regions === null && countries === null && cities === null) return null
  const rows = await db
    .selectFrom('site as s')
    .where(inScope(scope, sql.ref('s.customer_id')))
    .select(['s.id', 's.region', 's.country', 's.city'])
    .execute()
  return rows
    .filter((row) => isWanted(regions, row.region) && isWanted(countries, row.country) && isWanted(cities, row.city))
    .map(({ id }) => id)
}

/** Finds each word among customers and places, in one statement; the scan searches the names of instruments. */
async function findWords(db: Db, words: readonly string[]): Promise<InstrumentWord[]> {
  if (words.length === 0) return []
  const patterns = words.map(likePattern)
  const { rows } = await sql<Omit<InstrumentWord, 'pattern'>>`
    SELECT ARRAY(SELECT c.id FROM customer c WHERE c.name_folded LIKE w.pattern) AS customers,
      ARRAY(SELECT s.id FROM site s WHERE s.place_folded LIKE w.pattern) AS sites
    FROM unnest(${patterns}::text[]) WITH ORDINALITY AS w (pattern, position) ORDER BY w.position`.execute(db)
  return patterns.map((pattern, index) => ({
    pattern,
    customers: rows[index]?.customers ?? [],
    sites: rows[index]?.sites ?? [],
  }))
}
