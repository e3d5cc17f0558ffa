import type { EventLocation, ServiceEvent } from '@benchwatch/contract/service-events'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildEventWorld } from '../../testing/event-world.ts'
import { type PlainEvent, plainMatches, plainTotals } from '../../testing/plain-search.ts'
import { TEST_NOW as now } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { ColumnStore } from './column-store.ts'
import { listEventLocations } from './event-locations.queries.ts'
import type { EventSearch } from './selection.queries.ts'
import { readServiceEvents } from './service-events.queries.ts'
import { foldTotals } from './totals.store.ts'

const noFlags = { noOwner: false, noAction: false, fullSupport: false }
let database: TestDatabase
let all: PlainEvent<ServiceEvent>[]

beforeAll(async () => {
  database = await testDatabase()
  const { db } = database
  const world = await buildEventWorld(db, { events: 240, now })
  await foldTotals(db)
  const events = await readServiceEvents(db, { ids: world.eventIds, scope: 'all' })
  const rows = await db.selectFrom('service_event').select(['id', 'customer_id', 'last_action_at']).execute()
  const byId = new Map(rows.map((row) => [String(row.id), row]))
  all = events.map((alarm) => {
    const row = byId.get(alarm.id)
    if (!row) throw new Error(`There is no event ${alarm.id}.`)
    return { alarm, customerId: row.customer_id, lastActionAt: row.last_action_at }
  })
  // One site loses its position, so that there is something to say.
  const [first] = await db.selectFrom('site').select('id').orderBy('id').execute()
  await db
    .updateTable('site')
    .set({ latitude: null, longitude: null })
    .where('id', '=', first?.id ?? 0)
    .execute()
  // Others stand at the ends of the world: the poles, and the date line from both sides.
  for (const [key, latitude, longitude] of [
    ['m1', '90', '-180'],
    ['b1', '-90', '180'],
    ['z1', '0', '180'],
  ] as const) {
    await db.updateTable('site').set({ latitude, longitude }).where('key', '=', key).execute()
  }
  const positions = await readServiceEvents(db, { ids: world.eventIds, scope: 'all' })
  all = all.map((event, index) => ({ ...event, alarm: positions[index] ?? event.alarm }))
})

/** What a plain look at all events says: one value a position. */
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
      ...{ high: 0, medium: 0, low: 0, total: 0, customers: new Set<string>() },
    }
    value[event.severity] += 1
    value.total += 1
    value.customers.add(event.enterpriseName)
    values.set(key, value)
  }
  return { values, eventsWithoutPosition }
}

describe.each(['from the database', 'from the columns'])('locations %s', (source) => {
  test.each<[string, Partial<EventSearch>, 'all' | number[]]>([
    ['of everything', {}, 'all'],
    ['of a range', { start: new Date(now.getTime() - 7 * 86_400_000), stop: now }, 'all'],
    ['of a filter', { filter: { severity: ['high'] } }, 'all'],
    ['of what nobody has taken', { flags: { ...noFlags, noOwner: true } }, 'all'],
    ['of one customer', {}, [1]],
    ['of nobody', {}, []],
  ])('%s are those of the list', async (_name, asked, scope) => {
    const columns = new ColumnStore(database)
    if (source === 'from the columns') await columns.load()
    const search: EventSearch = { filter: {}, flags: noFlags, ...asked }
    const wanted = { search, scope, now }
    const answer = await listEventLocations({ db: database.db, columns }, wanted)
    const expected = plainLocations(all.filter((event) => plainMatches(event, wanted)).map(({ alarm }) => alarm))
    const { eventsWithoutPosition, ...totals } = answer.total
    expect(totals).toEqual(plainTotals(all, wanted))
    expect(eventsWithoutPosition).toBe(expected.eventsWithoutPosition)
    expect(answer.values).toHaveLength(expected.values.size)
    for (const { alarm, ...counts } of answer.values) {
      const plain = expected.values.get(`${alarm.instrumentLocationLatitude} ${alarm.instrumentLocationLongitude}`)
      const { high, medium, low, total } = plain ?? {}
      expect(counts).toEqual({ high, medium, low, total })
      const customers = [...(plain?.customers ?? [])]
      expect(alarm.enterpriseName).toBe(customers.length === 1 ? customers[0] : null)
    }
  })
})
