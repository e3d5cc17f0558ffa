import type { EventTotals } from '@benchwatch/contract/service-events'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { inScope, serviceEvents } from '../../db/scoped.ts'
import {
  type EventSelection,
  fullSupportCondition,
  isUnfiltered,
  matches,
  noActionCondition,
  noOwnerCondition,
  openCondition,
} from './filters.ts'

/**
 * The exact totals of a selection. Unfiltered views that reach up to now are answered from the rollups (see
 * `totals.store.ts`), at any number of events; all others by one scan over what matches.
 */
export async function readTotals(db: Db, selection: EventSelection): Promise<EventTotals> {
  const { start, stop, now } = selection
  // In a range that ended, most of what was ever seen was seen before and after it too, and would have to be looked up.
  const fromRollups = isUnfiltered(selection) && (stop === null || stop >= now)
  const distinct = fromRollups ? seenInRange(db, selection) : matchingGroups(db, selection)
  const count = (condition: RawBuilder<unknown>) =>
    serviceEvents(db, selection.scope).where(sql<SqlBool>`${condition}`).select(sql<number>`count(*)`.as('n'))
  const counter = (flag: RawBuilder<SqlBool>) => count(sql`${flag} AND ${matches(selection, { flags: false })}`)
  const older =
    start === null
      ? sql<number>`0::int8`
      : sql<number>`(${count(sql`${openCondition} AND e.created_at < ${start} AND ${matches(selection, { range: false })}`)})`
  const { rows } = await sql<EventTotals>`
    WITH found AS MATERIALIZED (${distinct}),
      pairs AS (SELECT DISTINCT instrument_id, component_id FROM found WHERE instrument_id IS NOT NULL),
      places AS (SELECT DISTINCT customer_id, site_id FROM found)
    SELECT
      ${fromRollups ? sql`(${eventsInRange(db, selection)})` : sql`(SELECT coalesce(sum(events), 0)::int8 FROM found)`} AS "events",
      (SELECT count(*) FROM (SELECT DISTINCT instrument_id FROM pairs) AS i) AS "instruments",
      (SELECT count(*) FROM pairs WHERE component_id IS NOT NULL) AS "components",
      (SELECT count(DISTINCT customer_id) FROM places) AS "customers",
      (SELECT count(DISTINCT (p.customer_id, s.location_key)) FROM places AS p JOIN site AS s ON s.id = p.site_id) AS "locations",
      (${counter(noOwnerCondition(now))}) AS "noOwnerEvents",
      (${counter(noActionCondition(now))}) AS "noActionEvents",
      (${counter(fullSupportCondition)}) AS "fullSupportEvents",
      ${older} AS "olderOpenEvents"`.execute(db)
  const [totals] = rows
  if (!totals) throw new Error('The totals query returned no row.')
  return totals
}

/** Grouped before anything distinct is counted: several count(distinct) over events would sort them all (1.6 s per million). */
function matchingGroups(db: Db, selection: EventSelection) {
  return serviceEvents(db, selection.scope)
    .where(matches(selection))
    .groupBy(['e.instrument_id', 'e.component_id', 'e.customer_id', 'e.site_id'])
    .select(['e.instrument_id', 'e.component_id', 'e.customer_id', 'e.site_id', sql<number>`count(*)`.as('events')])
}

/**
 * What had an event in the range, from first and last event of each (customer, instrument, component, site). Either of
 * them in the range is proof; only one that had events before and after is looked up. A CASE, so that the planner can't
 * turn the look-ups into a scan over the range.
 */
function seenInRange(db: Db, { scope, start, stop }: EventSelection): RawBuilder<unknown> {
  const columns = sql`instrument_id, component_id, customer_id, site_id, first_at, last_at`
  const customers = inScope(scope, sql.ref('customer_id'))
  const between = serviceEvents(db, scope)
    .where(
      sql<SqlBool>`e.customer_id = seen.customer_id AND e.created_at >= ${start} AND e.created_at < ${stop}
        AND e.site_id = seen.site_id AND coalesce(e.instrument_id, 0) = seen.instrument_id
        AND coalesce(e.component_id, 0) = seen.component_id`,
    )
    .select(sql`1`.as('one'))
  return sql`
    SELECT nullif(instrument_id, 0) AS instrument_id, nullif(component_id, 0) AS component_id, customer_id, site_id
    FROM (
      SELECT ${columns} FROM event_seen WHERE ${customers}
      UNION ALL SELECT ${columns} FROM event_delta WHERE ${customers}
    ) AS seen
    WHERE ${start ? sql`last_at >= ${start}` : sql`true`} AND ${stop ? sql`first_at < ${stop}` : sql`true`}
      AND ${start && stop ? sql`CASE WHEN last_at < ${stop} OR first_at >= ${start} THEN true ELSE EXISTS (${between}) END` : sql`true`}`
}

const DAY_MS = 86_400_000

/** Whole UTC days from the rollup and what is not folded into it yet; the parts of days at both ends live. */
function eventsInRange(db: Db, { scope, start, stop }: EventSelection): RawBuilder<unknown> {
  const firstDay = start && new Date(Math.ceil(start.getTime() / DAY_MS) * DAY_MS)
  const lastDay = stop && new Date(Math.floor(stop.getTime() / DAY_MS) * DAY_MS)
  const between = (column: string, from: Date | null, to: Date | null) =>
    sql`${from ? sql`${sql.ref(column)} >= ${from}` : sql`true`} AND ${to ? sql`${sql.ref(column)} < ${to}` : sql`true`}`
  const live = (from: Date, to: Date) =>
    serviceEvents(db, scope)
      .where(sql<SqlBool>`${between('e.created_at', from, to)}`)
      .select(sql<number>`count(*)`.as('n'))
  if (start && stop && firstDay && lastDay && firstDay > lastDay) return sql`${live(start, stop)}`
  const days = (table: 'event_day' | 'event_day_customer' | 'event_delta') => {
    const scoped = table === 'event_day' ? sql`true` : inScope(scope, sql.ref('customer_id'))
    const from = firstDay ? sql`day >= ${firstDay.toISOString().slice(0, 10)}::date` : sql`true`
    const to = lastDay ? sql`day < ${lastDay.toISOString().slice(0, 10)}::date` : sql`true`
    return sql`SELECT coalesce(sum(events), 0) AS n FROM ${sql.table(table)} WHERE ${scoped} AND ${from} AND ${to}`
  }
  const parts = [
    days(scope === 'all' ? 'event_day' : 'event_day_customer'),
    days('event_delta'),
    ...(start && firstDay && start < firstDay ? [sql`${live(start, firstDay)}`] : []),
    ...(stop && lastDay && lastDay < stop ? [sql`${live(lastDay, stop)}`] : []),
  ]
  return sql`SELECT sum(n)::int8 FROM (${sql.join(parts, sql` UNION ALL `)}) AS part`
}
