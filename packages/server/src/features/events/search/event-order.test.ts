import type { ServiceEvent } from '@benchwatch/contract/events'
import { eventOrderBy } from '@benchwatch/contract/vocabulary'
import { beforeAll, expect, test } from 'vitest'
import { buildEventFixture } from '../../../testing/event-fixture.ts'
import { plainOrder } from '../../../testing/plain/plain-search.ts'
import { TEST_NOW } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import { readServiceEvents } from '../events.queries.ts'
import { listEventIds } from './event-page.queries.ts'
import { sortGroups, walkGroups } from './group-walk.queries.ts'
import { resolveSelection } from './selection.queries.ts'

const now = TEST_NOW
const search = { filter: {}, flags: { noOwner: false, noAction: false, fullSupport: false } }
const everyOrder = eventOrderBy.flatMap((orderBy) => [[orderBy, 'ASC'] as const, [orderBy, 'DESC'] as const])
let database: TestDatabase
let customers: number[]
let alarms: ServiceEvent[]
let customerOf: Map<string, number>

beforeAll(async () => {
  database = await testDatabase()
  const fixture = await buildEventFixture(database.db, { events: 240, now })
  customers = fixture.customers.map(({ id }) => id)
  alarms = await readServiceEvents(database.db, { ids: fixture.eventIds, scope: 'all' })
  const rows = await database.db.selectFrom('service_event').select(['id', 'customer_id']).execute()
  customerOf = new Map(rows.map(({ id, customer_id }) => [String(id), customer_id]))
})

test.each(everyOrder)('by %s %s is the order of a plain sort, on every page', async (orderBy, order) => {
  const start = new Date(now.getTime() - 20 * 86_400_000)
  for (const asked of [search, { ...search, start }]) {
    const mine = alarms.filter(({ createdAt }) => asked === search || Date.parse(createdAt) >= start.getTime())
    const expected = plainOrder(mine, { orderBy, order })
    const selection = await resolveSelection(database.db, { search: asked, scope: 'all', now })
    const found: number[] = []
    for (let offset = 0; offset <= mine.length; offset += 37) {
      const page = { orderBy, order, limit: 37, offset }
      found.push(...(await listEventIds(database.db, { selection, page, total: mine.length })))
    }
    expect(found.map(String)).toEqual(expected)
  }
})

const walked = everyOrder.filter(([orderBy]) => !['createdAt', 'eventId', 'description'].includes(orderBy))

test.each(walked)('by %s %s is the same group by group, as long lists are read', async (orderBy, order) => {
  const scope = customers.slice(1)
  const selection = await resolveSelection(database.db, { search, scope, now })
  await expectWalk({ selection, order, orderBy, scope })
})

interface Walk {
  selection: Awaited<ReturnType<typeof resolveSelection>>
  orderBy: (typeof eventOrderBy)[number]
  order: 'ASC' | 'DESC'
  scope: number[]
}

async function expectWalk({ selection, orderBy, order, scope }: Walk): Promise<void> {
  const { db } = database
  const mine = alarms.filter(({ id }) => scope.includes(customerOf.get(id) ?? 0))
  const expected = plainOrder(mine, { orderBy, order })
  for (const [offset, limit] of [
    [0, 12],
    [5, 100],
    [97, 41],
    [mine.length - 3, 100],
  ] as const) {
    const page = { orderBy, order, limit, offset }
    const groups = await sortGroups(db, { selection, page })
    if (orderBy === 'instrumentStatus') {
      // An instrument has moved: who may see its status cannot be decided per group of instruments.
      expect(groups).toBeNull()
      return
    }
    if (!groups) throw new Error(`There are no groups for ${orderBy}.`)
    const ids = await walkGroups(db, { selection, page, groups })
    expect(ids.map(String)).toEqual(expected.slice(offset, offset + limit))
  }
}

test('by status, when no instrument has moved, group by group too', async () => {
  const { db } = database
  await db
    .updateTable('instrument as i')
    .set((eb) => ({
      customer_id: eb
        .selectFrom('service_event as e')
        .whereRef('e.instrument_id', '=', 'i.id')
        .select((own) => own.fn.min('e.customer_id').as('c')),
    }))
    .where('i.id', 'in', db.selectFrom('service_event').select('instrument_id').where('instrument_id', 'is not', null))
    .execute()
  alarms = await readServiceEvents(db, { ids: alarms.map(({ id }) => Number(id)), scope: 'all' })
  const selection = await resolveSelection(db, { search, scope: 'all', now })
  for (const order of ['ASC', 'DESC'] as const) {
    const page = { orderBy: 'instrumentStatus', order, limit: 100, offset: 60 } as const
    const groups = await sortGroups(db, { selection, page })
    if (!groups) throw new Error('There are no groups.')
    const ids = await walkGroups(db, { selection, page, groups })
    expect(ids.map(String)).toEqual(plainOrder(alarms, page).slice(60, 160))
  }
})
