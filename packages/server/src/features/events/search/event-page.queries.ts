import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { serviceEvents } from '../../../db/scoped.ts'
import { type Page, sortKeys } from './event-sort.queries.ts'
import { type EventSelection, isUnfiltered, matches } from './filters.ts'
import { sortGroups, walkGroups } from './group-walk.queries.ts'

/** Fewer events than this are sorted at once; above it the groups are worth their look-ups. */
const WALKED_FROM = 20_000

/**
 * Which events stand on a page, as ids in their order; their columns are read afterwards, for these alone. `total` is how
 * many events the selection has: a page beyond the end needs no search, and a small result no cleverness.
 */
export async function listEventIds(
  db: Db,
  { selection, page, total }: { selection: EventSelection; page: Page; total: number },
): Promise<number[]> {
  if (page.offset >= total) return []
  const isSmall = total < WALKED_FROM
  if (page.orderBy === 'createdAt') {
    // What few events match may all be old: a walk from the newest would pass a million others (150 ms instead of 10).
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

/** More customers than this are rare; one scan over all of them finds a page's rows soon enough. */
const MERGED_CUSTOMERS = 30
const MERGED_ROWS = 10_000

async function byTime(db: Db, { selection, page }: { selection: EventSelection; page: Page }): Promise<number[]> {
  const { order, limit, offset } = page
  const direction = order === 'ASC' ? 'asc' : 'desc'
  const { scope } = selection
  const needed = offset + limit
  if (scope !== 'all' && scope.length <= MERGED_CUSTOMERS && scope.length * needed <= MERGED_ROWS) {
    // Each customer's first rows from its own index, merged: a scan over everybody would pass millions of others.
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
 * Everything that matches, sorted. The matching part stands apart (MATERIALIZED): where the sort column goes with time,
 * as the id does, the planner would walk its index from the far end (3.4 s instead of 32 ms at ten million). What is made
 * of an event has no index, and ten million texts aren't written to disk for it (2.5 s instead of 5 to 11).
 */
async function sorted(db: Db, { selection, page }: { selection: EventSelection; page: Page }): Promise<number[]> {
  const rows = await eventsInOrder(db, { selection, page }).limit(page.limit).offset(page.offset).execute()
  return rows.map(({ id }) => id)
}

/** The query that gives the id of everything that matches, in its order; `among` narrows it by a condition on `e`. */
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
