import type { EventTotals } from '@benchwatch/contract/events'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { inScope, isOpen, serviceEvents } from '../../../db/scoped.ts'
import {
  beforeRange,
  type EventSelection,
  fullSupportCondition,
  isUnfiltered,
  matches,
  noActionCondition,
  noOwnerCondition,
  parts,
} from './filters.ts'

/** True if the rollups hold the totals: nothing is filtered, and the range reaches up to now. */
function hasRollups(selection: EventSelection): boolean {
  return isUnfiltered(selection) && reachesNow(selection)
}

/**
 * In a range that ended, most of what was ever seen was also seen before and after it, and would have to be looked up.
 */
function reachesNow({ stop, now }: EventSelection): boolean {
  return stop === null || stop >= now
}

/**
 * Returns the exact totals of a selection. Unfiltered views that reach up to now are answered from the rollups (see
 * `totals.store.ts`), at any number of events; all others by one scan over the matches. The caller's transaction keeps
 * both statements in one snapshot.
 */
export async function readTotals(db: Db, given: EventSelection): Promise<EventTotals> {
  const rolledUp = hasRollups(given)
  // "Until the end of today" does not restrict if nothing lies behind it, and without an end the rollups need no
  // second look.
  const selection = rolledUp && !(await hasEventsFrom(db, given.stop)) ? { ...given, stop: null } : given
  const { ctes, events, components } = rolledUp ? fromRollups(db, selection) : fromEvents(db, selection)
  const { rows } = await sql<EventTotals>`
    WITH ${ctes},
      places AS MATERIALIZED (SELECT DISTINCT customer_id, site_id FROM seen_places)
    SELECT
      (${events}) AS "events",
      (SELECT count(DISTINCT instrument_id) FROM seen_places) AS "instruments",
      (${components}) AS "components",
      (SELECT count(DISTINCT customer_id) FROM places) AS "customers",
      (SELECT count(*) FROM (
        SELECT DISTINCT p.customer_id, s.location_key FROM places AS p JOIN site AS s ON s.id = p.site_id) AS l) AS "locations",
      open_events.*
    FROM (${isUnfiltered(given) ? countersByIndex(db, selection) : countersByScan(db, selection)}) AS open_events`.execute(
    db,
  )
  const [totals] = rows
  if (!totals) throw new Error('The totals query returned no row.')
  return totals
}

async function hasEventsFrom(db: Db, at: Date | null): Promise<boolean> {
  if (at === null) return true
  const row = await serviceEvents(db, 'all').where('e.created_at', '>=', at).select('e.id').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Reads each counter from the index that holds just its events. */
function countersByIndex(db: Db, selection: EventSelection): RawBuilder<unknown> {
  const { now, scope } = selection
  const count = (...conditions: RawBuilder<SqlBool>[]) =>
    serviceEvents(db, scope)
      .where(sql<SqlBool>`${sql.join(conditions, sql` AND `)}`)
      .select(sql<number>`count(*)`.as('n'))
  const range = parts.range(selection)
  return sql`SELECT
    (${count(noOwnerCondition(now), range)}) AS "noOwnerEvents",
    (${count(noActionCondition(now), range)}) AS "noActionEvents",
    (${count(fullSupportCondition, range)}) AS "fullSupportEvents",
    (${count(isOpen, beforeRange(selection))}) AS "olderOpenEvents"`
}

/**
 * Reads all counters in one pass over the open events, which are few: a filter or keyword is tested on each once and
 * not four times.
 */
function countersByScan(db: Db, selection: EventSelection): RawBuilder<unknown> {
  const { now, scope } = selection
  const range = parts.range(selection)
  const counted = (condition: RawBuilder<SqlBool>) => sql<number>`count(*) FILTER (WHERE ${condition})`
  return sql`${serviceEvents(db, scope)
    .where(isOpen)
    .where(parts.filter(selection))
    .select([
      counted(sql`${noOwnerCondition(now)} AND ${range}`).as('noOwnerEvents'),
      counted(sql`${noActionCondition(now)} AND ${range}`).as('noActionEvents'),
      counted(sql`${fullSupportCondition} AND ${range}`).as('fullSupportEvents'),
      counted(sql`${beforeRange(selection)} AND ${parts.flags(selection)}`).as('olderOpenEvents'),
    ])}`
}

/**
 * The source of totals: `seen_places` holds each (instrument, customer, site) once; the instrument is null if there is
 * none.
 */
interface Source {
  ctes: RawBuilder<unknown>
  events: RawBuilder<unknown>
  components: RawBuilder<unknown>
}

/**
 * Scans once and groups before counting distinct values: several count(distinct) over events would sort them all (1.6
 * s per million).
 */
function fromEvents(db: Db, selection: EventSelection): Source {
  const found = serviceEvents(db, selection.scope)
    .where(matches(selection))
    .groupBy(['e.instrument_id', 'e.component_id', 'e.customer_id', 'e.site_id'])
    .select(['e.instrument_id', 'e.component_id', 'e.customer_id', 'e.site_id', sql<number>`count(*)`.as('events')])
  return {
    ctes: sql`found AS MATERIALIZED (${found}),
      seen_places AS MATERIALIZED (SELECT DISTINCT instrument_id, customer_id, site_id FROM found)`,
    events: sql`SELECT coalesce(sum(events), 0)::int8 FROM found`,
    components: sql`SELECT count(*) FROM (SELECT DISTINCT instrument_id, component_id FROM found
      WHERE instrument_id IS NOT NULL AND component_id IS NOT NULL) AS pair`,
  }
}

/**
 * Counts events by day, and distinct values by what was seen in the range. An instrument nearly always stays at one
 * place, so its components are the rows there; only instruments seen at several places are counted pair by pair (a
 * distinct count of all pairs takes three times as long).
 */
function fromRollups(db: Db, selection: EventSelection): Source {
  const keys = seenInRange(db, selection)
  return {
    ctes: sql`seen_places AS MATERIALIZED (
        SELECT nullif(instrument_id, 0) AS instrument_id, customer_id, site_id,
          count(*) FILTER (WHERE component_id <> 0) AS components
        FROM (${keys}) AS k GROUP BY k.instrument_id, customer_id, site_id),
      moved AS MATERIALIZED (
        SELECT instrument_id FROM seen_places WHERE instrument_id IS NOT NULL GROUP BY 1 HAVING count(*) > 1)`,
    events: eventsInRange(db, selection),
    components: sql`SELECT
      (SELECT coalesce(sum(components), 0)::int8 FROM seen_places AS p
        WHERE instrument_id IS NOT NULL AND NOT EXISTS (SELECT FROM moved WHERE moved.instrument_id = p.instrument_id))
      + (SELECT count(*) FROM (SELECT DISTINCT k.instrument_id, k.component_id FROM (${keys}) AS k
        JOIN moved USING (instrument_id) WHERE k.component_id <> 0) AS pair)`,
  }
}

/**
 * Returns each (customer, instrument, component, site) that had an event in the range, once; 0 stands for none. A
 * first or last event in the range is proof; only combinations with events before and after are looked up, in a CASE,
 * so that the planner can't turn the look-ups into a scan over the range.
 */
function seenInRange(db: Db, { scope, start, stop }: EventSelection): RawBuilder<unknown> {
  const inRange = (table: 'seen' | 'delta') => {
    const first = sql.ref(`${table}.first_at`)
    const last = sql.ref(`${table}.last_at`)
    const conditions = [
      inScope(scope, sql.ref(`${table}.customer_id`)),
      ...(start ? [sql`${last} >= ${start}`] : []),
      ...(stop ? [sql`${first} < ${stop}`] : []),
    ]
    if (start && stop) {
      const between = serviceEvents(db, scope)
        .where(
          sql<SqlBool>`e.customer_id = ${sql.ref(`${table}.customer_id`)} AND e.created_at >= ${start} AND e.created_at < ${stop}
            AND e.site_id = ${sql.ref(`${table}.site_id`)}
            AND coalesce(e.instrument_id, 0) = ${sql.ref(`${table}.instrument_id`)}
            AND coalesce(e.component_id, 0) = ${sql.ref(`${table}.component_id`)}`,
        )
        .select(sql`1`.as('one'))
      conditions.push(sql`CASE WHEN ${last} < ${stop} OR ${first} >= ${start} THEN true ELSE EXISTS (${between}) END`)
    }
    return sql.join(conditions, sql` AND `)
  }
  return sql`
    SELECT seen.customer_id, seen.instrument_id, seen.component_id, seen.site_id FROM event_seen AS seen
    WHERE ${inRange('seen')}
    UNION ALL
    SELECT DISTINCT delta.customer_id, delta.instrument_id, delta.component_id, delta.site_id FROM event_delta AS delta
    WHERE ${inRange('delta')} AND NOT EXISTS (
      SELECT FROM event_seen AS seen
      WHERE seen.customer_id = delta.customer_id AND seen.instrument_id = delta.instrument_id
        AND seen.component_id = delta.component_id AND seen.site_id = delta.site_id AND ${inRange('seen')})`
}

const DAY_MS = 86_400_000

/**
 * Sums whole UTC days from the rollup, the deltas not folded yet, and the partial days at both ends from the events.
 */
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
  const sums = [
    days(scope === 'all' ? 'event_day' : 'event_day_customer'),
    days('event_delta'),
    ...(start && firstDay && start < firstDay ? [sql`${live(start, firstDay)}`] : []),
    ...(stop && lastDay && lastDay < stop ? [sql`${live(lastDay, stop)}`] : []),
  ]
  return sql`SELECT sum(n)::int8 FROM (${sql.join(sums, sql` UNION ALL `)}) AS part`
}
