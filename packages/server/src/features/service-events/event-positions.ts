import type { EventLocation } from '@benchwatch/contract/service-events'
import type { PlaceCount } from './column-search.ts'
import type { SiteColumns } from './site-columns.ts'

/** What places are called and where they are. */
interface Ground {
  sites: SiteColumns
  customers: ReadonlyMap<number, string>
}

/** Sites of one position become one value, in the order of the places; those without a position are only counted. */
export function atPositions(
  places: readonly PlaceCount[],
  { sites, customers }: Ground,
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
