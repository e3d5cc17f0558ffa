import type {
  ComponentMetric,
  ComponentUsage,
  DailyRuntime,
  UsageHistory,
} from '@benchwatch/contract/instruments/usage'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { instrumentNamed, instruments, reportedSince } from '../../db/scoped.ts'
import { asPeopleRead } from '../../db/sql/text-order.ts'
import { type DayValue, dayOf, forecastOf, resetsOf, trendOf } from './forecast.ts'
import { judge } from './thresholds.ts'
import { readDailyRuntimes } from './usage.lookup.ts'

type Sampled = Pick<ComponentMetric, 'metric' | 'unit' | 'value' | 'thresholdRule' | 'thresholdValues'>

const HISTORY_DAYS = 365
const DAY_MS = 86_400_000

interface Asked {
  /** Id or installed product id. */
  id: string
  scope: DataScope
  now: Date
}

/**
 * Returns the component usage of an instrument in scope, by name. A customer does not see samples from before the
 * instrument's arrival. Undefined if no such instrument is in scope or it has another type.
 */
export async function readComponents(
  db: Db,
  { type, ...asked }: Asked & { type: string | undefined },
): Promise<ComponentUsage[] | undefined> {
  const instrument = await findId(db, asked)
  if (!instrument || (type !== undefined && type !== instrument.type)) return undefined
  const components = await sampled(db, { ...asked, instrumentId: instrument.id })
    .orderBy(sql`u.component_name ${asPeopleRead}`)
    .execute()
  const days = await readDays(db, { ...asked, instrumentId: instrument.id })
  return components.map(({ component_name, usage, info, details }) => ({
    componentName: component_name,
    usage: usage.map((one) =>
      judged(one, { values: days.get(keyOf(component_name, one.metric)) ?? [], now: asked.now }),
    ),
    info,
    details,
  }))
}

/**
 * Returns the daily values of one metric of one component; undefined if no such instrument, component
 * or metric is in scope.
 */
export async function readUsageHistory(
  db: Db,
  { componentName, metric, ...asked }: Asked & { componentName: string; metric: string },
): Promise<UsageHistory | undefined> {
  const instrument = await findId(db, asked)
  if (!instrument) return undefined
  const row = await sampled(db, { ...asked, instrumentId: instrument.id })
    .where('u.component_name', '=', componentName)
    .executeTakeFirst()
  const found = row?.usage.find((one) => one.metric === metric)
  if (!found) return undefined
  const days = await readDays(db, { ...asked, instrumentId: instrument.id, componentName, metric })
  const values = days.get(keyOf(componentName, metric)) ?? []
  const threshold = { rule: found.thresholdRule, values: found.thresholdValues }
  return {
    componentName,
    metric: judged(found, { values, now: asked.now }),
    values: values.map(({ day, value }) => ({ time: day, value })),
    resets: resetsOf(values, threshold),
    trend: trendOf(values, { threshold, today: dayOf(asked.now) }),
  }
}

/** Returns the run times of an instrument's last days in site time; undefined if no such instrument is in scope. */
export async function readRuntimes(
  db: Db,
  { numberOfDays, ...asked }: Asked & { numberOfDays: number },
): Promise<DailyRuntime[] | undefined> {
  const instrument = await instrumentNamed(db, asked)
    .innerJoin('site as s', 's.id', 'i.site_id')
    .select(['i.id', 's.time_zone'])
    .executeTakeFirst()
  if (!instrument) return undefined
  const days = lastDays(numberOfDays, { now: asked.now, timeZone: instrument.time_zone })
  return readDailyRuntimes(db, { instrumentId: instrument.id, scope: asked.scope, ...days })
}

function judged(
  { metric, unit, value, thresholdRule, thresholdValues }: Sampled,
  { values, now }: { values: readonly DayValue[]; now: Date },
): ComponentMetric {
  const threshold = { rule: thresholdRule, values: thresholdValues }
  const { percentage, color } = judge(value, threshold)
  return {
    metric,
    unit,
    value,
    thresholdRule,
    thresholdValues,
    usagePercentage: percentage,
    usageColor: color,
    forecastDate: forecastOf(values, { threshold, today: dayOf(now) }),
  }
}

function findId(db: Db, asked: Asked): Promise<{ id: number; type: string } | undefined> {
  return instrumentNamed(db, asked).select(['i.id', 'i.type']).executeTakeFirst()
}

/** Selects the newest sample of each component, as `u`. */
function sampled(db: Db, { instrumentId, scope }: { instrumentId: number; scope: DataScope }) {
  return instruments(db, scope)
    .innerJoin('component_usage as u', 'u.instrument_id', 'i.id')
    .where('i.id', '=', instrumentId)
    .where(reportedSince(scope, sql.ref('u.sampled_at')))
    .select(['u.component_name', 'u.usage', 'u.info', 'u.details'])
}

/** Returns the last value of each day of the last year by component and metric, oldest first. */
async function readDays(
  db: Db,
  {
    instrumentId,
    scope,
    now,
    componentName,
    metric,
  }: { instrumentId: number; scope: DataScope; now: Date; componentName?: string; metric?: string },
): Promise<Map<string, DayValue[]>> {
  const from = dayOf(new Date(now.getTime() - HISTORY_DAYS * DAY_MS))
  const rows = await instruments(db, scope)
    .innerJoin('component_usage_day as d', 'd.instrument_id', 'i.id')
    .where('i.id', '=', instrumentId)
    // The day of the move contains both customers' usage.
    .where(reportedSince(scope, sql`(d.day::timestamp AT TIME ZONE 'UTC')`))
    .where('d.day', '>=', from)
    .$if(componentName !== undefined, (query) => query.where('d.component_name', '=', componentName ?? ''))
    .$if(metric !== undefined, (query) => query.where('d.metric', '=', metric ?? ''))
    .orderBy('d.component_name')
    .orderBy('d.metric')
    .orderBy('d.day')
    .select(['d.component_name', 'd.metric', 'd.day', 'd.value'])
    .execute()
  return Map.groupBy(
    rows.map(({ component_name, metric: name, day, value }) => ({ key: keyOf(component_name, name), day, value })),
    ({ key }) => key,
  )
}

function keyOf(componentName: string, metric: string): string {
  return JSON.stringify([componentName, metric])
}

/**
 * Returns the first and the last of a number of days in a time zone up to today, as YYYY-MM-DD: 7 days end today and
 * begin 6 days ago, regardless of clock changes.
 */
export function lastDays(
  count: number,
  { now, timeZone }: { now: Date; timeZone: string },
): { from: string; to: string } {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
  return { from: today.subtract({ days: count - 1 }).toString(), to: today.toString() }
}
