import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { inScope } from '../../db/scoped.ts'

/** What other features may ask about service events. */

/** Values of the filter panel that only events tell: where they were ever raised, and about which components. */
export interface EventFilterValues {
  componentNames: string[]
  componentTypes: string[]
  customers: string[]
  regions: string[]
  countries: string[]
  cities: string[]
}

/** Read from the rollup of what had events, never from events themselves; each list without repeats, in no order. */
export async function listEventFilterValues(db: Db, { scope }: { scope: DataScope }): Promise<EventFilterValues> {
  const customers = inScope(scope, sql.ref('customer_id'))
  const { rows } = await sql<EventFilterValues>`
    WITH seen AS MATERIALIZED (
      SELECT component_id, site_id, customer_id FROM event_seen WHERE ${customers} GROUP BY 1, 2, 3
      UNION ALL
      SELECT component_id, site_id, customer_id FROM event_delta WHERE ${customers} GROUP BY 1, 2, 3),
    components AS (SELECT name, type FROM component WHERE id IN (SELECT component_id FROM seen)),
    sites AS (SELECT region, country, city FROM site WHERE id IN (SELECT site_id FROM seen))
    SELECT
      ARRAY(SELECT DISTINCT name FROM components) AS "componentNames",
      ARRAY(SELECT DISTINCT type FROM components WHERE type <> '') AS "componentTypes",
      ARRAY(SELECT DISTINCT name FROM customer WHERE id IN (SELECT customer_id FROM seen)) AS "customers",
      ARRAY(SELECT DISTINCT region FROM sites WHERE region <> '') AS "regions",
      ARRAY(SELECT DISTINCT country FROM sites WHERE country <> '') AS "countries",
      ARRAY(SELECT DISTINCT city FROM sites WHERE city <> '') AS "cities"`.execute(db)
  const [values] = rows
  if (!values) throw new Error('The filter values query returned no row.')
  return values
}
