import type {
  ContactInput,
  ContractInput,
  CustomerInput,
  EventTemplateInput,
  GatewayInput,
  SiteInput,
} from '@benchwatch/contract/administration/registry'
import { daysFrom, sampleNow } from './clock.ts'
import { eventTemplates } from './event-templates.ts'
import { type CustomerSketch, customerSketches } from './fleet/customers.ts'
import { type CustomerRecords, type FleetInstrument, instrumentAt } from './fleet/instruments.ts'
import { loginName, namePools } from './fleet/names.ts'
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

/** 24-hour terms in free wording; the fixed terms depend on the region. */
const freeFullSupportTerms = ['Platinum 24/7', 'Premium 24x7', '24 h on site', 'Response within 24 hours']
const officeHoursTerms = ['Gold 8/5', 'Silver next business day', 'Standard 5 days', '48-hour response', 'Remote only']
const contractTypes = ['Complete Care', 'Complete Care', 'Assurance Plus', 'Preventive Maintenance', 'Warranty']

/** Returns the terms of a sub-region, spelled as in the fixed vocabulary. */
const regionalTerms = ({ region, subRegion }: Area) => [
  `24/7 ${subRegion}`,
  `24/7 ${subRegion}`,
  `24/7 ${region}`,
  '24/7 Global',
]

type Area = Pick<SiteSketch, 'region' | 'subRegion'>

/**
 * Returns three to six contracts of a customer, at least one per area with sites. About a fifth have expired, and a
 * few have no term or no end.
 */
function contractsOf(
  customer: CustomerSketch,
  { areas, random, now, firstNumber }: { areas: readonly Area[]; random: SeededRandom; now: Date; firstNumber: number },
): (Keyed<ContractInput> & { subRegion: string })[] {
  const count = Math.max(areas.length, random.integer(3, 6))
  return Array.from({ length: count }, (_, index) => {
    const draw = random.fork(`contract ${index}`)
    const area = areas[index % areas.length] as Area
    const isFullSupport = draw.chance(customer.tierOne ? 0.6 : 0.3)
    const fullSupportTerm = draw.chance(0.5) ? draw.pick(regionalTerms(area)) : draw.pick(freeFullSupportTerms)
    const hasRunOut = index > 0 && draw.chance(0.25)
    return {
      key: `SC-${firstNumber + index}`,
      subRegion: area.subRegion,
      input: {
        customer: customer.key,
        type: draw.pick(contractTypes),
        slaTerm: isFullSupport ? fullSupportTerm : draw.chance(0.12) ? null : draw.pick(officeHoursTerms),
        tierOne: customer.tierOne && draw.chance(0.8),
        startDate: daysFrom(now, -draw.integer(420, 1500)),
        endDate: hasRunOut
          ? daysFrom(now, -draw.integer(4, 300))
          : draw.chance(0.06)
            ? null
            : daysFrom(now, draw.integer(25, 1000)),
      },
    }
  })
}

/** Typical entries in phone fields when no number is at hand. */
const malformedNumbers = ['n/a', 'ext. 214', 'see reception', '+', '0000000', '555 01 20 / 21 (mornings)']

/** Malformed addresses as in imported spreadsheets. They contain no spaces, so that each can still be a key. */
const malformations: readonly ((address: string) => string)[] = [
  (address) => address.replace('@', '(at)'),
  (address) => address.replace('.example', ''),
  (address) => address.replace('.', ',').replace('@', '@@'),
  (address) => `mailto:${address};`,
]

/** Country and area code of each country with sites. */
const dialling: Readonly<Record<string, string>> = {
  Argentina: '+54 11 5555',
  Australia: '+61 3 5550',
  Austria: '+43 1 5550',
  Belgium: '+32 9 555',
  Brazil: '+55 11 5555',
  Chile: '+56 2 2555',
  China: '+86 21 5550',
  Denmark: '+45 35 55',
  France: '+33 4 55 50',
  Germany: '+49 6221 555',
  Ireland: '+353 21 555',
  Italy: '+39 02 5550',
  Japan: '+81 78 555',
  Netherlands: '+31 71 555',
  Poland: '+48 22 555',
  Spain: '+34 93 555',
  Sweden: '+46 18 555',
  Switzerland: '+41 61 555',
  'United Kingdom': '+44 1438 55',
  'United States': '+1 617 555',
}

type Person = Keyed<ContactInput> & { country: string }

/** Returns four to eight people of a customer, at least one in each country; the last one or two work in IT. */
function contactsOf(
  customer: CustomerSketch,
  { countries, random }: { countries: readonly string[]; random: SeededRandom },
): { people: Person[]; it: Person[] } {
  const pool = namePools[customer.people]
  const peopleCount = Math.max(countries.length, random.integer(3, 6))
  const itCount = random.integer(1, 2)
  const taken = new Set<string>()
  const contacts = Array.from({ length: peopleCount + itCount }, (_, index) => {
    const draw = random.fork(`contact ${index}`)
    let name = `${draw.pick(pool.given)} ${draw.pick(pool.family)}`
    while (taken.has(name)) name = `${draw.pick(pool.given)} ${draw.pick(pool.family)}`
    taken.add(name)
    const address = `${loginName(name)}@${customer.mailDomain}`
    const country = countries[(index < peopleCount ? index : index - peopleCount) % countries.length] ?? ''
    const isMalformed = index > 0 && draw.chance(0.09)
    return {
      country,
      key: isMalformed ? draw.pick(malformations)(address) : address,
      input: {
        customer: customer.key,
        name: index > 0 && draw.chance(0.03) ? null : name,
        phone: draw.chance(0.14) ? null : phone(draw, dialling[country] ?? '+'),
        mobile: draw.chance(0.35) ? null : phone(draw, dialling[country] ?? '+'),
      },
    }
  })
  return { people: contacts.slice(0, peopleCount), it: contacts.slice(peopleCount) }
}

function phone(draw: SeededRandom, dialling: string): string {
  if (draw.chance(0.08)) return draw.pick(malformedNumbers)
  return `${dialling} ${String(draw.integer(100, 199)).padStart(4, '0').replace(/(..)$/, ' $1')}`
}
