import type {
  ContactInput,
  ContractInput,
  CustomerInput,
  EventTemplateInput,
  GatewayInput,
  SiteInput,
} from '@benchwatch/contract/administration/registry'
import { sampleNow } from './clock.ts'
import { eventTemplates } from './event-templates.ts'
import { contactsOf } from './fleet/contacts.ts'
import { contractsOf } from './fleet/contracts.ts'
import { type CustomerSketch, customerSketches } from './fleet/customers.ts'
import { type CustomerRecords, type FleetInstrument, instrumentAt } from './fleet/instruments.ts'
import { type SiteSketch, siteSketches } from './fleet/sites.ts'
import type { Keyed } from './registry-objects.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'

/**
 * A whole fleet in the form of registry inputs, identical for the same seed. `now` only shifts the dates (contracts,
 * services, installations), so that the demo's contracts are running on the day of the demo.
 */
export interface Fleet {
  customers: Keyed<CustomerInput>[]
  sites: Keyed<SiteInput>[]
  contracts: Keyed<ContractInput>[]
  contacts: Keyed<ContactInput>[]
  gateways: Keyed<GatewayInput>[]
  instruments: Keyed<FleetInstrument>[]
  eventTemplates: Keyed<EventTemplateInput>[]
}

export interface FleetOptions {
  seed: string
  /** Number of customers, out of twelve; Helix Biologics is the first. */
  customers?: number
  instruments?: number
  now?: Date
}

/** The seed of the demo. Server and gateway build the same fleet from it. */
export const demoSeed = 'benchwatch'

interface Place {
  key: string
  sketch: SiteSketch
  instruments: number
  gateways: string[]
}

export function aFleet({ seed, customers = 12, instruments = 400, now = sampleNow() }: FleetOptions): Fleet {
  const random = seededRandom(seed)
  const chosen = customerSketches.slice(0, customers)
  const records = recordsOf(chosen, random, now)
  const places = placesOf(chosen, random, instruments)
  const gateways = gatewaysOf(places)
  const start = random.fork('models').next()
  const machines = places.flatMap((place) =>
    Array.from({ length: place.instruments }, (_, index) => ({ place, index })),
  )
  return {
    customers: chosen.map(({ key, name }) => ({ key, input: { name } })),
    sites: places.map(({ key, sketch }) => site(key, sketch, chosen)),
    contracts: [...records.values()].flatMap((of) => of.contracts.map(({ key, input }) => ({ key, input }))),
    contacts: [...records.values()].flatMap((of) => [...of.people, ...of.it].map(({ key, input }) => ({ key, input }))),
    gateways,
    instruments: machines.map(({ place, index: placeIndex }, index) =>
      instrumentAt(
        place,
        { index, place: placeIndex, start, gateways: place.gateways },
        { random: random.fork(`instrument ${index}`), now, records: recordOf(records, place.sketch.customer) },
      ),
    ),
    eventTemplates: eventTemplates(),
  }
}

function recordsOf(chosen: readonly CustomerSketch[], random: SeededRandom, now: Date) {
  const records = new Map<string, CustomerRecords>()
  chosen.forEach((customer, index) => {
    const draw = random.fork(`customer ${customer.key}`)
    const sites = siteSketches.filter((sketch) => sketch.customer === customer.key)
    const areas = [...new Map(sites.map((sketch) => [sketch.subRegion, sketch])).values()]
    const countries = [...new Set(sites.map(({ country }) => country))]
    records.set(customer.key, {
      contracts: contractsOf(customer, { areas, random: draw, now, firstNumber: 100_001 + index * 100 }),
      ...contactsOf(customer, { countries, random: draw }),
    })
  })
  return records
}

function recordOf(records: Map<string, CustomerRecords>, customer: string): CustomerRecords {
  const found = records.get(customer)
  if (!found) throw new Error(`The site sketch names the customer "${customer}", which is not sketched.`)
  return found
}

/** Returns sites with their share of the instruments. Each site gets one before any gets a second. */
function placesOf(chosen: readonly CustomerSketch[], random: SeededRandom, instruments: number): Place[] {
  const draw = random.fork('sites')
  const places: Place[] = siteSketches
    .filter((sketch) => chosen.some(({ key }) => key === sketch.customer))
    .map((sketch) => ({ key: `${sketch.customer}-${sketch.code.toLowerCase()}`, sketch, instruments: 0, gateways: [] }))
  const weights = new Map(
    places.map((place) => {
      const owner = chosen.find(({ key }) => key === place.sketch.customer)
      const siblings = places.filter(({ sketch }) => sketch.customer === place.sketch.customer).length
      return [place, ((owner?.weight ?? 1) / siblings) * draw.between(0.4, 1.6)]
    }),
  )
  for (let index = 0; index < instruments; index++) {
    const place = places[index] ?? draw.weighted(places, (candidate) => weights.get(candidate) ?? 0)
    place.instruments++
  }
  return places
}

/** Returns one gateway per site, two above ten instruments. Numbers continue within a city code. */
function gatewaysOf(places: readonly Place[]): Keyed<GatewayInput>[] {
  const numbers = new Map<string, number>()
  const gateways: Keyed<GatewayInput>[] = []
  for (const place of places) {
    const count = place.instruments > 10 ? 2 : 1
    for (let index = 0; index < count; index++) {
      const number = (numbers.get(place.sketch.code) ?? 0) + 1
      numbers.set(place.sketch.code, number)
      const name = `GW-${place.sketch.code}-${String(number).padStart(2, '0')}`
      place.gateways.push(name)
      const input = {
        site: place.key,
        installedProductId: `IP-${29_000_001 + gateways.length}`,
        location: index === 0 ? 'Server room' : 'Laboratory corridor, cabinet 2',
      }
      gateways.push({ key: name, input })
    }
  }
  return gateways
}

function site(key: string, sketch: SiteSketch, chosen: readonly CustomerSketch[]): Keyed<SiteInput> {
  const customer = chosen.find((candidate) => candidate.key === sketch.customer)
  const { code: _code, position, ...address } = sketch
  return {
    key,
    input: {
      ...address,
      name: `${customer?.name ?? sketch.customer} ${sketch.city}`,
      latitude: position?.[0] ?? null,
      longitude: position?.[1] ?? null,
    },
  }
}
