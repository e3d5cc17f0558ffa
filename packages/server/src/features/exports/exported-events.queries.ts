import type { Order } from '@benchwatch/contract/primitives'
import type { EventOrderBy, SelectionMode } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { eventsInOrder } from '../service-events/event-page.queries.ts'
import { type EventSearch, resolveSelection } from '../service-events/selection.queries.ts'

/** Which events are exported, and in which order. */
export interface RequestedEvents {
  type: 'event'
  ids: readonly string[]
  /** `include`: these ids alone, whatever the search; `exclude`: all that the search finds, but for these ids. */
  mode: SelectionMode
  search: EventSearch
  page: { orderBy: EventOrderBy; order: Order }
}

const everything: EventSearch = { filter: {}, flags: { noOwner: false, noAction: false, fullSupport: false } }

/** The query that gives the ids of what was requested, within the scope and each once. */
export async function selectedEvents(
  db: Db,
  { wanted, scope, now }: { wanted: RequestedEvents; scope: DataScope; now: Date },
): Promise<RawBuilder<unknown>> {
  const { ids, mode, page } = wanted
  const search = mode === 'include' ? everything : wanted.search
  const selection = await resolveSelection(db, { search, scope, now })
  const named = sql`${[...ids]}::int8[]`
  const among = mode === 'include' ? sql<SqlBool>`e.id = ANY(${named})` : sql<SqlBool>`e.id <> ALL(${named})`
  return sql`${eventsInOrder(db, { selection, page, among })}`
}
