import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { inScope } from '../../db/scoped.ts'
import { wholeSeconds } from './counted-events.queries.ts'
import type { KpiQuestion } from './kpi-question.ts'

/** Returns the distinct names of the customers in scope, sorted for people. */
export async function readCustomerNames(db: Db, scope: DataScope): Promise<string[]> {
  const rows = await db
    .selectFrom('customer as c')
    .where(inScope(scope, sql.ref('c.id')))
    .select('c.name')
    .groupBy('c.name')
    .orderBy(sql`c.name COLLATE "und-x-icu"`)
    .execute()
  return rows.map(({ name }) => name)
}

/** Narrows a scope to the named customers; unknown names match nothing. */
export async function narrowScope(db: Db, { scope, names }: { scope: DataScope; names: string[] }): Promise<DataScope> {
  const rows = await db
    .selectFrom('customer as c')
    .where(inScope(scope, sql.ref('c.id')))
    .where(sql<boolean>`c.name = ANY(${names}::text[])`)
    .select('c.id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Returns the share of time during which the gateways at sites in scope reported, worst first. Time counts from a
 * gateway's first report; a gateway that had not reported by then has no share.
 */
export async function readGatewayUptime(db: Db, { scope, from, until, now }: KpiQuestion) {
  const end = until < now ? until : now
  const { rows } = await sql<{
    gateway: string
    customer: string
    site: string
    watched: number
    silent: number | null
    silences: number
    longest: number | null
    silent_since: Date | null
  }>`
    SELECT g.name AS gateway, c.name AS customer, coalesce(s.name, s.city, s.key) AS site,
      extract(epoch FROM ${end}::timestamptz - w.start)::float8 AS watched,
      o.silent, o.silences, o.longest, g.silent_since
    FROM gateway g JOIN site s ON s.id = g.site_id JOIN customer c ON c.id = s.customer_id
    CROSS JOIN LATERAL (SELECT greatest(${from}::timestamptz, g.first_seen_at) AS start) w
    CROSS JOIN LATERAL (
      SELECT sum(p.seconds) AS silent, max(p.seconds) AS longest, count(*)::int4 AS silences
      FROM (SELECT extract(epoch FROM least(coalesce(x.until, ${end}::timestamptz), ${end}::timestamptz)
          - greatest(x.since, w.start))::float8 AS seconds
        FROM gateway_silence x WHERE x.gateway_id = g.id) p
      WHERE p.seconds > 0) o
    WHERE g.first_seen_at IS NOT NULL AND ${inScope(scope, sql.ref('s.customer_id'))}
    ORDER BY g.name COLLATE "C"`.execute(db)
  return rows
    .map((row) => ({
      gateway: row.gateway,
      customer: row.customer,
      site: row.site,
      silences: row.silences,
      // Half-open like every range: a gateway that first reports at its end was not watched.
      uptime: row.watched > 0 ? 1 - (row.silent ?? 0) / row.watched : null,
      longest: wholeSeconds(row.longest),
      silentSince: row.silent_since?.toISOString() ?? null,
    }))
    .sort((a, b) => (a.uptime ?? 2) - (b.uptime ?? 2))
}
