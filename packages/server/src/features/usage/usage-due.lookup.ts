import type { SampledComponent } from '@benchwatch/contract/ingest'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { instruments, toldSince } from '../../db/scoped.ts'
import { type DayValue, forecastOf, LOOK_BACK_DAYS } from './forecast.ts'
import { judge } from './thresholds.ts'

const DAY_MS = 86_400_000
/** Of instruments that are looked at in one go: a fleet has millions of days, and others wait while forecasts are made. */
const INSTRUMENTS_AT_ONCE = 200

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
 * day. What was told before an instrument came to its customer is nothing to them.
 */
export async function readUsageDue(
  db: Db,
  { scope, now, withinDays }: { scope: DataScope; now: Date; withinDays: number },
): Promise<DueComponent[]> {
  const today = dayOf(now)
  const latest = dayOf(new Date(now.getTime() + withinDays * DAY_MS))
  const found: DueComponent[] = []
  let after = 0
  for (;;) {
    const ids = await nextWithUsage(db, { scope, after })
    const last = ids.at(-1)
    if (last === undefined) break
    after = last
    const samples = await readSamples(db, { scope, ids })
    const days = await readDays(db, { scope, ids, from: new Date(now.getTime() - LOOK_BACK_DAYS * DAY_MS) })
    for (const { id, component, usage, ...head } of samples) {
      for (const { metric, value, thresholdRule: rule, thresholdValues } of usage) {
        const threshold = { rule, values: thresholdValues }
        const { percentage, color } = judge(value, threshold)
        const isDue = color === 'maximum'
        const due = isDue ? null : forecastOf(days.get(keyOf(id, component, metric)) ?? [], { threshold, today })
        if (!isDue && (due === null || due > latest)) continue
        const used = percentage === null ? null : percentage / 100
        found.push({ ...head, component, metric, used, state: isDue ? 'Due' : 'Soon due', due })
      }
    }
  }
  return found.sort(
    (a, b) =>
      compared(a.due ?? '', b.due ?? '') ||
      (b.used ?? 0) - (a.used ?? 0) ||
      compared(a.instrument, b.instrument) ||
      compared(a.component, b.component) ||
      compared(a.metric, b.metric),
  )
}

async function nextWithUsage(db: Db, { scope, after }: { scope: DataScope; after: number }): Promise<number[]> {
  const rows = await instruments(db, scope)
    .where('i.id', '>', after)
    .where(sql<boolean>`EXISTS (SELECT 1 FROM component_usage u WHERE u.instrument_id = i.id)`)
    .orderBy('i.id')
    .limit(INSTRUMENTS_AT_ONCE)
    .select('i.id')
    .execute()
  return rows.map(({ id }) => id)
}

function readSamples(db: Db, { scope, ids }: { scope: DataScope; ids: number[] }) {
  return instruments(db, scope)
    .innerJoin('component_usage as u', 'u.instrument_id', 'i.id')
    .innerJoin('customer as c', 'c.id', 'i.customer_id')
    .where('i.id', 'in', ids)
    .where(toldSince(scope, sql.ref('u.sampled_at')))
    .select([
      'i.id',
      'i.installed_product_id as instrument',
      sql<string>`coalesce(i.system_name, i.product_description)`.as('name'),
      'c.name as customer',
      'u.component_name as component',
      sql<SampledComponent['usage']>`u.usage`.as('usage'),
    ])
    .execute()
}

/**
 * The last value of each day since `from` by instrument, component and metric, oldest first. Each series comes as one text:
 * as rows, or as arrays of dates, a fleet's days take three times as long.
 */
async function readDays(
  db: Db,
  { scope, ids, from }: { scope: DataScope; ids: number[]; from: Date },
): Promise<Map<string, DayValue[]>> {
  const firstDay = dayOf(from)
  const rows = await instruments(db, scope)
    .innerJoin('component_usage_day as d', 'd.instrument_id', 'i.id')
    .where('i.id', 'in', ids)
    // The day on which it came holds both customers' use.
    .where(toldSince(scope, sql`(d.day::timestamp AT TIME ZONE 'UTC')`))
    .where('d.day', '>=', firstDay)
    .groupBy(['d.instrument_id', 'd.component_name', 'd.metric'])
    .select([
      'd.instrument_id as id',
      'd.component_name as component',
      'd.metric',
      sql<string>`string_agg((d.day - ${firstDay}::date) || ' ' || d.value, ' ' ORDER BY d.day)`.as('series'),
    ])
    .execute()
  return new Map(
    rows.map(({ id, component, metric, series }) => [keyOf(id, component, metric), daysOf(series, { from })]),
  )
}

/** Days, counted from `from`, and values in turn. */
function daysOf(series: string, { from }: { from: Date }): DayValue[] {
  const numbers = series.split(' ')
  return Array.from({ length: numbers.length / 2 }, (_, index) => ({
    day: dayOf(new Date(from.getTime() + Number(numbers[index * 2]) * DAY_MS)),
    value: Number(numbers[index * 2 + 1]),
  }))
}

function keyOf(id: number, component: string, metric: string): string {
  return JSON.stringify([id, component, metric])
}

function compared(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}
