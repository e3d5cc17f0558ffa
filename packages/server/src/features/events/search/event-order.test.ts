import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { eventOrderBy } from '@benchwatch/contract/vocabulary'
import { beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../../db/transaction.ts'
import { buildEventFixture } from '../../../testing/event-fixture.ts'
import { plainOrder } from '../../../testing/plain/plain-search.ts'
import { TEST_NOW } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import { readServiceEvents } from '../events.queries.ts'
import { resolveSelection } from './filters.queries.ts'
import { postgresSearch } from './postgres-search.ts'

const now = TEST_NOW
const search = { filter: {} }
const everyOrder = eventOrderBy.flatMap((orderBy) => [[orderBy, 'ASC'] as const, [orderBy, 'DESC'] as const])
let database: TestDatabase
let alarms: ServiceEvent[]

beforeAll(async () => {
  database = await testDatabase()
  const fixture = await buildEventFixture(database.db, { events: 240, now })
  alarms = await readServiceEvents(database.db, { ids: fixture.eventIds, scope: 'all' })
})

test.each(everyOrder)('by %s %s is the order of a plain sort, on every page', async (orderBy, order) => {
  const start = new Date(now.getTime() - 20 * 86_400_000)
  for (const asked of [search, { ...search, start }]) {
    const mine = alarms.filter(({ createdAt }) => asked === search || Date.parse(createdAt) >= start.getTime())
    const expected = plainOrder(mine, { orderBy, order })
    const { pages, whole } = await inTransaction(
      database.db,
      async (trx) => {
        const moment = postgresSearch.begin()
        const selection = await resolveSelection(trx, { search: asked, scope: 'all', now })
        const pages: number[] = []
        for (let offset = 0; offset <= mine.length; offset += 37) {
          pages.push(...(await moment.find(trx, selection, { orderBy, order, limit: 37, offset })).ids)
        }
        const whole: number[] = []
        for await (const ids of moment.each(trx, selection, { orderBy, order })) whole.push(...ids)
        return { pages, whole }
      },
      { isSnapshot: true },
    )
    expect(pages.map(String)).toEqual(expected)
    expect(whole.map(String)).toEqual(expected)
  }
})
