import type { EventLocation, EventTotals, ServiceEvent } from '@benchwatch/contract/events/events'
import { sql } from 'kysely'
import type { DataScope } from '../../../db/actor.ts'
import type { Db } from '../../../db/connect.ts'
import { intArray } from '../../../db/sql/int-array.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { readServiceEvents } from '../events.queries.ts'
import { type EventSearch, type Page, type PlaceCount, type Searched, searchedBy } from './event-search.ts'
import { type EventQuery, resolveSelection } from './filters.queries.ts'

interface EventListInput {
  search: EventQuery
  scope: DataScope
  viewerId?: number
  page: Page
  now: Date
}

/**
 * Returns one page of the events that match a search with the totals of all matches, both of one moment. The rows are
 * always read from PostgreSQL.
 */
export async function listServiceEvents(
  { db, eventSearch }: { db: Db; eventSearch: EventSearch },
  { search, scope, viewerId, page, now }: EventListInput,
): Promise<Searched & { values: { alarm: ServiceEvent }[]; total: EventTotals }> {
  return inTransaction(
    db,
    async (trx) => {
      const moment = eventSearch.begin()
      const selection = await resolveSelection(trx, { search, scope, now })
      const found = await moment.find(trx, selection, page)
      const events = await readServiceEvents(trx, { ids: found.ids, scope, viewerId })
      return { values: events.map((alarm) => ({ alarm })), total: found.totals, ...searchedBy(eventSearch, found) }
    },
    { isSnapshot: true },
  )
}

interface Locations extends Searched {
  values: EventLocation[]
  total: EventTotals & { eventsWithoutPosition: number }
}

/** A site, with the name of its customer. Degrees as stored, at most 5 decimals. */
interface Site {
  id: number
  latitude: string | null
  longitude: string | null
  country: string | null
  city: string | null
  customer: string
}

/**
 * Returns the positions of the matching events, one entry per position, with the totals of the list, both of one
 * moment.
 */
export async function listEventLocations(
  { db, eventSearch }: { db: Db; eventSearch: EventSearch },
  { search, scope, now }: { search: EventQuery; scope: DataScope; now: Date },
): Promise<Locations> {
  return inTransaction(
    db,
    async (trx) => {
      const moment = eventSearch.begin()
      const selection = await resolveSelection(trx, { search, scope, now })
      const found = await moment.find(trx, selection, null)
      const { values, eventsWithoutPosition } = atPositions(found.places, await readSites(trx, found.places))
      return { values, total: { ...found.totals, eventsWithoutPosition }, ...searchedBy(eventSearch, found) }
    },
    { isSnapshot: true },
  )
}

/** An event keeps its customer when its site gets another one, so sites are read for each pair of both. */
async function readSites(db: Db, places: readonly PlaceCount[]): Promise<Site[]> {
  const { rows } = await sql<Site>`
    SELECT s.id, s.latitude, s.longitude, s.country, s.city, c.name AS customer
    FROM unnest(${intArray(places.map(({ siteId }) => siteId))}, ${intArray(places.map(({ customerId }) => customerId))})
      WITH ORDINALITY AS p (site_id, customer_id, place)
    JOIN site AS s ON s.id = p.site_id JOIN customer AS c ON c.id = p.customer_id ORDER BY p.place`.execute(db)
  return rows
}

/** Merges places at one position into one entry; those without a position are only counted. */
function atPositions(
  places: readonly PlaceCount[],
  sites: readonly Site[],
): { values: EventLocation[]; eventsWithoutPosition: number } {
  const byPosition = new Map<string, EventLocation>()
  let eventsWithoutPosition = 0
  places.forEach(({ bySeverity: [low, medium, high], openBySeverity: [openLow, openMedium, openHigh] }, index) => {
    const total = low + medium + high
    const site = sites[index]
    if (!site || site.latitude === null || site.longitude === null) {
      eventsWithoutPosition += total
      return
    }
    const key = `${site.latitude} ${site.longitude}`
    const value = byPosition.get(key)
    if (value === undefined) {
      const alarm = {
        instrumentLocationLatitude: Number(site.latitude),
        instrumentLocationLongitude: Number(site.longitude),
        siteCountry: site.country,
        siteCity: site.city,
        enterpriseName: site.customer,
      }
      byPosition.set(key, { alarm, high, medium, low, total, openHigh, openMedium, openLow })
      return
    }
    if (value.alarm.enterpriseName !== site.customer) value.alarm.enterpriseName = null
    value.high += high
    value.medium += medium
    value.low += low
    value.total += total
    value.openHigh += openHigh
    value.openMedium += openMedium
    value.openLow += openLow
  })
  return { values: [...byPosition.values()], eventsWithoutPosition }
}
