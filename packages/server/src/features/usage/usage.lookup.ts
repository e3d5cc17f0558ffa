import type { DailyRuntime } from '@benchwatch/contract/instruments/usage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { instruments, reportedSince } from '../../db/scoped.ts'
import { byCodePoints } from '../../db/sql/text-order.ts'
import { dayOf } from './forecast.ts'

const DAY_MS = 86_400_000

/** A part that is due or soon will be. */
interface DueComponent {
  /** Installed product id. */
  instrument: string
  name: string
  customer: string
  component: string
  metric: string
  /** Share of the maximum; null for a countdown. */
  used: number | null
  state: 'Due' | 'Soon due'
  /** Forecast day; null if the part is already due. */
  due: string | null
}

const dayBegins = (timeZone: RawBuilder<unknown>) => sql`(r.day::timestamp AT TIME ZONE ${timeZone})`

/** Time zone of the site from which instrument `i` came to its customer. Until then it reported by the days there. */
const formerTimeZone = sql`coalesce((SELECT f.time_zone FROM instrument_move m JOIN site f ON f.id = m.site_id
  WHERE m.instrument_id = i.id ORDER BY m.moved_at DESC, m.id DESC LIMIT 1), s.time_zone)`

/**
 * Returns the run time of an instrument in scope for each day in site time, from `from` to `to` inclusive; days
 * without data are missing. A customer does not see days up to and including the instrument's arrival, at either site.
 */
export async function readDailyRuntimes(
  db: Db,
  { instrumentId, scope, from, to }: { instrumentId: number; scope: DataScope; from: string; to: string },
): Promise<DailyRuntime[]> {
  const rows = await instruments(db, scope)
    .innerJoin('site as s', 's.id', 'i.site_id')
    .innerJoin('runtime_day as r', 'r.instrument_id', 'i.id')
    .where('i.id', '=', instrumentId)
    .where('r.day', '>=', from)
    .where('r.day', '<=', to)
    .where(reportedSince(scope, dayBegins(sql`s.time_zone`)))
    .where(reportedSince(scope, dayBegins(formerTimeZone)))
    .orderBy('r.day')
    .select(['r.day', 'r.seconds'])
    .execute()
  return rows.map(({ day, seconds }) => ({ time: day, value: seconds }))
}

/**
 * Returns parts of instruments in scope that are due, or will be within a number of days: due parts first, then by
 * day; at most `most`, with the number of the rest. A customer does not see samples from before the instrument's
 * arrival. As of the last renewal of forecasts (usage.jobs.ts).
 */
export async function readUsageDue(
  db: Db,
  { scope, now, withinDays, most }: { scope: DataScope; now: Date; withinDays: number; most: number },
): Promise<{ rows: DueComponent[]; more: number }> {
  const latest = dayOf(new Date(now.getTime() + withinDays * DAY_MS))
  // Data of a former customer are not used, although the old forecast stays until the next renewal.
  const foreseen =
    scope === 'all' ? sql`f.due` : sql`CASE WHEN f.customer_since = i.customer_since THEN f.customer_due END`
  const found = await instruments(db, scope)
    .innerJoin('usage_forecast as f', 'f.instrument_id', 'i.id')
    .innerJoin('component_usage as u', (join) =>
      join.onRef('u.instrument_id', '=', 'f.instrument_id').onRef('u.component_name', '=', 'f.component_name'),
    )
    .innerJoin('customer as c', 'c.id', 'i.customer_id')
    .where(reportedSince(scope, sql.ref('u.sampled_at')))
    .where(sql<boolean>`(f.is_due OR ${foreseen} <= ${latest}::date)`)
    .select([
      'i.installed_product_id as instrument',
      sql<string>`coalesce(i.system_name, i.product_description)`.as('name'),
      'c.name as customer',
      'f.component_name as component',
      'f.metric',
      'f.used',
      'f.is_due',
      // Yesterday's forecast may be yesterday.
      sql<string | null>`greatest(${foreseen}, CASE WHEN NOT f.is_due THEN ${dayOf(now)}::date END)`.as('due'),
      sql<number>`(count(*) OVER ())::int4`.as('all'),
    ])
    .orderBy('f.is_due', 'desc')
    .orderBy('due')
    .orderBy(sql`coalesce(f.used, 0)`, 'desc')
    .orderBy(byCodePoints('i.installed_product_id'))
    .orderBy(byCodePoints('f.component_name'))
    .orderBy(byCodePoints('f.metric'))
    .limit(most)
    .execute()
  return {
    rows: found.map(({ instrument, name, customer, component, metric, used, is_due, due }) => ({
      instrument,
      name,
      customer,
      component,
      metric,
      used,
      due,
      state: is_due ? 'Due' : 'Soon due',
    })),
    more: (found[0]?.all ?? 0) - found.length,
  }
}

/**
 * Condition: a part of instrument `i` has reached its limit. A customer does not see samples from before the
 * instrument's arrival. As of the last renewal of forecasts, seconds after a sample (usage.jobs.ts).
 */
export function hasReachedLimit(scope: DataScope): RawBuilder<SqlBool> {
  return sql<SqlBool>`EXISTS (SELECT 1 FROM usage_forecast f
    JOIN component_usage u ON u.instrument_id = f.instrument_id AND u.component_name = f.component_name
    WHERE f.instrument_id = i.id AND f.is_due AND ${reportedSince(scope, sql.ref('u.sampled_at'))})`
}
