import type { EventTotals, ServiceEvent } from '@benchwatch/contract/service-events'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { listEventIds } from './event-page.queries.ts'
import type { Page } from './event-sort.queries.ts'
import { type EventSearch, resolveSelection } from './selection.queries.ts'
import { readServiceEvents } from './service-events.queries.ts'
import { readTotals } from './totals.queries.ts'

interface Wanted {
  search: EventSearch
  scope: DataScope
  page: Page
  now: Date
}

/** One page of the events that a search finds, with the totals of all of them; both of one moment. */
export async function listServiceEvents(
  db: Db,
  { search, scope, page, now }: Wanted,
): Promise<{ values: { alarm: ServiceEvent }[]; total: EventTotals }> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const selection = await resolveSelection(trx, { search, scope, now })
      const total = await readTotals(trx, selection)
      const ids = await listEventIds(trx, { selection, page, total: total.events })
      const events = await readServiceEvents(trx, { ids, scope })
      return { values: events.map((alarm) => ({ alarm })), total }
    })
}
