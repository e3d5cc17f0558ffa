import { instrumentStatuses } from '@benchwatch/contract/vocabulary'
import { instrumentTypes } from '@benchwatch/samples/equipment/instrument-type'
import { aContract, aCustomer, anInstrument, aSite } from '@benchwatch/samples/registry-objects'
import type { SeededRandom } from '@benchwatch/samples/seeded-random'
import type { UserActor } from '../db/actor.ts'
import type { Db } from '../db/connect.ts'
import { register } from '../features/registry/registry.service.ts'
import { fixedClock } from '../platform/clock.ts'
import { buildEventFixture } from './event-fixture.ts'

/**
 * The fleet of `event-fixture.ts` without its events, but in motion: instruments move to other sites and customers,
 * and contracts, sites and customers change, all through the registry.
 */
export interface BusyFleet {
  customers: { id: number; key: string }[]
  sites: { id: number; key: string; customerId: number; timeZone: string }[]
  gateways: { id: number; name: string; siteId: number; customerId: number }[]
  contracts: { key: string; customerId: number }[]
  instruments: { id: number; key: string }[]
  /** Some see all customers, some a few. */
  users: UserActor[]
}

export interface Change {
  db: Db
  fleet: BusyFleet
  random: SeededRandom
  now: Date
}

const actor = { type: 'command', name: 'test' } as const
const DAY_MS = 86_400_000
/** Their midnights are at different hours, and one zone is on the other side of the date line. */
const zones = ['Asia/Tokyo', 'America/Los_Angeles', 'UTC', 'Europe/Stockholm', 'Pacific/Auckland']

export async function prepareBusyFleet(db: Db, { random, now }: Omit<Change, 'db' | 'fleet'>): Promise<BusyFleet> {
  await buildEventFixture(db, { events: 0, now })
  const customers = await db.selectFrom('customer').select(['id', 'key']).orderBy('id').execute()
  const sites = await db.selectFrom('site').select(['id', 'key', 'customer_id as customerId']).orderBy('id').execute()
  const gateways = await db
    .selectFrom('gateway as g')
    .innerJoin('site as s', 's.id', 'g.site_id')
    .select(['g.id', 'g.name', 'g.site_id as siteId', 's.customer_id as customerId'])
    .orderBy('g.id')
    .execute()
  const fleet: BusyFleet = {
    customers,
    sites: sites.map((site, index) => ({ ...site, timeZone: zones[index % zones.length] ?? 'UTC' })),
    gateways,
    contracts: await db.selectFrom('contract').select(['key', 'customer_id as customerId']).orderBy('id').execute(),
    instruments: await db
      .selectFrom('instrument')
      .select(['id', 'installed_product_id as key'])
      .orderBy('id')
      .execute(),
    users: await someUsers(db, customers),
  }
  for (const site of fleet.sites) await registerSite({ db, fleet, random, now }, site)
  for (const instrument of fleet.instruments) await registerInstrument({ db, fleet, random, now }, instrument)
  return fleet
}

async function someUsers(db: Db, customers: { id: number }[]): Promise<UserActor[]> {
  const rows = await db
    .selectFrom('app_user')
    .where('role', '=', 'service')
    .select(['id', 'name'])
    .orderBy('id')
    .execute()
  const scopes = rows.map((_, index) =>
    index % 2 === 0 ? 'all' : customers.slice(index, index + 2).map(({ id }) => id),
  )
  for (const [index, { id }] of rows.entries()) {
    const scope = scopes[index] ?? 'all'
    if (scope === 'all') continue
    await db.updateTable('app_user').set({ all_customers: false }).where('id', '=', id).execute()
    await db
      .insertInto('user_customer')
      .values(scope.map((customer_id) => ({ user_id: id, customer_id })))
      .execute()
  }
  return rows.map(({ id, name }, index) => ({
    type: 'user',
    id,
    name: name ?? '',
    role: 'service',
    scope: scopes[index] ?? 'all',
    sessionId: '',
  }))
}

/** Moves an instrument to any site, under any contract of its customer or none, with another name. */
export async function moveInstrument(change: Change): Promise<void> {
  await registerInstrument(change, change.random.pick(change.fleet.instruments))
}

async function registerInstrument({ db, fleet, random, now }: Change, { id, key }: { id: number; key: string }) {
  const site = random.pick(fleet.sites)
  const contracts = fleet.contracts.filter(({ customerId }) => customerId === site.customerId)
  const object = anInstrument({
    key,
    // The type of an instrument never changes.
    type: instrumentTypes[id % 4] ?? 'Wave25',
    productDescription: ['ÄKTA pure 25', 'WAVE 25', 'Äkta avant', 'äkta avant'][id % 4] ?? 'UniFlux',
    systemName: random.pick(['PURE_1-Łab', 'PILOT', null, '100% new']),
    qualifiedSystem: id % 3 === 0,
    site: site.key,
    gateway: random.pick(fleet.gateways.filter(({ customerId }) => customerId === site.customerId)).name,
    contract: random.chance(0.15) ? null : random.pick(contracts).key,
    contact: null,
  })
  await register(db, { kind: 'instruments', object, actor, clock: fixedClock(now) })
}

/**
 * Changes a contract: terms with 24-hour support, terms that look similar, and others; start and end dates close to
 * now.
 */
export async function changeContract({ db, fleet, random, now }: Change): Promise<void> {
  const { key, customerId } = random.pick(fleet.contracts)
  const day = (from: number, to: number) =>
    random.chance(0.4) ? null : new Date(now.getTime() + random.integer(from, to) * DAY_MS).toISOString().slice(0, 10)
  const [startDate, endDate] = [day(-4, -1), day(-1, 2)]
  const object = aContract({
    key,
    customer: customerKey(fleet, customerId),
    slaTerm: random.pick([
      '24/7 EMEA',
      '24/7 emea',
      'Gold 24h',
      'Care 24 hours',
      '124h',
      '24/7',
      'Platinum 24/7',
      null,
    ]),
    startDate,
    endDate,
  })
  await register(db, { kind: 'contracts', object, actor, clock: fixedClock(now) })
}

/** Changes the address, so that two sites may become one location, and sets or removes the position. */
export async function changeSite(change: Change): Promise<void> {
  await registerSite(change, change.random.pick(change.fleet.sites))
}

async function registerSite({ db, fleet, random, now }: Change, site: BusyFleet['sites'][number]): Promise<void> {
  const [latitude, longitude] = random.pick([
    [59.85178, 17.65892],
    [59.85178, 17.65893],
    [-0.00001, 0],
    [null, null],
  ] as const)
  // A few addresses, so that two sites of a customer often share one.
  const [street, city, country] = random.pick([
    ['Street 1', 'Uppsala', 'Sweden'],
    ['Street 1', 'uppsala', 'Sweden'],
    ['Street 1', 'Øksnes', 'Norway'],
    [null, null, null],
  ] as const)
  const object = aSite({
    key: site.key,
    customer: customerKey(fleet, site.customerId),
    street,
    zip: random.pick(['1', null]),
    city,
    country,
    region: random.pick(['EMEA', 'AMER', null]),
    latitude,
    longitude,
    // The 24-hour flag of an event depends on the day at its site when it was raised, so the time zone stays the same
    // here.
    timeZone: site.timeZone,
  })
  await register(db, { kind: 'sites', object, actor, clock: fixedClock(now) })
}

/** Renames a customer, also to a name that another customer has. */
export async function renameCustomer({ db, fleet, random, now }: Change): Promise<void> {
  const object = aCustomer({
    key: random.pick(fleet.customers).key,
    name: random.pick(['Helix Biologics', 'helix biologics', 'Östra Läkemedel', 'Ørsted Bio', '100% Pure_Lab', 'Zeta']),
  })
  await register(db, { kind: 'customers', object, actor, clock: fixedClock(now) })
}

export function someStatus(random: SeededRandom): string {
  return random.pick(instrumentStatuses)
}

function customerKey({ customers }: BusyFleet, customerId: number): string {
  const customer = customers.find(({ id }) => id === customerId)
  if (!customer) throw new Error(`There is no customer ${customerId}.`)
  return customer.key
}
