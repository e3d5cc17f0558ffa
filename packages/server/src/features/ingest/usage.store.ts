import type { SampledComponent } from '@benchwatch/contract/ingest'
import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import { type CountedReport, newestReports } from './newest-reports.ts'

/** Use of some components of an instrument at one instant. */
export interface UsageSample extends CountedReport {
  instrumentId: number
  /** The gateway's clock. */
  at: Date
  components: readonly SampledComponent[]
}

/**
 * Rows of one statement: 4,000 took half a second on a busy machine. A batch may hold 30,000 components and a group
 * several such batches, which one statement could not write within its time-out.
 */
const ROWS_AT_ONCE = 5000

/**
 * Brings each component that is named to its newest sample, and each day's value of each metric to the last one counted
 * on that UTC day. Newest is by the gateway's counting, never by arrival; a component that a newer sample does not name
 * stays as it was.
 */
export async function storeUsage(trx: Trx, samples: readonly UsageSample[]): Promise<void> {
  if (samples.length === 0) return
  for (const components of pieces(newestComponents(samples))) await storeComponents(trx, components)
  for (const values of pieces(lastValues(samples))) await storeDays(trx, values)
}

function* pieces<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) yield rows.slice(start, start + ROWS_AT_ONCE)
}

function newestComponents(samples: readonly UsageSample[]) {
  return newestReports(
    samples.flatMap(({ instrumentId, at, epoch, sequence, components }) =>
      components.map((component) => ({ instrumentId, at, epoch, sequence, ...component })),
    ),
    ({ instrumentId, componentName }) => `${instrumentId} ${componentName}`,
  )
}

/** The last counted value of each metric on each UTC day. */
function lastValues(samples: readonly UsageSample[]) {
  return newestReports(
    samples.flatMap(({ instrumentId, at, epoch, sequence, components }) => {
      const day = at.toISOString().slice(0, 10)
      return components.flatMap(({ componentName, usage }) =>
        usage.flatMap(({ metric, value }) =>
          value === null ? [] : [{ instrumentId, componentName, metric, day, epoch, sequence, value }],
        ),
      )
    }),
    ({ instrumentId, componentName, metric, day }) => JSON.stringify([instrumentId, componentName, metric, day]),
  )
}

async function storeComponents(trx: Trx, components: ReturnType<typeof newestComponents>): Promise<void> {
  const rows = components.map(({ instrumentId, componentName, at, ...report }) => ({
    instrument_id: instrumentId,
    component_name: componentName,
    sampled_at: at,
    ...report,
  }))
  // One JSON parameter: an array of jsonb would quote every list a second time.
  await sql`
    INSERT INTO component_usage AS t (instrument_id, component_name, sampled_at, epoch, sequence, usage, info, details)
    SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS n (instrument_id int, component_name text,
      sampled_at timestamptz, epoch int, sequence bigint, usage jsonb, info jsonb, details jsonb)
    ORDER BY instrument_id, component_name
    ON CONFLICT (instrument_id, component_name) DO UPDATE SET sampled_at = excluded.sampled_at, epoch = excluded.epoch,
      sequence = excluded.sequence, usage = excluded.usage, info = excluded.info, details = excluded.details,
      forecast_on = NULL
    WHERE (t.epoch, t.sequence) < (excluded.epoch, excluded.sequence)`.execute(trx)
  // What comes late changes no component but a day, and with it what is foreseen.
  await sql`
    UPDATE component_usage t SET forecast_on = NULL
    FROM unnest(${components.map((one) => one.instrumentId)}::int[], ${components.map((one) => one.componentName)}::text[])
      AS n (instrument_id, component_name)
    WHERE t.instrument_id = n.instrument_id AND t.component_name = n.component_name AND t.forecast_on IS NOT NULL`.execute(
    trx,
  )
}

async function storeDays(trx: Trx, values: ReturnType<typeof lastValues>): Promise<void> {
  const of = <T>(pick: (one: (typeof values)[number]) => T) => values.map(pick)
  await sql`
    INSERT INTO component_usage_day AS t (instrument_id, component_name, metric, day, epoch, sequence, value)
    SELECT * FROM unnest(${of((one) => one.instrumentId)}::int[], ${of((one) => one.componentName)}::text[],
      ${of((one) => one.metric)}::text[], ${of((one) => one.day)}::date[], ${of((one) => one.epoch)}::int[],
      ${of((one) => one.sequence)}::bigint[], ${of((one) => one.value)}::float8[])
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (instrument_id, component_name, metric, day) DO UPDATE
    SET epoch = excluded.epoch, sequence = excluded.sequence, value = excluded.value
    WHERE (t.epoch, t.sequence) < (excluded.epoch, excluded.sequence)`.execute(trx)
}
