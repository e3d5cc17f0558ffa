import type { EventLocation, ServiceEvent } from '@benchwatch/contract/events/events'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildEventFixture } from '../../../testing/event-fixture.ts'
import { type PlainEvent, plainMatches, plainTotals } from '../../../testing/plain/plain-search.ts'
import { TEST_NOW as now } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import { readServiceEvents } from '../events.queries.ts'
import { listEventLocations } from './event-list.queries.ts'
import type { EventQuery } from './filters.queries.ts'
import { postgresSearch } from './postgres-search.ts'

let database: TestDatabase
let all: PlainEvent<ServiceEvent>[]

beforeAll(async () => {
  database = await testDatabase()
  const { db } = database
  const fixture = await buildEventFixture(db, { events: 240, now })
  const events = await readServiceEvents(db, { ids: fixture.eventIds, scope: 'all' })
  const rows = await db.selectFrom('service_event').select(['id', 'customer_id', 'last_action_at']).execute()
  const byId = new Map(rows.map((row) => [String(row.id), row]))
  all = events.map((alarm) => {
    const row = byId.get(alarm.id)
    if (!row) throw new Error(`There is no event ${alarm.id}.`)
    return { alarm, customerId: row.customer_id, lastActionAt: row.last_action_at }
  })
  // One site loses its position, so that the count of events without a position is not zero.
  const [first] = await db.selectFrom('site').select('id').orderBy('id').execute()
  await db
    .updateTable('site')
    .set({ latitude: null, longitude: null })
    .where('id', '=', first?.id ?? 0)
    .execute()
  // Others are at the extremes: the poles, and both sides of the date line.
  for (const [key, latitude, longitude] of [
    ['m1', '90', '-180'],
    ['b1', '-90', '180'],
    ['z1', '0', '180'],
  ] as const) {
    await db.updateTable('site').set({ latitude, longitude }).where('key', '=', key).execute()
  }
  const positions = await readServiceEvents(db, { ids: fixture.eventIds, scope: 'all' })
  all = all.map((event, index) => ({ ...event, alarm: positions[index] ?? event.alarm }))
})

/** Computes the expected locations from all events: one entry per position. */
function plainLocations(events: readonly ServiceEvent[]) {
  const values = new Map<string, EventLocation & { customers: Set<string> }>()
  let eventsWithoutPosition = 0
  for (const event of events) {
    const { instrumentLocationLatitude: latitude, instrumentLocationLongitude: longitude } = event
    if (latitude === null || longitude === null) {
      eventsWithoutPosition += 1
      continue
    }
    const key = `${latitude} ${longitude}`
    const value = values.get(key) ?? {
      alarm: {
        instrumentLocationLatitude: latitude,
        instrumentLocationLongitude: longitude,
        siteCountry: event.siteCountry,
        siteCity: event.siteCity,
        enterpriseName: null,
      },
      high: 0,
      medium: 0,
      low: 0,
      total: 0,
      openHigh: 0,
      openMedium: 0,
      openLow: 0,
      customers: new Set<string>(),
    }
    value[event.severity] += 1
    value.total += 1
    const open = ({ high: 'openHigh', medium: 'openMedium', low: 'openLow' } as const)[event.severity]
    if (event.alertStatus !== '3_CLOSED') value[open] += 1
    value.customers.add(event.enterpriseName)
    values.set(key, value)
  }
  return { values, eventsWithoutPosition }
}

describe('locations', () => {
  test.each<[string, Partial<EventQuery>, 'all' | number[]]>([
    ['of everything', {}, 'all'],
    ['of a range', { start: new Date(now.getTime() - 7 * 86_400_000), stop: now }, 'all'],
    ['of a filter, ignoring case', { filter: { severity: ['HIGH', 'low'], siteCountry: ['sWEDEN'] } }, 'all'],
    ['of what nobody has taken', { flags: { noOwner: true } }, 'all'],
    ['of one customer', {}, [1]],
    ['of nobody', {}, []],
  ])('%s are those of the list', async (_name, asked, scope) => {
    const search: EventQuery = { filter: {}, ...asked }
    const wanted = { search, scope, now }
    const answer = await listEventLocations({ db: database.db, eventSearch: postgresSearch }, wanted)
    const expected = plainLocations(all.filter((event) => plainMatches(event, wanted)).map(({ alarm }) => alarm))
    expect(expected.values.size > 0).toBe(scope === 'all' || scope.length > 0)
    const { eventsWithoutPosition, ...totals } = answer.total
    expect(totals).toEqual(plainTotals(all, wanted))
    expect(eventsWithoutPosition).toBe(expected.eventsWithoutPosition)
    expect(answer.values).toHaveLength(expected.values.size)
    for (const { alarm, ...counts } of answer.values) {
      const plain = expected.values.get(`${alarm.instrumentLocationLatitude} ${alarm.instrumentLocationLongitude}`)
      const { high, medium, low, total, openHigh, openMedium, openLow } = plain ?? {}
      expect([alarm.siteCountry, alarm.siteCity]).toEqual([plain?.alarm.siteCountry, plain?.alarm.siteCity])
      expect(counts).toEqual({ high, medium, low, total, openHigh, openMedium, openLow })
      const customers = [...(plain?.customers ?? [])]
      expect(alarm.enterpriseName).toBe(customers.length === 1 ? customers[0] : null)
    }
  })
})

test.each([
  ['address', { street: 'Elsewhere 9' }],
  ['position', { latitude: '12.34567', longitude: '-76.54321' }],
  ['city and country', { city: 'Lima', country: 'Peru' }],
  ['lack of a position', { latitude: null, longitude: null }],
])("a site's new %s is on the map and in the totals at once", async (_name, change) => {
  const wanted = { search: { filter: {} }, scope: 'all', now } as const
  const ask = async () => {
    const { values, total } = await listEventLocations({ db: database.db, eventSearch: postgresSearch }, wanted)
    return { values: new Set(values), total }
  }
  const before = await ask()
  // Two sites share this address.
  await database.db.updateTable('site').set(change).where('key', '=', 'u2').execute()
  expect(await ask()).not.toEqual(before)
})
