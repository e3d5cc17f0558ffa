import type { EventSurroundings, StatusSpan } from '@benchwatch/contract/event-details'
import { sql } from 'kysely'
import type { DataScope } from '../../../db/actor.ts'
import type { Db } from '../../../db/connect.ts'
import { instruments, reportedSince, serviceEvents } from '../../../db/scoped.ts'
import { readServiceEvents } from '../events.queries.ts'

const DAY_MS = 24 * 3_600_000

/**
 * Events lie in the index by when they were stored, and pictures of an instrument want them by when they happened. A gateway
 * that was cut off delivers days later, a clock runs ahead: between these bounds an event is found, outside it is not. Without
 * them an old event would cost a look at everything that its instrument has reported since (50 ms among a million, for one that
 * has reported 8,900), with them it is 1 ms; an index of its own would cost every raise.
 */
const LATEST_DELIVERY_MS = 30 * DAY_MS

const FASTEST_CLOCK_MS = DAY_MS

const HOUR_MS = 3_600_000
const WINDOW_MS = 6 * HOUR_MS
/** More on one axis tell nobody anything. */
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
 * What went on at the instrument from 6 hours before the event to 6 hours after it, or to `now`; around an edge issue those
 * of its gateway. By the instrument's clock, which statuses have as well: what came late stands where it happened.
 * Undefined when the scope does not hold the event.
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
    // An instrument's clock may run ahead of ours.
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
 * Statuses that the instrument took on, the first being the one that held at the start. None when it belongs to another
 * customer by now, and none from before it came to its customer, by either clock: what it did elsewhere is not this
 * customer's. Who sees every customer sees them all.
 */
async function readStatuses(db: Db, { centre, window, scope }: Around): Promise<StatusSpan[]> {
  const { instrument_id, customer_id, log_generated_at } = centre
  if (instrument_id === null) return []
  const told = instruments(db, scope)
    .innerJoin('instrument_status_history as h', 'h.instrument_id', 'i.id')
    .where('i.id', '=', instrument_id)
    .where('i.customer_id', '=', customer_id)
    .where(reportedSince(scope, sql.ref('h.at')))
    .where(reportedSince(scope, sql.ref('h.received_at')))
  const held = await told
    .where('h.at', '<=', window.start)
    .orderBy('h.at', 'desc')
    .orderBy('h.epoch', 'desc')
    .orderBy('h.sequence', 'desc')
    .limit(1)
    .select(['h.at', 'h.status'])
    .executeTakeFirst()
  const changes = await told
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

/** The events nearest to this one, as ids by the time at which they happened, and how many there are in all. */
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

/** Within which instants an event was stored that happened from `start` to `stop`. */
export function whenStored({ start, stop }: { start: Date; stop: Date }): { from: Date; to: Date } {
  return {
    from: new Date(start.getTime() - FASTEST_CLOCK_MS),
    to: new Date(stop.getTime() + LATEST_DELIVERY_MS),
  }
}
