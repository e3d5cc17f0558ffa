import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { instruments, toldSince } from '../../db/scoped.ts'
import { byCodePoints } from '../../db/text-order.ts'
import { dayOf } from './forecast.ts'

const DAY_MS = 86_400_000

/** A part that is due, or soon will be. */
export interface DueComponent {
  /** Installed product id. */
  instrument: string
  name: string
  customer: string
  component: string
  metric: string
  /** Share of the maximum; null for a count-down. */
  used: number | null
  state: 'Due' | 'Soon due'
  /** The day of the forecast; null where it is due already. */
  due: string | null
}

/**
 * Parts of instruments in scope that are due, or will be within so many days by their forecast: first what is due, then by
 * day; at most `most` of them, and how many more there are. What was told before an instrument came to its customer is
 * nothing to them. As of the last time that forecasts were made (usage.jobs.ts).
 */
export async function readUsageDue(
  db: Db,
  { scope, now, withinDays, most }: { scope: DataScope; now: Date; withinDays: number; most: number },
): Promise<{ rows: DueComponent[]; more: number }> {
  const latest = dayOf(new Date(now.getTime() + withinDays * DAY_MS))
  // Of a former customer nothing is used, although its forecast stands until the next one.
  const foreseen =
    scope === 'all' ? sql`f.due` : sql`CASE WHEN f.customer_since = i.customer_since THEN f.customer_due END`
  const found = await instruments(db, scope)
    .innerJoin('usage_forecast as f', 'f.instrument_id', 'i.id')
    .innerJoin('component_usage as u', (join) =>
      join.onRef('u.instrument_id', '=', 'f.instrument_id').onRef('u.component_name', '=', 'f.component_name'),
    )
    .innerJoin('customer as c', 'c.id', 'i.customer_id')
    .where(toldSince(scope, sql.ref('u.sampled_at')))
    .where(sql<boolean>`(f.is_due OR ${foreseen} <= ${latest}::date)`)
    .select([
      'i.installed_product_id as instrument',
      sql<string>`coalesce(i.system_name, i.product_description)`.as('name'),
      'c.name as customer',
      'f.component_name as component',
      'f.metric',
      'f.used',
      'f.is_due',
      // Yesterday's forecast may name yesterday.
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
