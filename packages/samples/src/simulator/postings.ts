import type { FleetInstrument } from '../fleet/instruments.ts'
import { loginName } from '../fleet/names.ts'
import type { Fleet } from '../fleet.ts'
import type { Keyed } from '../registry-objects.ts'

/** An instrument with the facts about its site that its scripts need. */
export interface Posting {
  installedProductId: string
  instrument: FleetInstrument
  gateway: string
  timeZone: string
  /** User names of its operators. */
  operators: readonly string[]
  /** Customer key. */
  customer: string
  /** Code of the site within the customer, in capitals. */
  place: string
}

/** Returns the instruments of a fleet that have a gateway; the others report nothing. */
export function postingsOf(fleet: Fleet): Posting[] {
  const sites = new Map(fleet.sites.map(({ key, input }) => [key, input]))
  const people = new Map<string, string[]>()
  for (const { input } of fleet.contacts) {
    if (input.name) people.set(input.customer, [...(people.get(input.customer) ?? []), loginName(input.name)])
  }
  return fleet.instruments.flatMap((entry) => posting(entry, sites, people))
}

function posting(
  { key, input }: Keyed<FleetInstrument>,
  sites: Map<string, Fleet['sites'][number]['input']>,
  people: Map<string, string[]>,
): Posting[] {
  const site = sites.get(input.site)
  if (!input.gateway || !site) return []
  return [
    {
      installedProductId: key,
      instrument: input,
      gateway: input.gateway,
      timeZone: site.timeZone,
      operators: people.get(site.customer) ?? ['operator'],
      customer: site.customer,
      place: input.site.slice(site.customer.length + 1).toUpperCase(),
    },
  ]
}
