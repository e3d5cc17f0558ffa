import type { EventTotals, ServiceEvent } from '@benchwatch/contract/service-events'
import type { DataScope } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { ColumnStore, ColumnView } from './column-store.ts'
import { listEventIds } from './event-page.queries.ts'
import type { Page } from './event-sort.queries.ts'
import type { EventSelection } from './filters.ts'
import { type EventSearch, resolveSelection } from './selection.queries.ts'
import { readServiceEvents } from './service-events.queries.ts'
import { hasRollups, readTotals } from './totals.queries.ts'

interface Wanted {
  search: EventSearch
  scope: DataScope
  viewerId?: number
  page: Page
  now: Date
}

/** One page of the events that a search finds, with the totals of all of them; both of one moment. */
export async function listServiceEvents(
  { db, columns }: { db: Db; columns: ColumnStore },
  { search, scope, viewerId, page, now }: Wanted,
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

/** The database passes all events before a page: 20 ms for 50,000 of them, 300 ms for a million; the columns don't. */
const DEEP_OFFSET = 5000
/** The rollups look at every component that was ever seen (47 ms at ten million events), the columns at the range alone (21 ms). */
const SHORT_RANGE_MS = 92 * 86_400_000

/**
 * The ids of a page, with the totals of all that is selected: from the columns in memory where they are loaded and faster
 * than rollups and index, else from the database. To be asked in a snapshot (`inTransaction`).
 */
export async function findEventIds(
  trx: Trx,
  { view, selection, page }: { view: ColumnView; selection: EventSelection; page: Page },
): Promise<{ totals: EventTotals; ids: number[] }> {
  const answer = rollupsKnowBest(selection, page) ? undefined : await view.search(trx, { selection, page })
  const totals = answer?.totals ?? (await readTotals(trx, selection))
  const ids = answer?.ids ?? (await listEventIds(trx, { selection, page, total: totals.events }))
  return { totals, ids }
}

function rollupsKnowBest(selection: EventSelection, { orderBy, offset }: Page): boolean {
  const { start, now } = selection
  const isShort = start !== null && now.getTime() - start.getTime() < SHORT_RANGE_MS
  // No index has the order of descriptions.
  return hasRollups(selection) && offset < DEEP_OFFSET && !isShort && orderBy !== 'description'
}
