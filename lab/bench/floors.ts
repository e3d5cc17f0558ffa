import type { Client } from 'pg'
import type { Range, Search } from './searches.ts'

/**
 * The same requests in hand-written SQL, on one connection, without the product: the minimum cost of an answer. The
 * values are written into the statements, so nothing is prepared, resolved or checked.
 */

interface PageOptions {
  offset?: number
  order?: string
  /** Select first, then sort: if the order follows time, the planner would scan its index from the far end. */
  isSortedApart?: boolean
}

/** Returns the SQL for twelve rows with everything that is shown with an event. */
export function pageSql(
  where: string,
  { offset = 0, order = 'e.created_at DESC, e.id DESC', isSortedApart = false }: PageOptions = {},
): string {
  const found = `service_event e WHERE ${where}`
  const page = isSortedApart
    ? `WITH r AS MATERIALIZED (SELECT e.id, e.created_at, e.severity, e.alert_status, e.claimed_by FROM ${found})
       SELECT e.id FROM r AS e`
    : `SELECT e.id FROM ${found}`
  return `${joinedSql(`${page} ORDER BY ${order} LIMIT 12 OFFSET ${offset}`)} ORDER BY ${order}`
}

/** Returns the SQL for everything that is shown with the events of these ids. */
export function joinedSql(ids: string): string {
  return `
    SELECT e.*, i.installed_product_id, i.product_description, i.system_name, i.type, i.status, c.name AS customer_name,
      s.street, s.zip, s.city, s.country, s.region, s.latitude, s.longitude, s.time_zone, k.name AS component_name,
      u.name AS owner_name, g.name AS gateway_name, t.type AS contract_type, t.sla_term, t.end_date, p.name AS contact_name
    FROM (${ids}) AS page
    JOIN service_event e ON e.id = page.id
    LEFT JOIN instrument i ON i.id = e.instrument_id LEFT JOIN site s ON s.id = e.site_id
    LEFT JOIN customer c ON c.id = e.customer_id LEFT JOIN component k ON k.id = e.component_id
    LEFT JOIN app_user u ON u.id = e.claimed_by LEFT JOIN gateway g ON g.id = e.gateway_id
    LEFT JOIN contract t ON t.id = i.contract_id LEFT JOIN contact p ON p.id = i.contact_id`
}

/** Returns a search as one condition on `e`. */
export function whereOf({ range, conditions }: Search): string {
  return [inRange(range), ...conditions].join(' AND ')
}

function inRange({ start, stop }: Range): string {
  const from = start === null ? 'true' : `e.created_at >= '${start}'`
  return stop === null ? from : `${from} AND e.created_at < '${stop}'`
}

const location = 's.location_key'
const noOwner = `e.alert_status = 1 AND e.claimed_by IS NULL AND e.created_at <= now() - interval '2 hours'`
const noAction = `e.alert_status = 2 AND e.last_action_at <= now() - interval '24 hours'`
const fullSupport = 'e.alert_status <> 3 AND e.full_support'

/**
 * Returns the SQL for the totals of a filtered search: one scan, grouped before anything distinct is counted, and one
 * read of the open events.
 */
export function scannedTotalsSql(search: Search): string {
  const { range, conditions } = search
  const before = range.start === null ? 'false' : `e.created_at < '${range.start}'`
  return `
    WITH found AS MATERIALIZED (
      SELECT e.instrument_id, e.component_id, e.customer_id, e.site_id, count(*) AS events FROM service_event e
      WHERE ${whereOf(search)} GROUP BY 1, 2, 3, 4)
    SELECT (SELECT sum(events) FROM found), (SELECT count(*) FROM (SELECT DISTINCT instrument_id FROM found) AS i),
      (SELECT count(*) FROM (SELECT DISTINCT instrument_id, component_id FROM found) AS k),
      (SELECT count(*) FROM (SELECT DISTINCT customer_id FROM found) AS c),
      (SELECT count(*) FROM (SELECT DISTINCT ${location} FROM site s WHERE s.id IN (SELECT site_id FROM found)) AS l),
      open_events.*
    FROM (
      SELECT count(*) FILTER (WHERE ${noOwner} AND ${inRange(range)}) AS a,
        count(*) FILTER (WHERE ${noAction} AND ${inRange(range)}) AS b,
        count(*) FILTER (WHERE ${fullSupport} AND ${inRange(range)}) AS c, count(*) FILTER (WHERE ${before}) AS d
      FROM service_event e WHERE e.alert_status <> 3 AND ${conditions.join(' AND ')}) AS open_events`
}

/** Queries totals and page one after the other, as one answer needs them. */
export async function queryFloor(sql: Client, { page, totals }: { page: string; totals: string }): Promise<void> {
  await sql.query(totals)
  await sql.query(page)
}
