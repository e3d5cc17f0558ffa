import type { EventFilter } from '@benchwatch/contract/events/events'
import { eventOrderBy } from '@benchwatch/contract/vocabulary'
import { RefusedError } from '../../product/api-client.ts'
import { type Fixture, measureTimes } from '../fixture.ts'
import { pageSql, queryFloor, scannedTotalsSql, whereOf } from '../floors.ts'
import { searchGoal } from '../goals.ts'
import { askList, type RangeName, rangeOf } from '../searches.ts'

const DEEP = 50_000

/** Sort keys for SQL; for the other orders SQL has no shorter way than the product. */
const orders: Partial<Record<(typeof eventOrderBy)[number], string>> = {
  createdAt: 'e.created_at DESC, e.id DESC',
  eventId: 'e.id',
  severity: 'e.severity, e.id',
  alertStatus: 'e.alert_status, e.id',
  claimedBy: 'e.claimed_by, e.id',
}

const filters: readonly (readonly [string, EventFilter])[] = [
  ['closed ones', { alertStatus: ['3_CLOSED'] }],
  ['high ones', { severity: ['high'] }],
]

/** Measures pages far from the first one, and in every order the first page, also with filters, the middle and the last. */
export async function measurePages(fixture: Fixture): Promise<void> {
  for (const range of ['1 year', 'unbounded'] as const)
    await page(fixture, { range, offset: DEEP, name: 'offset 50,000' })
  const { total } = await askList(fixture.clients.all, { range: rangeOf('unbounded') })
  const last = Math.floor((total.events - 1) / 12) * 12
  await page(fixture, { range: 'unbounded', offset: last, name: 'last page' })
  for (const orderBy of eventOrderBy) {
    for (const range of ['7 days', 'unbounded'] as const) await page(fixture, { range, orderBy, name: `by ${orderBy}` })
    for (const [name, filter] of filters) {
      await page(fixture, { range: 'unbounded', orderBy, filter, name: `${name} by ${orderBy}` })
    }
    const middle = Math.floor(total.events / 24) * 12
    await page(fixture, { range: 'unbounded', orderBy, offset: middle, name: `page in the middle by ${orderBy}` })
    await page(fixture, { range: 'unbounded', orderBy, offset: last, name: `last page by ${orderBy}` })
  }
}

interface Case {
  name: string
  range: RangeName
  offset?: number
  orderBy?: (typeof eventOrderBy)[number]
  filter?: EventFilter
}

/** Reports a refusal as a missed figure, so that the other measures continue. */
async function page(fixture: Fixture, of: Case): Promise<void> {
  const begun = performance.now()
  try {
    await measurePage(fixture, of)
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    const refusal = `answered ${error.status}`
    fixture.report({ ...about(fixture, of), value: performance.now() - begun, refusal })
  }
}

function about(fixture: Fixture, { name, range }: Case) {
  const goal = searchGoal(fixture, { kind: 'page', range })
  return { group: 'pages', name: `list ${name}, ${range}`, unit: 'ms', ...(goal && { goal }) } as const
}

async function measurePage(fixture: Fixture, of: Case): Promise<void> {
  const { range, offset = 0, orderBy = 'createdAt', filter = {} } = of
  const query = { offset: String(offset), orderBy }
  const search = { range: rangeOf(range), filter: {}, conditions: ['true'] }
  // With a filter or at the far end, SQL has no shorter way than the product.
  const isBare = of.filter === undefined && (of.orderBy === undefined || offset === 0)
  const order = isBare ? orders[orderBy] : undefined
  const isSortedApart = range === '7 days' && orderBy !== 'createdAt'
  await measureTimes(fixture, {
    ...about(fixture, of),
    ask: () => askList(fixture.clients.all, { range: rangeOf(range), filter, query }),
    floor:
      order === undefined
        ? undefined
        : {
            how: 'page and totals in SQL, one connection',
            ask: () =>
              queryFloor(fixture.sql, {
                page: pageSql(whereOf(search), { offset, order, isSortedApart }),
                totals: scannedTotalsSql(search),
              }),
          },
  })
}
