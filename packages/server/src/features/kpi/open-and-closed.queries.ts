import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { isOpen } from '../../db/scoped.ts'
import { byCodePoints } from '../../db/text-order.ts'
import { closeReasonOf } from '../service-events/service-event-codes.ts'
import { askedEvents, eventCount, realEvents, severityCounts, shareOf } from './asked-events.queries.ts'
import type { KpiQuestion } from './kpi-question.ts'

/** Ages of open work, each up to and without so many days. */
export const ageBands = [
  { label: 'Below 1 day', days: 1 },
  { label: '1 to 7 days', days: 7 },
  { label: '7 to 30 days', days: 30 },
  { label: '30 days and more', days: Number.POSITIVE_INFINITY },
] as const

const DAY_MS = 86_400_000

/** What is open now, by how long ago it was created; every band, the youngest first. */
export async function readOpenByAge(db: Db, { scope, now }: KpiQuestion) {
  const bounds = ageBands.slice(0, -1).map(({ days }) => new Date(now.getTime() - days * DAY_MS))
  // Bounds fall while ages grow: the band is the number of bounds that an event was created at or before.
  const band = sql<number>`(SELECT count(*)::int4 FROM unnest(${bounds}::timestamptz[]) AS b (at) WHERE e.created_at <= b.at)`
  const rows = await db
    .with('open', () =>
      realEvents(db, { scope })
        .where(isOpen)
        .select([band.as('band'), 'e.severity']),
    )
    .selectFrom('open as e')
    .select(['e.band', ...severityCounts])
    .groupBy('e.band')
    .execute()
  const counted = new Map(rows.map(({ band: number, ...counts }) => [number, counts]))
  return ageBands.map(({ label }, index) => ({
    age: label,
    ...(counted.get(index) ?? { high: 0, medium: 0, low: 0, total: 0 }),
  }))
}

/** With which reasons the events were closed that are closed; the most frequent first. */
export async function readCloseReasons(db: Db, question: KpiQuestion) {
  const rows = await askedEvents(db, question)
    .where('e.alert_status', '=', 3)
    .where('e.reason_closed', 'is not', null)
    .select(['e.reason_closed as code', eventCount.as('events')])
    .groupBy('e.reason_closed')
    .orderBy('events', 'desc')
    .orderBy('e.reason_closed')
    .execute()
  const all = rows.reduce((sum, { events }) => sum + events, 0)
  return rows.map(({ code, events }) => ({ reason: closeReasonOf(code), events, share: shareOf(events, all) }))
}

/**
 * Whether events under a 24-hour contract were acknowledged in time, by customer, most missed first. What the system closed
 * has waited for nobody, so its closing counts as well.
 */
export async function readSla(db: Db, question: KpiQuestion) {
  const answered = sql`coalesce(e.claimed_at, e.closed_at)`
  const due = sql`e.created_at + interval '24 hours'`
  const rows = await db
    .with('decided', () =>
      askedEvents(db, question)
        .where('e.full_support', '=', true)
        .select([
          'e.customer_id',
          eventCount.as('events'),
          sql<number>`(count(*) FILTER (WHERE ${answered} <= ${due}))::int4`.as('kept'),
          sql<number>`(count(*) FILTER (WHERE ${answered} IS NULL AND ${due} > ${question.now}))::int4`.as('running'),
        ])
        .groupBy('e.customer_id'),
    )
    .selectFrom('decided as d')
    .innerJoin('customer as c', 'c.id', 'd.customer_id')
    .select([
      'c.name as customer',
      'd.events',
      'd.kept',
      'd.running',
      sql<number>`d.events - d.kept - d.running`.as('missed'),
    ])
    .orderBy('missed', 'desc')
    .orderBy('d.events', 'desc')
    .orderBy(byCodePoints('c.name'))
    .orderBy('c.id')
    .execute()
  return rows.map((row) => ({ ...row, share: shareOf(row.kept, row.kept + row.missed) }))
}
