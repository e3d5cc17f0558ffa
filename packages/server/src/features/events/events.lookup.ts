import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { InstrumentTimeline } from '@benchwatch/contract/instruments/instrument-timeline'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { isOpen, serviceEvents } from '../../db/scoped.ts'
import { severityOf } from '../../db/sql/severity.ts'
import { whenStored } from './around/surroundings.queries.ts'
import { alertStatusOf } from './event-codes.ts'
import { readServiceEvents } from './events.queries.ts'

type TimelineEvent = InstrumentTimeline['events'][number]

/** Returns the newest open events of an instrument, newest first, without their long texts. */
export async function readOpenEvents(
  db: Db,
  {
    instrumentId,
    scope,
    viewerId,
    limit,
  }: { instrumentId: number; scope: DataScope; viewerId?: number; limit: number },
): Promise<ServiceEvent[]> {
  const rows = await serviceEvents(db, scope)
    .where('e.instrument_id', '=', instrumentId)
    .where(isOpen)
    .orderBy('e.created_at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(limit)
    .select('e.id')
    .execute()
  return readServiceEvents(db, { ids: rows.map(({ id }) => id), scope, viewerId })
}

/**
 * Returns the events of an instrument that happened within start ≤ t < stop by its own clock, as marks on a timeline:
 * the newest ones, oldest first, and the total number. Events that were stored more than 30 days after `stop` are left
 * out.
 */
export async function readTimelineEvents(
  db: Db,
  {
    instrumentId,
    scope,
    start,
    stop,
    limit,
  }: { instrumentId: number; scope: DataScope; start: Date; stop: Date; limit: number },
): Promise<{ events: TimelineEvent[]; total: number }> {
  const stored = whenStored({ start, stop })
  const all = serviceEvents(db, scope)
    .where('e.instrument_id', '=', instrumentId)
    .where('e.created_at', '>=', stored.from)
    .where('e.created_at', '<=', stored.to)
    .where('e.log_generated_at', '>=', start)
    .where('e.log_generated_at', '<', stop)
  const rows = await all
    .orderBy('e.log_generated_at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(limit)
    .select([
      'e.id',
      'e.created_at',
      'e.log_generated_at',
      'e.closed_at',
      'e.cleared_at',
      'e.severity',
      'e.alert_status',
      'e.description',
      'e.template_id',
      'e.during_maintenance',
    ])
    .execute()
  const total =
    rows.length < limit
      ? rows.length
      : (await all.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()).count
  const events = rows.map((row) => ({
    id: String(row.id),
    eventId: String(row.id),
    createdAt: row.created_at.toISOString(),
    logGeneratedAt: row.log_generated_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
    clearedAt: row.cleared_at?.toISOString() ?? null,
    severity: severityOf(row.severity),
    alertStatus: alertStatusOf(row.alert_status),
    description: row.description,
    templateId: row.template_id,
    duringMaintenance: row.during_maintenance,
  }))
  return { events: events.toReversed(), total }
}
