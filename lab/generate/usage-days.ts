import type { Client } from 'pg'

/** What is made of the use of parts: of each instrument so many, each with one metric of so many days. */
export const USAGE_PARTS = 4
export const USAGE_DAYS = 100

/**
 * Use of every instrument's parts day by day up to now, at paces of 1 to 7 a day towards a maximum of 1000, so that some are
 * due soon and others in years. Returns how many parts that makes.
 */
export async function loadUsageDays(sql: Client): Promise<number> {
  const parts = `instrument i, generate_series(1, ${USAGE_PARTS}) AS k`
  const name = `'Pump ' || k || ' (P9-' || k || ')'`
  const today = '(i.id * 7 + k * 131) % 1000'
  await sql.query('BEGIN')
  await sql.query(`
    INSERT INTO component_usage_day (instrument_id, component_name, metric, day, epoch, sequence, value)
    SELECT i.id, ${name}, 'Volume', (now() AT TIME ZONE 'UTC')::date - ago, 1, 1, ${today} - ago * (1 + i.id % 7)
    FROM ${parts}, generate_series(0, ${USAGE_DAYS - 1}) AS ago
    ON CONFLICT (instrument_id, component_name, metric, day) DO UPDATE SET value = excluded.value`)
  const { rowCount } = await sql.query(`
    INSERT INTO component_usage (instrument_id, component_name, sampled_at, epoch, sequence, usage, info, details)
    SELECT i.id, ${name}, now(), 1, 1, jsonb_build_array(jsonb_build_object('metric', 'Volume', 'unit', 'L',
      'value', ${today}, 'thresholdRule', 'MAXIMUM_USAGE', 'thresholdValues', jsonb_build_array(1000))), '[]', '[]'
    FROM ${parts}
    ON CONFLICT (instrument_id, component_name) DO UPDATE SET forecast_on = NULL`)
  await sql.query('COMMIT')
  await sql.query('VACUUM (ANALYZE) component_usage, component_usage_day')
  return rowCount ?? 0
}
