import type { GatewayFeed } from '@benchwatch/contract/administration/backoffice'
import type { AlarmTestResult, feedStates } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { inScope, instruments } from '../../db/scoped.ts'

type FeedState = (typeof feedStates)[number]

/** A greater lag means that the gateway is connected but cannot keep up, or that its clock is wrong. */
const LATE_LAG_MS = 5 * 60_000

/** The facts that decide whether a gateway is online. */
export interface GatewayActivity {
  lastSeenAt: Date | null
  lagMs: number | null
}

const DAY_MS = 86_400_000
/** Upper limit for the displayed number of missing items, however far a gateway's counter jumps. */
const MOST_GAPS = 1_000_000_000

interface Row {
  id: number
  gateway: string
  customer: string
  lastSeenAt: Date | null
  lagMs: number | null
  gaps: number
  duplicates: number
  parked: number
  testAt: Date | null
  testResult: AlarmTestResult | null
  testEndedAt: Date | null
  links: GatewayFeed['links']
}

/** Returns the gateways of sites in scope by name: connection state, arrivals in the last 24 h, last test. */
export async function readGatewayFeeds(
  db: Db,
  { scope, silenceMs, now }: { scope: DataScope; silenceMs: number; now: Date },
): Promise<GatewayFeed[]> {
  const since = new Date(now.getTime() - DAY_MS)
  const { rows } = await sql<Row>`
    SELECT g.id, g.name AS gateway, g.links, k.name AS customer, g.last_seen_at AS "lastSeenAt",
      f.lag_ms AS "lagMs", f.gaps, f.duplicates,
      (SELECT count(*) FROM parked_item p WHERE p.gateway_id = g.id AND p.resolved_at IS NULL) AS parked,
      t.at AS "testAt", t.result AS "testResult", t.ended_at AS "testEndedAt"
    FROM gateway g JOIN site s ON s.id = g.site_id JOIN customer k ON k.id = s.customer_id
    CROSS JOIN LATERAL (
      SELECT least(greatest(coalesce(sum(h.gaps), 0), 0), ${MOST_GAPS})::int8 AS gaps,
        coalesce(sum(h.duplicates), 0)::int8 AS duplicates,
        (array_agg(h.lag_ms ORDER BY h.hour DESC) FILTER (WHERE h.lag_ms IS NOT NULL))[1] AS lag_ms
      FROM gateway_feed_hour h WHERE h.gateway_id = g.id AND h.hour > ${since}
    ) f
    LEFT JOIN LATERAL (
      SELECT coalesce(a.raised_at, a.ordered_at) AS at, a.result, a.ended_at FROM alarm_test a
      WHERE a.gateway_id = g.id ORDER BY a.id DESC LIMIT 1
    ) t ON true
    WHERE ${inScope(scope, sql.ref('s.customer_id'))}
    ORDER BY g.name`.execute(db)
  const counts = await countInstruments(db, scope)
  return rows.map((row) => ({
    gateway: row.gateway,
    customer: row.customer,
    state: feedStateOf(row, { silenceMs, now }),
    lastMessageAt: row.lastSeenAt?.toISOString() ?? null,
    lagSeconds: row.lagMs === null ? null : Math.round(row.lagMs / 100) / 10,
    gaps: row.gaps,
    duplicates: row.duplicates,
    parked: row.parked,
    instruments: counts.get(row.id) ?? 0,
    lastTest: lastTestOf(row),
    links: row.links,
  }))
}

async function countInstruments(db: Db, scope: DataScope): Promise<Map<number, number>> {
  const rows = await instruments(db, scope)
    .where('i.gateway_id', 'is not', null)
    .groupBy('i.gateway_id')
    .select(['i.gateway_id as gatewayId', sql<number>`count(*)`.as('count')])
    .execute()
  return new Map(rows.flatMap(({ gatewayId, count }) => (gatewayId === null ? [] : [[gatewayId, count] as const])))
}

/** Includes the duration only for tests that arrived, in time or late. */
function lastTestOf({ testAt, testResult, testEndedAt }: Row): GatewayFeed['lastTest'] {
  if (testAt === null || testResult === null) return null
  const took = testEndedAt === null || testResult === 'missing' ? null : testEndedAt.getTime() - testAt.getTime()
  return { at: testAt.toISOString(), result: testResult, seconds: took === null ? null : Math.round(took / 100) / 10 }
}

/**
 * Returns the connection state of a gateway at `now`. It is late after half of `silenceMs`, or if its newest item was
 * more than 5 minutes behind or ahead. `silenceMs` 0 means no gateway is ever silent.
 */
export function feedStateOf(
  { lastSeenAt, lagMs }: GatewayActivity,
  { silenceMs, now }: { silenceMs: number; now: Date },
): FeedState {
  if (lastSeenAt === null) return 'never'
  const quietMs = now.getTime() - lastSeenAt.getTime()
  if (silenceMs > 0 && quietMs > silenceMs) return 'silent'
  if (silenceMs > 0 && quietMs > silenceMs / 2) return 'late'
  return lagMs !== null && Math.abs(lagMs) > LATE_LAG_MS ? 'late' : 'heard'
}
