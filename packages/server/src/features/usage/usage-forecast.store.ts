import type { SampledComponent } from '@benchwatch/contract/ingest'
import { sql } from 'kysely'
import type { Db, Trx } from '../../db/connect.ts'
import { instruments } from '../../db/scoped.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type DayValue, dayOf, forecastOf, LOOK_BACK_DAYS } from './forecast.ts'
import { judge } from './thresholds.ts'

const DAY_MS = 86_400_000

interface Part {
  instrument_id: number
  component_name: string
  usage: SampledComponent['usage']
}

/** Time since when an instrument belongs to its customer. */
interface CustomerSince {
  /** In the database's own format, so that it compares as equal when sent back. */
  customer_since: string
  /** In milliseconds; -Infinity if it always did. */
  since: number
}

/**
 * Renews the forecasts of up to `parts` components that were sampled since, or whose forecasts are from another day;
 * returns their number. Locks the components' rows, which samples wait for, so that none is missed.
 */
export function renewForecasts(db: Db, { now, parts }: { now: Date; parts: number }): Promise<number> {
  return inTransaction(db, async (trx) => {
    const today = dayOf(now)
    const taken = await takeParts(trx, { today, parts })
    if (taken.length === 0) return 0
    const customersSince = await readCustomersSince(trx, taken)
    const days = await readDays(trx, { parts: taken, from: new Date(now.getTime() - LOOK_BACK_DAYS * DAY_MS) })
    await replaceForecasts(trx, {
      parts: taken,
      forecasts: taken.flatMap((part) =>
        part.usage.flatMap((sample) => {
          const customer = customersSince.get(part.instrument_id)
          const values = days.get(keyOf({ ...part, ...sample })) ?? []
          return customer ? foreseen({ ...part, ...customer }, { sample, values, today }) : []
        }),
      ),
    })
    return taken.length
  })
}

/**
 * Forecasts one metric of a part, the same as on its card: once for readers who see all days, and once for its
 * customer. Undefined if there is nothing to store.
 */
function foreseen(
  { instrument_id, component_name, customer_since, since }: Omit<Part, 'usage'> & CustomerSince,
  { sample, values, today }: { sample: Part['usage'][number]; values: readonly DayValue[]; today: string },
) {
  const threshold = { rule: sample.thresholdRule, values: sample.thresholdValues }
  const { percentage, color } = judge(sample.value, threshold)
  const is_due = color === 'maximum'
  const dueBy = (days: readonly DayValue[]) => (is_due ? null : forecastOf(days, { threshold, today }))
  // The day of the move contains both customers' usage.
  const own = values.filter(({ day }) => Date.parse(day) >= since)
  const due = dueBy(values)
  const customer_due = own.length === values.length ? due : dueBy(own)
  if (!is_due && due === null && customer_due === null) return []
  const used = percentage === null ? null : percentage / 100
  return [{ instrument_id, component_name, metric: sample.metric, used, is_due, due, customer_due, customer_since }]
}

async function takeParts(trx: Trx, { today, parts }: { today: string; parts: number }): Promise<Part[]> {
  const { rows } = await sql<Part>`
    UPDATE component_usage SET forecast_on = ${today}::date
    WHERE ctid = ANY(ARRAY(SELECT ctid FROM component_usage WHERE forecast_on IS NULL OR forecast_on < ${today}::date
      LIMIT ${parts} FOR UPDATE SKIP LOCKED))
    RETURNING instrument_id, component_name, usage`.execute(trx)
  return rows
}

async function readCustomersSince(trx: Trx, parts: readonly Part[]): Promise<Map<number, CustomerSince>> {
  const rows = await instruments(trx, 'all')
    .where(sql<boolean>`i.id = ANY(${parts.map((part) => part.instrument_id)}::int[])`)
    .select([
      'i.id',
      sql<string>`i.customer_since::text`.as('customer_since'),
      sql<number>`extract(epoch FROM i.customer_since)::float8 * 1000`.as('since'),
    ])
    .execute()
  return new Map(rows.map(({ id, ...customer }) => [id, customer]))
}

/**
 * Returns the last value of each day since `from`, oldest first, by `keyOf`. Each series comes as one text, because
 * rows or arrays of dates take three times as long for a fleet.
 */
async function readDays(
  trx: Trx,
  { parts, from }: { parts: readonly Part[]; from: Date },
): Promise<Map<string, DayValue[]>> {
  const firstDay = dayOf(from)
  const rows = await instruments(trx, 'all')
    .innerJoin('component_usage_day as d', 'd.instrument_id', 'i.id')
    .where(sql<boolean>`(d.instrument_id, d.component_name) IN (SELECT * FROM ${named(parts)})`)
    .where('d.day', '>=', firstDay)
    .groupBy(['d.instrument_id', 'd.component_name', 'd.metric'])
    .select([
      'd.instrument_id',
      'd.component_name',
      'd.metric',
      sql<string>`string_agg((d.day - ${firstDay}::date) || ' ' || d.value, ' ' ORDER BY d.day)`.as('series'),
    ])
    .execute()
  return new Map(rows.map((row) => [keyOf(row), daysOf(row.series, { from })]))
}

/** Parses a series of alternating days (counted from `from`) and values. */
function daysOf(series: string, { from }: { from: Date }): DayValue[] {
  const numbers = series.split(' ')
  return Array.from({ length: numbers.length / 2 }, (_, index) => ({
    day: dayOf(new Date(from.getTime() + Number(numbers[index * 2]) * DAY_MS)),
    value: Number(numbers[index * 2 + 1]),
  }))
}

async function replaceForecasts(
  trx: Trx,
  { parts, forecasts }: { parts: readonly Part[]; forecasts: ReturnType<typeof foreseen> },
): Promise<void> {
  await sql`DELETE FROM usage_forecast WHERE (instrument_id, component_name) IN (SELECT * FROM ${named(parts)})`.execute(
    trx,
  )
  // If a gateway sends a metric twice, the card shows both, and the first one is forecast.
  await sql`
    INSERT INTO usage_forecast (instrument_id, component_name, metric, used, is_due, due, customer_due, customer_since)
    SELECT * FROM json_to_recordset(${JSON.stringify(forecasts)}::json) AS n (instrument_id int, component_name text,
      metric text, used float8, is_due boolean, due date, customer_due date, customer_since timestamptz)
    ON CONFLICT DO NOTHING`.execute(trx)
}

function named(parts: readonly Part[]) {
  return sql`unnest(${parts.map((part) => part.instrument_id)}::int[], ${parts.map((part) => part.component_name)}::text[])`
}

function keyOf(of: { instrument_id: number; component_name: string; metric: string }): string {
  return JSON.stringify([of.instrument_id, of.component_name, of.metric])
}

/** Deletes up to `batch` days of component usage older than this day; returns their number. */
export async function forgetUsageDays(db: Db, { before, batch }: { before: string; batch: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM component_usage_day
    WHERE ctid = ANY(ARRAY(SELECT ctid FROM component_usage_day WHERE day < ${before}::date LIMIT ${batch}))`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
