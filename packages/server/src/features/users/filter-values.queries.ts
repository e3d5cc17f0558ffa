import { isFullSupportTerm } from '@benchwatch/contract/field-rules'
import { usageFlags } from '@benchwatch/contract/instruments/usage'
import type { UserFilters } from '@benchwatch/contract/users/users'
import {
  alertStatuses,
  alertTypes,
  closeReasons,
  contractClocks,
  type EventFilterCategory,
  eventFilterCategories,
  type InstrumentFilterCategory,
  instrumentFilterCategories,
  instrumentStatuses,
  orcStatuses,
  SYSTEM_OWNER,
  severities,
  usageLimits,
} from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { DataScope, UserActor } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { readInstrumentTypes } from '../../db/instrument-type.ts'
import { inScope, instruments, readOfferedRuns } from '../../db/scoped.ts'
import { assignableUserIds, featureIsOn } from './users.lookup.ts'

/**
 * Returns the categories of both filter panels with their values, within the caller's scope (3-decisions 4). Closed
 * lists are complete, so that options do not come and go with the current state of instruments. Runs are the newest 500,
 * newest first. All other values come from the registry and from the origins of events.
 */
export async function readFilterValues(db: Db, caller: UserActor): Promise<UserFilters> {
  const [{ types }, fleet, seen, runs, owners, ...flags] = await Promise.all([
    readInstrumentTypes(db),
    readFleetValues(db, caller.scope),
    readSeenValues(db, caller.scope),
    readOfferedRuns(db, caller.scope),
    assignableUserIds(db, caller),
    ...usageFlags.flags.map((key) => featureIsOn(db, { userId: caller.id, key })),
  ])
  const ofBoth = {
    instrumentType: types.map(({ key }) => key).filter((key) => fleet.types.includes(key)),
    instrumentStatus: instrumentStatuses,
    contractSLA: union(fleet.slaTerms),
    qualifiedSystem: ['true', 'false'],
  }
  const eventValues: Record<EventFilterCategory, readonly string[]> = {
    ...ofBoth,
    alertStatus: alertStatuses,
    alertType: alertTypes.map(String),
    severity: severities,
    owner: [...owners, SYSTEM_OWNER, 'none'],
    reasonClosed: closeReasons,
    // Without such contracts there is no clock to filter by; the event list hides its column for the same reason.
    contractClock: fleet.slaTerms.some(isFullSupportTerm) ? contractClocks : [],
    run: [...new Set(runs.map(({ name }) => name))],
    componentName: union(seen.componentNames),
    componentType: union(seen.componentTypes),
    enterpriseName: union(fleet.customers, seen.customers),
    siteRegion: union(fleet.regions, seen.regions),
    siteCountry: union(fleet.countries, seen.countries),
    siteCity: union(fleet.cities, seen.cities),
  }
  const instrumentValues: Record<InstrumentFilterCategory, readonly string[]> = {
    ...ofBoth,
    orcStatus: orcStatuses,
    maintenance: ['on', 'scheduled', 'none'],
    usageLimit: flags.every(Boolean) ? usageLimits : [],
    instrumentCustomer: union(fleet.customers),
    instrumentRegion: union(fleet.regions),
    instrumentCountry: union(fleet.countries),
    instrumentCity: union(fleet.cities),
  }
  return {
    eventFilter: eventFilterCategories.map(({ key }) => ({ key, values: [...eventValues[key]] })),
    instrumentSummaryFilter: instrumentFilterCategories.map(({ key }) => ({ key, values: [...instrumentValues[key]] })),
  }
}

function readFleetValues(db: Db, scope: DataScope) {
  return instruments(db, scope)
    .innerJoin('customer as c', 'c.id', 'i.customer_id')
    .innerJoin('site as s', 's.id', 'i.site_id')
    .leftJoin('contract as k', (join) =>
      join.onRef('k.id', '=', 'i.contract_id').onRef('k.customer_id', '=', 'i.customer_id'),
    )
    .select([
      distinct('i.type').as('types'),
      distinct('k.sla_term').as('slaTerms'),
      distinct('c.name').as('customers'),
      distinct('s.region').as('regions'),
      distinct('s.country').as('countries'),
      distinct('s.city').as('cities'),
    ])
    .executeTakeFirstOrThrow()
}

/**
 * Reads all values that events have, from the table with one row per customer, site and component. It keeps a site when
 * its last instrument leaves, because the events stay there.
 */
function readSeenValues(db: Db, scope: DataScope) {
  return db
    .selectFrom('event_origin as n')
    .innerJoin('customer as c', 'c.id', 'n.customer_id')
    .innerJoin('site as s', 's.id', 'n.site_id')
    .leftJoin('component as p', 'p.id', 'n.component_id')
    .where(inScope(scope, sql.ref('n.customer_id')))
    .select([
      distinct('p.name').as('componentNames'),
      distinct('p.type').as('componentTypes'),
      distinct('c.name').as('customers'),
      distinct('s.region').as('regions'),
      distinct('s.country').as('countries'),
      distinct('s.city').as('cities'),
    ])
    .executeTakeFirstOrThrow()
}

/** Selects the distinct values of a column that are neither null nor empty, unordered. */
function distinct(column: string) {
  return sql<string[]>`coalesce(array_agg(DISTINCT ${sql.ref(column)}) FILTER (WHERE ${sql.ref(column)} <> ''), '{}')`
}

const alphabetical = new Intl.Collator('en')

/** Returns the values of all lists, each once, in alphabetical order. */
function union(...lists: readonly (readonly string[])[]): string[] {
  return [...new Set(lists.flat())].sort(alphabetical.compare)
}
