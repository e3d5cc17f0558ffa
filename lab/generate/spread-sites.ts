import type { Client } from 'pg'

/** Degrees around the site that a new one takes its city from: a map of a continent's sites, not of twenty points. */
const AROUND = 2.5

/**
 * Gives so many positions to the events: copies of their sites, each at a place of its own, with at least one event. For
 * measures of the map; before the rollups, which count locations.
 */
export async function spreadSites(client: Client, positions: number): Promise<void> {
  await client.query(
    `CREATE TEMP TABLE spread AS
     SELECT e.id, e.site_id, (row_number() OVER (PARTITION BY e.site_id ORDER BY e.id) - 1)
       / greatest(1, (SELECT count(*) FROM service_event) / $1::int) AS part
     FROM service_event e`,
    [positions],
  )
  await client.query(`SELECT setseed(0.5)`)
  await client.query(`
    CREATE TEMP TABLE spread_site AS
    SELECT row_number() OVER (ORDER BY site_id, part) AS number, site_id, part FROM (SELECT DISTINCT site_id, part FROM spread) s`)
  await client.query(
    `INSERT INTO site (key, customer_id, name, street, zip, city, country, region, sub_region, latitude, longitude, time_zone, place_folded)
     SELECT 'spread-' || p.number, s.customer_id, s.name, s.street || ' ' || p.number, s.zip, s.city, s.country, s.region, s.sub_region,
       round((s.latitude + (random() - 0.5) * 2 * $1::numeric::float8)::numeric, 5),
       round((s.longitude + (random() - 0.5) * 4 * $1::numeric::float8)::numeric, 5), s.time_zone, s.place_folded
     FROM spread_site p JOIN site s ON s.id = p.site_id ORDER BY p.number`,
    [AROUND],
  )
  await client.query('ANALYZE spread, spread_site, site')
  await client.query(`
    UPDATE service_event e SET site_id = s.id FROM spread w
    JOIN spread_site p ON p.site_id = w.site_id AND p.part = w.part
    JOIN site s ON s.key = 'spread-' || p.number WHERE w.id = e.id`)
}
