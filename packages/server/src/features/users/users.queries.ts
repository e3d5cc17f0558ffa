import { isFullSupportTerm } from '@benchwatch/contract/field-rules'
import { usageFlags } from '@benchwatch/contract/instruments/usage'
import type { Me, User, UserFilters } from '@benchwatch/contract/users/users'
import {
  alertStatuses,
  alertTypes,
  closeReasons,
  contractClocks,
  type EventFilterCategory,
  eventFilterCategories,
  featureKeys,
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
import { assignableUserIds, featureIsOn, NO_NAME, seesAddressOf, visibleUsers } from './users.lookup.ts'

/**
 * Returns the users whom the caller may assign to; addresses and numbers only of the caller, unless the caller is
 * support or admin (wire 5).
 */
export async function listVisibleUsers(db: Db, caller: UserActor): Promise<User[]> {
  const rows = await visibleUsers(db, caller).select(['u.id', 'u.name', 'u.email', 'u.msisdn']).execute()
  return rows.map(({ id, name, email, msisdn }) => {
    const open = seesAddressOf(caller, id)
    return { id: String(id), name: name ?? NO_NAME, email: open ? email : null, msisdn: open ? msisdn : null }
  })
}

/** Returns the caller's own account, without the session limit. */
export async function readMe(db: Db, caller: UserActor): Promise<Omit<Me, 'inactivityLimitSeconds'>> {
  const { email, msisdn } = await db
    .selectFrom('app_user')
    .select(['email', 'msisdn'])
    .where('id', '=', caller.id)
    .executeTakeFirstOrThrow()
  const customers =
    caller.scope === 'all'
      ? null
      : await db
          .selectFrom('customer as c')
          .innerJoin('user_customer as m', 'm.customer_id', 'c.id')
          .where('m.user_id', '=', caller.id)
          .select('c.name')
          .orderBy('c.name_folded')
          .orderBy('c.id')
          .execute()
  return {
    id: String(caller.id),
    name: caller.name,
    email,
    msisdn,
    role: caller.role,
    customers: customers?.map(({ name }) => name) ?? null,
  }
}

/**
 * Returns every flag with its value for a user: the user's own, else the deployment's, else "false" (3-decisions 5).
 */
export async function listFeatures(
  db: Db,
  userId: number,
): Promise<{ key: (typeof featureKeys)[number]; value: 'true' | 'false' }[]> {
  const rows = await db
    .selectFrom('feature_flag')
    .select(['key', 'user_id', 'value'])
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('user_id', 'is', null)]))
    .execute()
  return featureKeys.map((key) => {
    const own = rows.find((row) => row.key === key && row.user_id !== null)
    const deployment = rows.find((row) => row.key === key && row.user_id === null)
    return { key, value: (own ?? deployment)?.value ? 'true' : 'false' }
  })
}

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
