import type { EventTotals, ServiceEvent } from '@benchwatch/contract/events/events'
import type { DataScope } from '../../../db/actor.ts'
import type { Db } from '../../../db/connect.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { readServiceEvents } from '../events.queries.ts'
import { type EventSearch, type Page, type Searched, searchedBy } from './event-search.ts'
import { type EventQuery, resolveSelection } from './filters.queries.ts'

interface EventListInput {
  search: EventQuery
  scope: DataScope
  viewerId?: number
  page: Page
  now: Date
}

/**
 * Returns one page of the events that match a search with the totals of all matches, both of one moment. The rows are
 * always read from PostgreSQL.
 */
export async function listServiceEvents(
  { db, eventSearch }: { db: Db; eventSearch: EventSearch },
  { search, scope, viewerId, page, now }: EventListInput,
): Promise<Searched & { values: { alarm: ServiceEvent }[]; total: EventTotals }> {
  return inTransaction(
    db,
    async (trx) => {
      const moment = eventSearch.begin()
      const selection = await resolveSelection(trx, { search, scope, now })
      const found = await moment.find(trx, selection, page)
      const events = await readServiceEvents(trx, { ids: found.ids, scope, viewerId })
      return { values: events.map((alarm) => ({ alarm })), total: found.totals, ...searchedBy(eventSearch, found) }
    },
    { isSnapshot: true },
  )
}
