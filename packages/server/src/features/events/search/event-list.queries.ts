import type { EventTotals, ServiceEvent } from '@benchwatch/contract/events'
import type { DataScope } from '../../../db/actor.ts'
import type { Db, Trx } from '../../../db/connect.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { ColumnStore, ColumnView } from '../columns/column-store.ts'
import { readServiceEvents } from '../events.queries.ts'
import { listEventIds } from './event-page.queries.ts'
import type { Page } from './event-sort.queries.ts'
import type { EventSelection } from './filters.ts'
import { type EventSearch, resolveSelection } from './selection.queries.ts'
import { readTotals } from './totals.queries.ts'

interface EventListInput {
  search: EventSearch
  scope: DataScope
  viewerId?: number
  page: Page
  now: Date
}

/** Returns one page of the events that match a search with the totals of all matches, both from one snapshot. */
export async function listServiceEvents(
  { db, columns }: { db: Db; columns: ColumnStore },
  { search, scope, viewerId, page, now }: EventListInput,
): Promise<{ values: { alarm: ServiceEvent }[]; total: EventTotals }> {
  return inTransaction(
    db,
    async (trx) => {
      const view = columns.view()
      const selection = await resolveSelection(trx, { search, scope, now })
      const { totals, ids } = await findEventIds(trx, { view, selection, page })
      const events = await readServiceEvents(trx, { ids, scope, viewerId })
      return { values: events.map((alarm) => ({ alarm })), total: totals }
    },
    { isSnapshot: true },
  )
}

/**
 * Returns the ids of a page with the totals of the selection: from the columns in memory if they are loaded, which
 * takes half as long at ten million events, otherwise from the database. Call it in a snapshot (`inTransaction`).
 */
export async function findEventIds(
  trx: Trx,
  { view, selection, page }: { view: ColumnView; selection: EventSelection; page: Page },
): Promise<{ totals: EventTotals; ids: number[] }> {
  const answer = await view.search(trx, { selection, page })
  const totals = answer?.totals ?? (await readTotals(trx, selection))
  const ids = answer?.ids ?? (await listEventIds(trx, { selection, page, total: totals.events }))
  return { totals, ids }
}
