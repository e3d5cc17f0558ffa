import type { bulkSelection } from '@benchwatch/contract/events/bulk-changes'
import { limits } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { serviceEvents } from '../../db/scoped.ts'
import { inTransaction } from '../../db/transaction.ts'
import { problem } from '../../platform/http/problem.ts'
import type { EventSearch } from '../events/search/event-search.ts'
import { resolveSelection } from '../events/search/filters.queries.ts'

/** A selection as sent by the client. Fields other than `ids` and `mode` apply in exclude mode only. */
export type RequestedSelection = z.output<typeof bulkSelection>

interface SelectionInput {
  selection: RequestedSelection
  scope: DataScope
  now: Date
}

/**
 * Returns the distinct IDs of the selected events in ascending order. Leaves out events outside the scope. Throws
 * selection-too-large above 10,000.
 */
export async function selectedEventIds(
  { db, eventSearch }: { db: Db; eventSearch: EventSearch },
  { selection, scope, now }: SelectionInput,
): Promise<number[]> {
  const named = new Set(selection.ids.map(Number))
  if (selection.mode === 'include') return idsInScope(db, { ids: named, scope })
  // The maximum plus the number of excluded events.
  const limit = limits.bulkEvents + named.size
  const { ids, total } = await inTransaction(
    db,
    async (trx) => {
      const moment = eventSearch.begin()
      const found = await resolveSelection(trx, { search: searchOf(selection), scope, now })
      // Uses the order, and therefore the speed, of the list's first page, however many events there are.
      const page = { orderBy: 'createdAt', order: 'DESC', limit, offset: 0 } as const
      const { ids, totals } = await moment.find(trx, found, page)
      return { ids, total: totals.events }
    },
    { isSnapshot: true },
  )
  // If not all events were read, counts like the console: the total minus the excluded events.
  if (total > limit) throw tooMany(total - named.size)
  const selected = ids.filter((id) => !named.has(id))
  if (selected.length > limits.bulkEvents) throw tooMany(selected.length)
  return selected.sort((a, b) => a - b)
}

async function idsInScope(db: Db, { ids, scope }: { ids: ReadonlySet<number>; scope: DataScope }): Promise<number[]> {
  if (ids.size > limits.bulkEvents) throw tooMany(ids.size)
  const rows = await serviceEvents(db, scope)
    .where(sql<boolean>`e.id = ANY(${[...ids]}::bigint[])`)
    .orderBy('e.id')
    .select('e.id')
    .execute()
  return rows.map(({ id }) => id)
}

function searchOf({ filter, keyword, start, stop, quick }: RequestedSelection) {
  return {
    filter,
    keyword: keyword ?? undefined,
    start: start ?? undefined,
    stop: stop ?? undefined,
    flags: { noOwner: quick === 'noOwner', noAction: quick === 'noAction', fullSupport: quick === 'fullSupport' },
  }
}

function tooMany(events: number) {
  const most = limits.bulkEvents.toLocaleString('en')
  return problem(
    'selection-too-large',
    `${events.toLocaleString('en')} events are selected, and at most ${most} can be changed at once. Narrow the list by filters, search or a shorter range, then select again.`,
  )
}
