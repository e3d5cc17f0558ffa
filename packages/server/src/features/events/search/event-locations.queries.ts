import type { EventLocation, EventTotals } from '@benchwatch/contract/events'
import { sql } from 'kysely'
import type { DataScope } from '../../../db/actor.ts'
import type { Db } from '../../../db/connect.ts'
import { serviceEvents } from '../../../db/scoped.ts'
import { intArray } from '../../../db/sql/int-array.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { PlaceCount } from '../columns/column-search.ts'
import type { ColumnStore } from '../columns/column-store.ts'
import type { SiteColumns } from '../columns/site-columns.ts'
import { type EventSelection, matches } from './filters.ts'
import { type EventSearch, resolveSelection } from './selection.queries.ts'
import { readTotals } from './totals.queries.ts'

/** Name and position of each site. */
interface PlaceDetails {
  sites: SiteColumns
  customers: ReadonlyMap<number, string>
}

interface LocationsInput {
  search: EventSearch
  scope: DataScope
  now: Date
}

interface Locations {
  values: EventLocation[]
  total: EventTotals & { eventsWithoutPosition: number }
}

/**
 * Returns the positions of the matching events, one entry per position, with the totals of the list, both from one
 * snapshot.
 */
export async function listEventLocations(
  { db, columns }: { db: Db; columns: ColumnStore },
  { search, scope, now }: LocationsInput,
): Promise<Locations> {
  return inTransaction(
    db,
    async (trx) => {
      const view = columns.view()
      const selection = await resolveSelection(trx, { search, scope, now })
      const found = await view.search(trx, { selection, page: null })
      const places = found?.places ?? (await readPlaces(trx, selection))
      const totals = found?.totals ?? (await readTotals(trx, selection))
      const details = { sites: await view.sites(trx), customers: await namesOf(trx, places) }
      const { values, eventsWithoutPosition } = atPositions(places, details)
      return { values, total: { ...totals, eventsWithoutPosition } }
    },
    { isSnapshot: true },
  )
}

async function readPlaces(db: Db, selection: EventSelection): Promise<PlaceCount[]> {
  const countOf = (severity: number) => sql<number>`count(*) FILTER (WHERE e.severity = ${sql.lit(severity)})`
  const rows = await serviceEvents(db, selection.scope)
    .where(matches(selection))
    .groupBy(['e.customer_id', 'e.site_id'])
    .select(['e.customer_id', 'e.site_id', countOf(1).as('low'), countOf(2).as('medium'), countOf(3).as('high')])
    .execute()
  return rows.map(({ customer_id, site_id, low, medium, high }) => ({
    customerId: customer_id,
    siteId: site_id,
    bySeverity: [low, medium, high],
  }))
}

async function namesOf(db: Db, places: readonly PlaceCount[]): Promise<Map<number, string>> {
  const ids = [...new Set(places.map(({ customerId }) => customerId))]
  const rows = await db
    .selectFrom('customer')
    .where(sql<boolean>`id = ANY(${intArray(ids)})`)
    .select(['id', 'name'])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/**
 * Merges sites at one position into one entry, in the order of the sites; sites without a position are only counted.
 */
export function atPositions(
  places: readonly PlaceCount[],
  { sites, customers }: PlaceDetails,
): { values: EventLocation[]; eventsWithoutPosition: number } {
  const values: EventLocation[] = []
  const byPosition = Array.from<EventLocation | undefined>({ length: sites.positions })
  let eventsWithoutPosition = 0
  for (const { customerId, siteId, bySeverity } of places) {
    const [low, medium, high] = bySeverity
    const total = low + medium + high
    const place = sites.placeOf(siteId)
    if (place === undefined) {
      eventsWithoutPosition += total
      continue
    }
    const customer = customers.get(customerId) ?? null
    const value = byPosition[place.position]
    if (value === undefined) {
      const { latitude, longitude, country, city } = place
      const alarm = {
        instrumentLocationLatitude: latitude,
        instrumentLocationLongitude: longitude,
        siteCountry: country,
        siteCity: city,
        enterpriseName: customer,
      }
      const first = { alarm, high, medium, low, total }
      byPosition[place.position] = first
      values.push(first)
      continue
    }
    if (value.alarm.enterpriseName !== customer) value.alarm.enterpriseName = null
    value.high += high
    value.medium += medium
    value.low += low
    value.total += total
  }
  return { values, eventsWithoutPosition }
}
