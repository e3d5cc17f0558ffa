import { setImmediate as asSoonAsSent } from 'node:timers/promises'
import type { EventLocation, EventTotals } from '@benchwatch/contract/service-events'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { intArray } from '../../db/int-array.ts'
import { serviceEvents } from '../../db/scoped.ts'
import { inTransaction } from '../../db/transaction.ts'
import { countLocations } from './column-rows.queries.ts'
import type { PlaceCount } from './column-search.ts'
import type { ColumnStore } from './column-store.ts'
import { type EventSelection, matches } from './filters.ts'
import { type EventSearch, resolveSelection } from './selection.queries.ts'
import { readTotals } from './totals.queries.ts'

interface Wanted {
  search: EventSearch
  scope: DataScope
  now: Date
}

interface Locations {
  values: EventLocation[]
  total: EventTotals & { eventsWithoutPosition: number }
}

/** Where the events of a search are, one value a position, with the list's own totals; both of one moment. */
export async function listEventLocations(
  { db, columns }: { db: Db; columns: ColumnStore },
  { search, scope, now }: Wanted,
): Promise<Locations> {
  return inTransaction(
    db,
    async (trx) => {
      const view = columns.view()
      const selection = await resolveSelection(trx, { search, scope, now })
      const found = await view?.search(trx, { selection, page: null })
      const places = found?.places ?? (await readPlaces(trx, selection))
      const ground = await readGround(trx, places)
      // The database counts while the positions are put together here: a tenth of a second for 100,000 of them.
      const [totals, { values, eventsWithoutPosition }] = await Promise.all([
        found
          ? countLocations(trx, places).then((locations) => ({ ...found.counts, locations }))
          : readTotals(trx, selection),
        asSoonAsSent().then(() => atPositions(ground, places)),
      ])
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

/** What places are called and where they are. */
interface Ground {
  customers: Map<number, string>
  cities: City[]
}

interface City {
  country: string | null
  city: string | null
  /** `id latitude longitude` of each site with a position, with commas between. */
  sites: string
}

async function readGround(db: Db, places: readonly PlaceCount[]): Promise<Ground> {
  return { customers: await namesOf(db, places), cities: await citiesOf(db, places) }
}

/** Sites of one position become one value; those without a position are only counted. */
function atPositions(
  { customers, cities }: Ground,
  places: readonly PlaceCount[],
): { values: EventLocation[]; eventsWithoutPosition: number } {
  const sites = positionsOf(cities)
  let eventsWithoutPosition = 0
  for (const { customerId, siteId, bySeverity } of places) {
    const [low, medium, high] = bySeverity
    const total = low + medium + high
    const value = sites.get(siteId)
    if (value === undefined) {
      eventsWithoutPosition += total
      continue
    }
    const customer = customers.get(customerId) ?? null
    if (value.total === 0) value.alarm.enterpriseName = customer
    else if (value.alarm.enterpriseName !== customer) value.alarm.enterpriseName = null
    value.high += high
    value.medium += medium
    value.low += low
    value.total += total
  }
  return { values: [...new Set(sites.values())], eventsWithoutPosition }
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

/** One row for each city, with its sites as a text of numbers: 100,000 rows keep the driver busy twice as long. */
async function citiesOf(db: Db, places: readonly PlaceCount[]): Promise<City[]> {
  const ids = [...new Set(places.map(({ siteId }) => siteId))]
  return db
    .selectFrom('site')
    .where(sql<boolean>`id = ANY(${intArray(ids)})`)
    .where('latitude', 'is not', null)
    .groupBy(['country', 'city'])
    .select(['country', 'city', sql<string>`string_agg(id || ' ' || latitude || ' ' || longitude, ',')`.as('sites')])
    .execute()
}

/** A value without events for each site, the same one for all sites of one position. */
function positionsOf(cities: readonly City[]): Map<number, EventLocation> {
  const bySite = new Map<number, EventLocation>()
  const byPosition = new Map<number, EventLocation>()
  for (const { country, city, sites } of cities) {
    for (const site of sites.split(',')) {
      const [id = 0, latitude = 0, longitude = 0] = site.split(' ').map(Number)
      const position = positionNumber(latitude, longitude)
      let value = byPosition.get(position)
      if (value === undefined) {
        value = noEventsAt({ latitude, longitude, country, city })
        byPosition.set(position, value)
      }
      bySite.set(id, value)
    }
  }
  return bySite
}

/** One whole number for each position of five decimals, below 2^53: as a key it is made and met faster than a text. */
function positionNumber(latitude: number, longitude: number): number {
  return Math.round((latitude + 90) * 1e5) * 36_000_001 + Math.round((longitude + 180) * 1e5)
}

interface Place {
  latitude: number
  longitude: number
  country: string | null
  city: string | null
}

function noEventsAt({ latitude, longitude, country, city }: Place): EventLocation {
  return {
    alarm: {
      instrumentLocationLatitude: latitude,
      instrumentLocationLongitude: longitude,
      siteCountry: country,
      siteCity: city,
      enterpriseName: null,
    },
    high: 0,
    medium: 0,
    low: 0,
    total: 0,
  }
}
