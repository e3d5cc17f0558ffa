import { eventOrderBy } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { buildEventFixture } from '../../../testing/event-fixture.ts'
import { TEST_NOW } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import { listEventIds } from '../search/event-page.queries.ts'
import { resolveSelection } from '../search/selection.queries.ts'
import { columnEvents } from './column-rows.queries.ts'
import { ColumnStore } from './column-store.ts'

const search = { filter: {}, flags: { noOwner: false, noAction: false, fullSupport: false } }
let database: TestDatabase
let columns: ColumnStore

beforeAll(async () => {
  database = await testDatabase()
  await buildEventFixture(database.db, { events: 200, now: TEST_NOW })
  columns = new ColumnStore(database)
  await columns.load()
})

async function expectSameOrder(orderBy: (typeof eventOrderBy)[number]): Promise<void> {
  await database.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const view = columns.view()
      const selection = await resolveSelection(trx, { search, scope: 'all', now: TEST_NOW })
      const page = { orderBy, order: 'ASC', limit: 100, offset: 60 } as const
      const answer = await view.search(trx, { selection, page })
      expect(answer?.ids).toEqual(await listEventIds(trx, { selection, page, total: 200 }))
    })
}

test.each(eventOrderBy)('the columns know the order by %s', expectSameOrder)

const later = new Date(TEST_NOW.getTime() + 1000)

// Each by itself: what the database does not notice as a change would stay as it was in the columns.
test.each([
  ['alertStatus', { alert_status: 2 }],
  ['claimedBy', { claimed_by: 0 }],
  ['automaticEmailSentAt', { automatic_email_sent_at: later }],
] as const)('what changes the order by %s alone is noticed', async (orderBy, change) => {
  await database.db.updateTable('service_event').set(change).where(sql<boolean>`id % 3 = 0`).execute()
  await expectSameOrder(orderBy)
  await columns.advance()
  await expectSameOrder(orderBy)
})

/** Columns whose values never change for an event. */
const kept = new Set([
  'alert_type',
  'component_id',
  'created_at',
  'customer_id',
  'description',
  'gateway_id',
  'id',
  'instrument_id',
  'is_edge_issue',
  'severity',
  'site_id',
  'text_folded',
])

test('whatever of an event can change is marked as a change', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT a.attname AS name FROM pg_trigger AS t JOIN pg_attribute AS a ON a.attrelid = t.tgrelid AND a.attnum = ANY(t.tgattr)
    WHERE t.tgrelid = 'service_event'::regclass AND t.tgname = 'mark_event_change'`.execute(database.db)
  const marked = new Set<string | undefined>(rows.map(({ name }) => name))
  const read = new Set(
    [
      ...columnEvents(database.db)
        .compile()
        .sql.matchAll(/\be"?\."?(\w+)/g),
    ].map(([, name]) => name),
  )
  expect(read.difference(marked)).toEqual(kept)
})
