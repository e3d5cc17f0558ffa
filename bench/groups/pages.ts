import type { EventFilter } from '@benchwatch/contract/events'
import { eventOrderBy } from '@benchwatch/contract/vocabulary'
import { goals } from '../measure/goals.ts'
import { samplePair } from '../measure/sampling.ts'
import { RefusedError } from '../product/api-client.ts'
import { askFloor, pageSql, rolledUpTotalsSql, whereOf } from '../scene/floors.ts'
import type { Scene } from '../scene/scene.ts'
import { askList, type RangeName, rangeOf } from '../scene/searches.ts'

const DEEP = 50_000

/** Sort keys by hand; the others have no shorter way than the product's. */
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

/** Pages far from the first one; the first page in every order, also of filters, and the last page. */
export async function measurePages(scene: Scene): Promise<void> {
  for (const range of ['1 year', 'unbounded'] as const)
    await page(scene, { range, offset: DEEP, name: 'offset 50,000' })
  const { total } = await askList(scene.clients.all, { range: rangeOf('unbounded') })
  const last = Math.floor((total.events - 1) / 12) * 12
  await page(scene, { range: 'unbounded', offset: last, name: 'last page' })
  for (const orderBy of eventOrderBy) {
    for (const range of ['7 days', 'unbounded'] as const) await page(scene, { range, orderBy, name: `by ${orderBy}` })
    for (const [name, filter] of filters) {
      await page(scene, { range: 'unbounded', orderBy, filter, name: `${name} by ${orderBy}` })
    }
    await page(scene, { range: 'unbounded', orderBy, offset: last, name: `last page by ${orderBy}` })
  }
}

interface Case {
  name: string
  range: RangeName
  offset?: number
  orderBy?: (typeof eventOrderBy)[number]
  filter?: EventFilter
}

/** What is refused is a figure too, and a missed one: the other measures go on. */
async function page(scene: Scene, of: Case): Promise<void> {
  const begun = performance.now()
  try {
    await measurePage(scene, of)
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    const refusal = `answered ${error.status}`
    scene.report({ ...about(of), value: performance.now() - begun, refusal })
  }
}

function about({ name, range }: Case) {
  return { group: 'pages', name: `list ${name}, ${range}`, unit: 'ms', goal: goals.list } as const
}

async function measurePage(scene: Scene, of: Case): Promise<void> {
  const { range, offset = 0, orderBy = 'createdAt', filter = {} } = of
  const query = { offset: String(offset), orderBy }
  const search = { range: rangeOf(range), filter: {}, conditions: ['true'] }
  // Filtered or at the far end, there is no shorter way than the product's either.
  const isBare = of.filter === undefined && (of.orderBy === undefined || offset === 0)
  const order = isBare ? orders[orderBy] : undefined
  const { product, floor } = await samplePair(
    {
      product: () => askList(scene.clients.all, { range: rangeOf(range), filter, query }),
      floor:
        order === undefined
          ? undefined
          : () =>
              askFloor(scene.sql, {
                page: pageSql(whereOf(search), {
                  offset,
                  order,
                  isSortedApart: range === '7 days' && orderBy !== 'createdAt',
                }),
                totals: rolledUpTotalsSql(search),
              }),
    },
    scene.sampling,
  )
  scene.report({
    ...about(of),
    value: product.p95,
    summary: product,
    ...(floor && { floor: { value: floor.p95, how: 'page and totals in SQL, one connection', summary: floor } }),
  })
}
