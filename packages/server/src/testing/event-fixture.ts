import { instrumentStatuses } from '@benchwatch/contract/vocabulary'
import { type SeededRandom, seededRandom } from '@benchwatch/samples/seeded-random'
import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { fold } from '../db/fold.ts'
import type { NewServiceEvent } from '../features/events/change-record.ts'
import { insertServiceEvents } from '../features/events/events.store.ts'
import type { EventSelection } from '../features/events/search/filters.queries.ts'

/**
 * A small fleet with everything that makes searching events hard: equal and missing values, letters with marks, one
 * address of two sites, an instrument that moved to another customer, edge issues without instrument, several
 * spellings. For tests that compare a query with a plain loop over all events.
 */
export interface EventFixture {
  customers: { id: number; name: string }[]
  users: { id: number; name: string | null }[]
  eventIds: number[]
}

/** Returns a selection that restricts nothing. */
export function everyEvent(now: Date): EventSelection {
  return {
    scope: 'all',
    filter: { is: 'all', of: [] },
    start: null,
    stop: null,
    flags: {},
    now,
  }
}

const DAY_MS = 86_400_000

export async function buildEventFixture(
  db: Db,
  { events, now, seed = 'world', days = 40 }: { events: number; now: Date; seed?: string; days?: number },
): Promise<EventFixture> {
  const random = seededRandom(seed)
  const customers = await addCustomers(db)
  const sites = await addSites(db, customers)
  const gateways = await addGateways(db, sites)
  const instruments = await addInstruments(db, { sites, random })
  const components = await addComponents(db)
  const users = await addUsers(db)
  const eventIds: number[] = []
  for (let done = 0; done < events; done += 50) {
    const some = Array.from({ length: Math.min(50, events - done) }, (_, index) =>
      newEvent(random, {
        number: done + index,
        instruments,
        gateways,
        components,
        at: now.getTime() - random.next() * days * DAY_MS,
      }),
    )
    eventIds.push(...(await insertServiceEvents(db, some)).values())
  }
  for (const id of eventIds) await age(db, { id, random, users, now })
  await moveFirstInstrument(db, { instruments, sites })
  await addRuns(db, customers)
  return { customers, users, eventIds }
}

async function addCustomers(db: Db) {
  const names = ['Helix Biologics', 'Östra Läkemedel', 'Ørsted Bio', 'helix nordics', '100% Pure_Lab']
  return db
    .insertInto('customer')
    .values(names.map((name, index) => ({ key: `c${index}`, name, name_folded: fold(name) })))
    .returning(['id', 'name'])
    .execute()
}

interface SiteRow {
  id: number
  customer_id: number
}

async function addSites(db: Db, customers: { id: number }[]): Promise<SiteRow[]> {
  const [a, b, c, d, e] = customers.map(({ id }) => id) as [number, number, number, number, number]
  const site = (
    key: string,
    customer_id: number,
    place: [string | null, string | null, string | null],
    at?: string[],
  ) => {
    const [city, country, region] = place
    const [latitude = null, longitude = null] = at ?? []
    return {
      key,
      customer_id,
      name: key,
      street: `Street ${key.slice(0, 1)}`,
      zip: '1',
      city,
      country,
      region,
      latitude,
      longitude,
      place_folded: fold([city, country].filter(Boolean).join(' ')),
    }
  }
  return db
    .insertInto('site')
    .values([
      site('u1', a, ['Uppsala', 'Sweden', 'EMEA'], ['59.85178', '17.65892']),
      // The same address as u1, so the same location.
      site('u2', a, ['Uppsala', 'Sweden', 'EMEA'], ['59.85178', '17.65893']),
      site('m1', b, ['Malmö', 'Sweden', 'EMEA'], ['55.60500', '13.00380']),
      site('b1', b, ['boston', 'USA', 'AMER'], ['42.36010', '-71.05890']),
      site('o1', c, ['Øksnes', 'Norway', 'EMEA']),
      site('n1', d, ['Uppsala', 'Sweden', 'EMEA'], ['59.85178', '17.65892']),
      site('x1', d, [null, null, null]),
      site('z1', e, ['Zürich', 'Switzerland', 'EMEA'], ['-0.00001', '0.00000']),
    ])
    .returning(['id', 'customer_id'])
    .execute()
}

interface GatewayRow {
  id: number
  site_id: number
  customer_id: number
}

async function addGateways(db: Db, sites: SiteRow[]): Promise<GatewayRow[]> {
  const rows = await db
    .insertInto('gateway')
    .values(sites.map(({ id }, index) => ({ name: `gw-${index}`, site_id: id, installed_product_id: `GW-29${index}` })))
    .returning(['id', 'site_id'])
    .execute()
  return rows.map((row) => ({ ...row, customer_id: sites.find(({ id }) => id === row.site_id)?.customer_id ?? 0 }))
}

interface InstrumentRow {
  id: number
  site_id: number
  customer_id: number
}

async function addInstruments(
  db: Db,
  { sites, random }: { sites: SiteRow[]; random: SeededRandom },
): Promise<InstrumentRow[]> {
  const contracts = await db
    .insertInto('contract')
    .values(
      sites.flatMap(({ customer_id }, index) => [
        { key: `k${index}`, customer_id, type: 'Plan', sla_term: '24/7 EMEA', tier_one: true },
        { key: `l${index}`, customer_id, type: 'Plan', sla_term: index % 2 === 0 ? 'Gold 24h' : '8/5 emea' },
        { key: `m${index}`, customer_id, type: null, sla_term: null },
      ]),
    )
    .returning(['id', 'customer_id'])
    .execute()
  const kinds = [
    ['AKTAPure', 'ÄKTA pure 25'],
    ['AKTAAvant', 'ÄKTA avant 150'],
    ['Wave25', 'WAVE 25'],
    ['UniFlux', 'UniFlux 10'],
  ] as const
  return db
    .insertInto('instrument')
    .values(
      Array.from({ length: 17 }, (_, index) => {
        const site = sites[index % sites.length] as SiteRow
        const [type, product_description] = random.pick(kinds)
        const system_name = index % 5 === 0 ? null : `PURE_${index % 3}-Łab`
        const installed_product_id = `IP-${1000 + index * 7}`
        const own = contracts.filter(({ customer_id }) => customer_id === site.customer_id)
        return {
          installed_product_id,
          type,
          product_description,
          system_name,
          qualified_system: index % 3 === 0,
          customer_id: site.customer_id,
          site_id: site.id,
          contract_id: index % 4 === 0 ? null : random.pick(own).id,
          status: random.pick(instrumentStatuses),
          search_folded: fold([product_description, system_name, installed_product_id].filter(Boolean).join(' ')),
        }
      }),
    )
    .returning(['id', 'site_id', 'customer_id'])
    .execute()
}

async function addComponents(db: Db): Promise<number[]> {
  const named = [
    ['Pump A (P9-A)', 'Pump'],
    ['Pump B (P9-B)', 'Pump'],
    ['UV monitor (U9-L)', 'UV monitor'],
    ['pH probe (C9)', 'pH probe'],
    ['Mixer', 'Mixer'],
  ] as const
  const rows = await db
    .insertInto('component')
    .values(named.map(([name, type]) => ({ name, type, name_folded: fold(name) })))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

async function addUsers(db: Db) {
  const names = ['Sven Åberg', 'Ines Berg', null, 'ines berg', 'Øystein Dahl']
  return db
    .insertInto('app_user')
    .values(
      names.map((name, index) => ({
        login: `w${index}@x.example`,
        name,
        name_folded: fold(name ?? ''),
        email: `w${index}@x.example`,
        role: 'service' as const,
        all_customers: true,
      })),
    )
    .returning(['id', 'name'])
    .execute()
}

/**
 * Some differ only by case, by marks, by a suffix, or only in the user message beside them. Some have several lines,
 * one is empty. A digit and an underscore sort differently for readers than as bytes; the last two sort differently as
 * UTF-16.
 */
export const descriptions = [
  'Pressure limit exceeded',
  'PRESSURE limit exceeded',
  'Pressure limit exceeded!',
  'ÄKTA link lost',
  'Akta link lost',
  'Air sensor 100% blocked',
  'UV_lamp aged',
  'UV lamp aged',
  'UV1 lamp aged',
  'pressure drift',
  'pressure drift\nsince Monday',
  'Pressure drift\nRing the lab at Malmö',
  '\n',
  '',
  '-',
  '流量',
  '\uff21\ue000',
  '\u{1f9ea}',
]
export const userMessages = ['Check the pump.', null, '', 'Ring the lab at Malmö', 'Close valve V_1\nand wait']

interface Parts {
  number: number
  instruments: InstrumentRow[]
  gateways: GatewayRow[]
  components: number[]
  at: number
}

function newEvent(random: SeededRandom, { number, instruments, gateways, components, at }: Parts): NewServiceEvent {
  const isEdgeIssue = random.chance(0.12)
  const place = isEdgeIssue ? random.pick(gateways) : random.pick(instruments)
  // Multiples of ten minutes, so that some are equal.
  const createdAt = new Date(Math.floor(at / 600_000) * 600_000)
  return {
    createdAt,
    logGeneratedAt: new Date(createdAt.getTime() - 5000),
    clearedAt: createdAt,
    alertId: `a${number}`,
    templateId: `P9-B-${1000 + (number % 20)}`,
    severity: random.pick(['low', 'medium', 'high']),
    alertType: random.pick([1, 2]),
    alertSource: isEdgeIssue ? 'EDGE_ISSUE' : 'INSTRUMENT',
    isEdgeIssue,
    description: random.pick(descriptions),
    userMessage: random.pick(userMessages),
    instrumentId: isEdgeIssue ? null : place.id,
    componentId: isEdgeIssue || random.chance(0.1) ? null : random.pick(components),
    gatewayId: random.pick(gateways.filter(({ site_id }) => site_id === ('site_id' in place ? place.site_id : 0))).id,
    siteId: place.site_id,
    customerId: place.customer_id,
    instrumentStatusAtEvent: isEdgeIssue ? null : 'ready',
    fullSupport: random.chance(0.4),
    ...(isEdgeIssue && { gatewayId: place.id }),
  }
}

/** Claims, closes and mails about some events. */
async function age(
  db: Db,
  { id, random, users, now }: { id: number; random: SeededRandom; users: { id: number }[]; now: Date },
): Promise<void> {
  const status = random.pick([1, 1, 2, 3, 3])
  const someOwner = random.chance(0.2) ? 0 : random.pick(users).id
  await db
    .updateTable('service_event')
    .set({
      alert_status: status,
      claimed_by: status === 1 && random.chance(0.7) ? null : someOwner,
      reason_closed: status === 3 ? random.integer(1, 6) : null,
      last_action_at: new Date(now.getTime() - random.next() * 3 * DAY_MS),
      ...(random.chance(0.3) && {
        automatic_email_sent_at: new Date(now.getTime() - random.integer(1, 20) * 3_600_000),
        automatic_email: JSON.stringify({ contactName: null, email: 'a@b.example', subject: 'S', body: 'B' }),
      }),
    })
    .where('id', '=', id)
    .execute()
}

/** Two customers have a run of the same name. */
async function addRuns(db: Db, [a, b, c]: readonly { id: number }[]): Promise<void> {
  const names = [
    [a, 'Lot 7'],
    [b, 'Lot 7'],
    [a, 'Kulör-9, „ß“'],
    [c, 'B-2026/11 %'],
    [b, 'mAb; 14'],
  ] as const
  const named = names.map(([customer, name]) => ({ customer_id: customer?.id ?? 0, name, name_folded: fold(name) }))
  const rows = await db.insertInto('run').values(named).returning(['id', 'customer_id']).execute()
  for (const [index, { id, customer_id }] of rows.entries()) {
    await db
      .updateTable('service_event')
      .set({ run_id: id })
      .where('customer_id', '=', customer_id)
      .where('instrument_id', 'is not', null)
      .where(sql<boolean>`id % 7 = ${index}`)
      .execute()
  }
}

/** Given by the new customer; its first word occurs in no other field, its second in many. */
export const MOVED_NAME = 'Nordlys-7 ÄKTA'

async function moveFirstInstrument(
  db: Db,
  { instruments, sites }: { instruments: InstrumentRow[]; sites: SiteRow[] },
): Promise<void> {
  const [first] = instruments
  const target = sites.find(({ customer_id }) => customer_id !== first?.customer_id)
  if (!first || !target) throw new Error('The world has too few sites.')
  const { id: contract_id } = await db
    .selectFrom('contract')
    .where('customer_id', '=', target.customer_id)
    .where('sla_term', 'is not', null)
    .select('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('instrument')
    .set({
      site_id: target.id,
      customer_id: target.customer_id,
      contract_id,
      status: 'wash',
      system_name: MOVED_NAME,
      // It had no name before.
      search_folded: sql`search_folded || ${` ${fold(MOVED_NAME)}`}::text`,
    })
    .where('id', '=', first.id)
    .execute()
}
