import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { serviceEvents } from '../../../db/scoped.ts'
import { type Page, sortKeys } from './event-sort.queries.ts'
import { type EventSelection, isUnfiltered, matches } from './filters.ts'
import { sortGroups, walkGroups } from './group-walk.queries.ts'

/** Up to this many events are simply sorted; above, walking the groups pays off. */
const WALKED_FROM = 20_000

/**
 * Returns the ids of the events on a page, in order; the caller reads the other columns for these alone. `total` is
 * the number of events in the selection: a page beyond the end needs no search, and a small result is simply sorted.
 */
export async function listEventIds(
  db: Db,
  { selection, page, total }: { selection: EventSelection; page: Page; total: number },
): Promise<number[]> {
  if (page.offset >= total) return []
  const isSmall = total < WALKED_FROM
  if (page.orderBy === 'createdAt') {
    // If few events match, all of them may be old: a walk from the newest would pass a million others (150 ms instead
    // of 10).
    const mayBeFar = selection.start === null && isSmall && !isUnfiltered(selection)
    return mayBeFar ? sorted(db, { selection, page }) : byTime(db, { selection, page })
  }
  if (selection.start === null && isUnfiltered(selection) && !isSmall) {
    if (page.orderBy === 'eventId') return byId(db, { selection, page })
    const groups = await sortGroups(db, { selection, page })
    if (groups) return walkGroups(db, { selection, page, groups })
  }
  return sorted(db, { selection, page })
}

async function byId(db: Db, { selection, page }: { selection: EventSelection; page: Page }): Promise<number[]> {
  const rows = await serviceEvents(db, selection.scope)
    .where(matches(selection))
    .orderBy('e.id', page.order === 'ASC' ? 'asc' : 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .select('e.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Selections of more customers are rare, and one scan over all events finds the rows of a page fast enough. */
const MERGED_CUSTOMERS = 30
const MERGED_ROWS = 10_000

async function byTime(db: Db, { selection, page }: { selection: EventSelection; page: Page }): Promise<number[]> {
  const { order, limit, offset } = page
  const direction = order === 'ASC' ? 'asc' : 'desc'
  const { scope } = selection
  const needed = offset + limit
  if (scope !== 'all' && scope.length <= MERGED_CUSTOMERS && scope.length * needed <= MERGED_ROWS) {
    // Merges the first rows of each customer, read from the customer's index: a scan over all customers would pass
    // millions of other rows.
    const rows = await db
      .selectFrom(sql<{ id: number }>`unnest(${[...scope]}::int[])`.as<'c'>(sql`c(id)`))
      .innerJoinLateral(
        serviceEvents(db, 'all')
          .where(sql<SqlBool>`e.customer_id = c.id`)
          .where(matches(selection))
          .orderBy('e.created_at', direction)
          .orderBy('e.id', direction)
          .limit(needed)
          .select(['e.id', 'e.created_at'])
          .as('p'),
        (join) => join.onTrue(),
      )
      .orderBy('p.created_at', direction)
      .orderBy('p.id', direction)
      .limit(limit)
      .offset(offset)
      .select('p.id')
      .execute()
    return rows.map(({ id }) => id)
  }
  const rows = await serviceEvents(db, scope)
    .where(matches(selection))
    .orderBy('e.created_at', direction)
    .orderBy('e.id', direction)
    .limit(limit)
    .offset(offset)
    .select('e.id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Sorts everything that matches. The matching part is MATERIALIZED: where the sort column correlates with time, as the
 * id does, the planner would walk its index from the far end (3.4 s instead of 32 ms at ten million). With a computed
 * sort text it is not: such a text has no index, and ten million of them would be written to disk (5 to 11 s instead
 * of 2.5).
 */
async function sorted(db: Db, { selection, page }: { selection: EventSelection; page: Page }): Promise<number[]> {
  const rows = await eventsInOrder(db, { selection, page }).limit(page.limit).offset(page.offset).execute()
  return rows.map(({ id }) => id)
}

/** Query for the ids of everything that matches, in order; `among` adds a condition on `e`. */
export function eventsInOrder(
  db: Db,
  {
    selection,
    page,
    among = sql`true`,
  }: { selection: EventSelection; page: Pick<Page, 'orderBy' | 'order'>; among?: RawBuilder<SqlBool> },
) {
  const { of, made, key } = sortKeys[page.orderBy]
  const direction = page.order === 'ASC' ? 'asc' : 'desc'
  const columns = new Set<string>(of)
  return db
    .with(
      (cte) => (made ? cte('r').notMaterialized() : cte('r').materialized()),
      () =>
        serviceEvents(db, selection.scope)
          .where(matches(selection))
          .where(among)
          .select(['e.id', ...of.map((column) => `e.${column}` as const), ...(made ? [made.as('made')] : [])]),
    )
    .selectFrom('r')
    .$if(columns.has('instrument_id'), (query) =>
      query.leftJoin('instrument as i', (join) => join.on(sql<SqlBool>`i.id = r.instrument_id`)),
    )
    .$if(columns.has('gateway_id'), (query) =>
      query.leftJoin('gateway as g', (join) => join.on(sql<SqlBool>`g.id = r.gateway_id`)),
    )
    .$if(columns.has('site_id'), (query) =>
      query.leftJoin('site as s', (join) => join.on(sql<SqlBool>`s.id = r.site_id`)),
    )
    .$if(columns.has('customer_id'), (query) =>
      query.leftJoin('customer as c', (join) => join.on(sql<SqlBool>`c.id = r.customer_id`)),
    )
    .$if(columns.has('claimed_by'), (query) =>
      query.leftJoin('app_user as u', (join) => join.on(sql<SqlBool>`u.id = r.claimed_by`)),
    )
    .orderBy(key, direction)
    .orderBy('r.id', direction)
    .select('r.id')
}
