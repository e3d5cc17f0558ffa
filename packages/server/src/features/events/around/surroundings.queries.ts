import type { EventSurroundings, StatusSpan } from '@benchwatch/contract/events/event-details'
import { sql } from 'kysely'
import type { DataScope } from '../../../db/actor.ts'
import type { Db } from '../../../db/connect.ts'
import { instruments, reportedSince, serviceEvents } from '../../../db/scoped.ts'
import { readServiceEvents } from '../events.queries.ts'

const DAY_MS = 24 * 3_600_000

/**
 * Bounds between storing time and event time. Events are indexed by the time they were stored, but views of an
 * instrument need them by the time they happened. A disconnected gateway delivers days later, and a clock may run
 * ahead; events outside these bounds are not found. Without the bounds, an old event would mean reading everything
 * that its instrument has reported since (50 ms among a million events, for an instrument that reported 8,900); with
 * them it takes 1 ms. A separate index would slow down every raise.
 */
const LATEST_DELIVERY_MS = 30 * DAY_MS

const FASTEST_CLOCK_MS = DAY_MS

const HOUR_MS = 3_600_000
const WINDOW_MS = 6 * HOUR_MS
/** More events on one axis are unreadable. */
const MOST_EVENTS = 100
const MOST_STATUSES = 1000

interface Centre {
  id: number
  customer_id: number
  instrument_id: number | null
  gateway_id: number | null
  is_edge_issue: boolean
  created_at: Date
  log_generated_at: Date
}

interface Window {
  start: Date
  stop: Date
}

/**
 * Returns what happened at the instrument from 6 hours before the event to 6 hours after it, or to `now`; for an edge
 * issue, the events of its gateway. Times are those of the instrument's clock, which statuses use as well, so late
 * deliveries appear where they happened. Undefined if the event is outside the scope.
 */
export async function readSurroundings(
  db: Db,
  { id, scope, viewerId, now }: { id: number; scope: DataScope; viewerId: number; now: Date },
): Promise<EventSurroundings | undefined> {
  const centre = await serviceEvents(db, scope)
    .where('e.id', '=', id)
    .select([
      'e.id',
      'e.customer_id',
      'e.instrument_id',
      'e.gateway_id',
      'e.is_edge_issue',
      'e.created_at',
      'e.log_generated_at',
    ])
    .executeTakeFirst()
  if (!centre) return undefined
  const happened = centre.log_generated_at.getTime()
  const window: Window = {
    start: new Date(happened - WINDOW_MS),
    // An instrument's clock may run ahead of the server's.
    stop: new Date(Math.max(happened, Math.min(happened + WINDOW_MS, now.getTime()))),
  }
  const [statuses, near] = await Promise.all([
    readStatuses(db, { centre, window, scope }),
    readNear(db, { centre, window, scope }),
  ])
  const events = await readServiceEvents(db, { ids: near.ids, scope, viewerId })
  return {
    start: window.start.toISOString(),
    stop: window.stop.toISOString(),
    statuses,
    values: events.map((alarm) => ({ alarm })),
    total: { events: near.total },
  }
}

interface Around {
  centre: Centre
  window: Window
  scope: DataScope
}

/**
 * Returns the statuses of the instrument, starting with the one that held at the start. Empty if the instrument now
 * belongs to another customer, and without anything from before it came to its customer (by either clock), because
 * that history belongs to the previous customer. Callers who see all customers get all statuses.
 */
async function readStatuses(db: Db, { centre, window, scope }: Around): Promise<StatusSpan[]> {
  const { instrument_id, customer_id, log_generated_at } = centre
  if (instrument_id === null) return []
  const visible = instruments(db, scope)
    .innerJoin('instrument_status_history as h', 'h.instrument_id', 'i.id')
    .where('i.id', '=', instrument_id)
    .where('i.customer_id', '=', customer_id)
    .where(reportedSince(scope, sql.ref('h.at')))
    .where(reportedSince(scope, sql.ref('h.received_at')))
  const held = await visible
    .where('h.at', '<=', window.start)
    .orderBy('h.at', 'desc')
    .orderBy('h.epoch', 'desc')
    .orderBy('h.sequence', 'desc')
    .limit(1)
    .select(['h.at', 'h.status'])
    .executeTakeFirst()
  const changes = await visible
    .where('h.at', '>', window.start)
    .where('h.at', '<', window.stop)
    .orderBy(sql`abs(extract(epoch FROM h.at - ${log_generated_at}))`)
    .limit(MOST_STATUSES)
    .select(['h.at', 'h.epoch', 'h.sequence', 'h.status'])
    .execute()
  changes.sort((a, b) => a.at.getTime() - b.at.getTime() || a.epoch - b.epoch || a.sequence - b.sequence)
  const all = held === undefined ? changes : [held, ...changes]
  return all
    .filter(({ status }, index) => status !== all[index - 1]?.status)
    .map(({ at, status }) => ({ from: at.toISOString(), instrumentStatus: status }))
}

/** Returns the events nearest to this one, as ids in order of event time, and the total number. */
async function readNear(db: Db, { centre, window, scope }: Around): Promise<{ ids: number[]; total: number }> {
  const stored = whenStored(window)
  const from = Math.min(centre.created_at.getTime(), stored.from.getTime())
  const to = Math.max(centre.created_at.getTime(), stored.to.getTime())
  const rows = await serviceEvents(db, scope)
    .$if(centre.is_edge_issue, (query) => query.where('e.is_edge_issue', '=', true))
    .$if(centre.is_edge_issue, (query) => query.where('e.gateway_id', '=', centre.gateway_id))
    .$if(!centre.is_edge_issue, (query) => query.where('e.instrument_id', '=', centre.instrument_id))
    .where('e.created_at', '>=', new Date(from))
    .where('e.created_at', '<=', new Date(to))
    .where('e.log_generated_at', '>=', window.start)
    .where('e.log_generated_at', '<=', window.stop)
    .orderBy((eb) => eb('e.id', '=', centre.id), 'desc')
    .orderBy(sql`abs(extract(epoch FROM e.log_generated_at - ${centre.log_generated_at}))`)
    .limit(MOST_EVENTS)
    .select(['e.id', 'e.log_generated_at', sql<number>`count(*) OVER ()`.as('total')])
    .execute()
  rows.sort((a, b) => a.log_generated_at.getTime() - b.log_generated_at.getTime() || a.id - b.id)
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 }
}

/** Returns the range of storing times for events that happened from `start` to `stop`. */
export function whenStored({ start, stop }: { start: Date; stop: Date }): { from: Date; to: Date } {
  return {
    from: new Date(start.getTime() - FASTEST_CLOCK_MS),
    to: new Date(stop.getTime() + LATEST_DELIVERY_MS),
  }
}
