import type {
  ContactInput,
  ContractInput,
  CustomerInput,
  GatewayInput,
  InstrumentInput,
  SiteInput,
} from '@benchwatch/contract/administration/registry'
import { fullSupportTerms } from '@benchwatch/contract/vocabulary'
import {
  type InstrumentType,
  instrumentTypeLabels,
  instrumentTypes,
} from '@benchwatch/samples/equipment/instrument-type'
import { siteSketches } from '@benchwatch/samples/fleet/sites'
import type { Keyed } from '@benchwatch/samples/registry-objects'
import { type SeededRandom, seededRandom } from '@benchwatch/samples/seeded-random'

/** The fleet of a large operator as input for the registry. The same seed gives the same fleet. */
export interface BenchFleet {
  customers: Keyed<CustomerInput>[]
  sites: Keyed<SiteInput>[]
  contracts: Keyed<ContractInput>[]
  contacts: Keyed<ContactInput>[]
  gateways: Keyed<GatewayInput>[]
  instruments: Keyed<InstrumentInput>[]
}

export interface FleetSize {
  customers: number
  sites: number
  instruments: number
}

/** The size that the figures are stated for. */
const wholeFleet: FleetSize = { customers: 300, sites: 600, instruments: 5000 }

/**
 * Returns the size of a fleet with this many instruments: larger fleets have more customers and sites, and larger ones.
 */
export function fleetOf(instruments = wholeFleet.instruments): FleetSize {
  const share = instruments / wholeFleet.instruments
  return {
    customers: Math.round(wholeFleet.customers * Math.sqrt(share)),
    sites: Math.round(wholeFleet.sites * share ** 0.75),
    instruments,
  }
}

const syllables =
  'bio gen ther lab nova cell pro med vita zym cor lux syn pharm ra tech on ix al um er is mar del vox ka lin to'.split(
    ' ',
  )
const kinds = ['Biologics', 'Therapeutics', 'Pharma', 'Vaccines', 'Bioprocess', 'Life Sciences', 'Biotech', 'Labs']
const givenNames = [
  'Maria',
  'Jonas',
  'Ingrid',
  'Daniel',
  'Priya',
  'Kenji',
  'Sofia',
  'Marcus',
  'Aoife',
  'Paweł',
  'Chloé',
]
const familyNames = ['Öberg', 'Schäfer', 'Tanaka', 'Nair', 'Okafor', 'Dufrêne', 'Wójcik', 'Moreno', 'Tran', 'Weber']
const officeTerms = ['Gold 8/5', 'Silver next business day', 'Standard 5 days', 'Remote only']
const freeTerms = ['Response within 24 hours', '24 h on site']
/** The number of instruments of a site that share a gateway. */
const PER_GATEWAY = 20
/** The weight of each type; most of a fleet are flexible chromatography systems. */
const typeWeights: Partial<Record<InstrumentType, number>> = {
  AKTAAvant: 30,
  AKTAPure: 34,
  Wave25: 12,
  AKTAPilot600: 8,
}

export function benchFleet({
  seed,
  now,
  size = wholeFleet,
}: {
  seed: string
  now: Date
  size?: FleetSize
}): BenchFleet {
  const random = seededRandom(`${seed}/fleet`)
  const customers = Array.from({ length: size.customers }, (_, index) => ({
    key: `customer-${index + 1}`,
    input: { name: `${companyName(random)} ${random.pick(kinds)}${index % 9 === 0 ? ` ${index + 1}` : ''}` },
  }))
  const contracts = customers.flatMap(({ key }, index) =>
    [0, 1].map((place) => contract(key, { number: 300_001 + index * 10 + place, random })),
  )
  const contacts = customers.flatMap(({ key }, index) =>
    Array.from({ length: 3 }, (_, place) => contact(key, { label: `${index + 1}-${place + 1}`, random })),
  )
  const sites = Array.from({ length: size.sites }, (_, index) => {
    // Every customer has one site; the large customers, which come first, have the others.
    const owner = customers[index < customers.length ? index : zipf(random, customers.length, 2)]
    return site(owner?.key ?? '', { number: index + 1, random })
  })
  // Sizes of sites differ as much as those of customers.
  const places = Array.from({ length: size.instruments }, (_, index) =>
    index < sites.length ? index : zipf(random, sites.length, 1.6),
  )
  const counts = new Map<number, number>()
  const gateways: Keyed<GatewayInput>[] = []
  const instruments = places.map((place, index) => {
    const owner = sites[place]
    const count = (counts.get(place) ?? 0) + 1
    counts.set(place, count)
    const gateway = `GW-${String(place + 1).padStart(3, '0')}-${Math.ceil(count / PER_GATEWAY)}`
    if (count % PER_GATEWAY === 1 && owner)
      gateways.push(gatewayOf(gateway, { site: owner.key, index: gateways.length }))
    return instrument(owner, { index, gateway, random, now, contracts, contacts })
  })
  return { customers, sites, contracts, contacts, gateways, instruments }
}

/** Draws a whole number below `count`; small ones are likelier, the more so the higher the exponent. */
export function zipf(random: SeededRandom, count: number, exponent: number): number {
  return Math.min(count - 1, Math.floor(count * random.next() ** exponent))
}

function companyName(random: SeededRandom): string {
  const word = Array.from({ length: random.integer(2, 3) }, () => random.pick(syllables)).join('')
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function contract(
  customer: string,
  { number, random }: { number: number; random: SeededRandom },
): Keyed<ContractInput> {
  const hasFullSupport = random.chance(0.3)
  const slaTerm = hasFullSupport
    ? random.pick(random.chance(0.6) ? fullSupportTerms : freeTerms)
    : random.chance(0.1)
      ? null
      : random.pick(officeTerms)
  // Without an end and older than every event, so that only the term decides whether an event was under 24-hour
  // support.
  const input = { customer, type: 'Complete Care', slaTerm, tierOne: random.chance(0.2), startDate: '2015-01-01' }
  return { key: `SC-${number}`, input: { ...input, endDate: null } }
}

function contact(customer: string, { label, random }: { label: string; random: SeededRandom }): Keyed<ContactInput> {
  const name = `${random.pick(givenNames)} ${random.pick(familyNames)}`
  const input = { customer, name, phone: `+46 18 555 ${random.integer(1000, 9999)}`, mobile: null }
  return { key: `contact-${label}@bench.example`, input }
}

function site(customer: string, { number, random }: { number: number; random: SeededRandom }): Keyed<SiteInput> {
  const { position, customer: _owner, code: _code, street: _street, ...place } = random.pick(siteSketches)
  // Move it around the city, so that each site has its own place on the map.
  const near = (degrees: number) => Math.round((degrees + random.between(-0.2, 0.2)) * 1e5) / 1e5
  return {
    key: `site-${number}`,
    input: {
      ...place,
      customer,
      name: `Site ${number}`,
      street: `${companyName(random)}gatan ${random.integer(1, 120)}`,
      latitude: position ? near(position[0]) : null,
      longitude: position ? near(position[1]) : null,
    },
  }
}

function gatewayOf(key: string, { site, index }: { site: string; index: number }): Keyed<GatewayInput> {
  return { key, input: { site, installedProductId: `IP-${29_000_001 + index}`, location: 'Server room' } }
}

interface Surroundings {
  index: number
  gateway: string
  random: SeededRandom
  now: Date
  contracts: readonly Keyed<ContractInput>[]
  contacts: readonly Keyed<ContactInput>[]
}

function instrument(
  site: Keyed<SiteInput> | undefined,
  { index, gateway, random, now, contracts, contacts }: Surroundings,
): Keyed<InstrumentInput> {
  const customer = site?.input.customer ?? ''
  const type = random.weighted(instrumentTypes, (one) => typeWeights[one] ?? 1.5)
  const day = (daysAgo: number) => new Date(now.getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10)
  return {
    key: `IP-${20_400_000 + index * 103 + random.integer(0, 102)}`,
    input: {
      type,
      productDescription: instrumentTypeLabels[type],
      systemName: `${type.replace('AKTA', '').toUpperCase()}-${String(index + 1).padStart(4, '0')}`,
      qualifiedSystem: random.chance(0.3),
      site: site?.key ?? '',
      gateway,
      contract: random.pick(contracts.filter(({ input }) => input.customer === customer)).key,
      contact: random.pick(contacts.filter(({ input }) => input.customer === customer)).key,
      itContact: null,
      building: `Building ${random.integer(1, 12)}`,
      room: `room ${random.integer(100, 440)}`,
      installationDate: day(random.integer(1200, 3300)),
      lastService: day(random.integer(6, 420)),
      nextService: day(-random.integer(6, 420)),
      lastMaintenance: day(random.integer(6, 420)),
    },
  }
}
