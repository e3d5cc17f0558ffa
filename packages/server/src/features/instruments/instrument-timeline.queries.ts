import type { StatusSpan } from '@benchwatch/contract/events/event-details'
import type { InstrumentTimeline } from '@benchwatch/contract/instruments/instrument-timeline'
import type { OrcStatus } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { instrumentNamed, instruments, reportedSince } from '../../db/scoped.ts'
import { inTransaction } from '../../db/transaction.ts'
import { readTimelineEvents } from '../events/events.lookup.ts'
import { readWindows } from '../maintenance/maintenance.lookup.ts'
import { readDailyRuntimes } from '../usage/usage.lookup.ts'
import { readRuns } from './instruments.lookup.ts'

/** More events on one axis are unreadable, and each is a mark to draw. */
const MOST_EVENTS = 1000
const MOST_STATUSES = 5000
const MOST_RUNS = 500
const MOST_CONNECTIONS = 1000
const MOST_WINDOWS = 500

interface Span {
  start: Date
  stop: Date
}

interface TimelineInput extends Span {
  /** Id or installed product ID. */
  id: string
  scope: DataScope
  /** True if the caller may see run times. */
  withRuntimes: boolean
}

interface VisibleSpan extends Span {
  instrumentId: number
  scope: DataScope
}

/**
 * Returns what happened to an instrument in scope within start ≤ t < stop. Callers who do not see all customers get
 * nothing from before the instrument came to its customer. Undefined if no such instrument is in scope.
 */
export async function readTimeline(
  db: Db,
  { id, scope, withRuntimes, ...span }: TimelineInput,
): Promise<InstrumentTimeline | undefined> {
  return inTransaction(
    db,
    async (trx) => {
      const instrument = await instrumentNamed(trx, { id, scope })
        .innerJoin('site as s', 's.id', 'i.site_id')
        .select(['i.id', 'i.customer_since', 's.time_zone'])
        .executeTakeFirst()
      if (!instrument) return undefined
      const input = { ...span, instrumentId: instrument.id, scope }
      const visible = { ...input, start: visibleFrom(span, { scope, since: instrument.customer_since }) }
      const { events, total } = await readTimelineEvents(trx, { ...visible, limit: MOST_EVENTS })
      const statuses = await readStatuses(trx, visible)
      const windows = await readWindows(trx, { ...visible, limit: MOST_WINDOWS })
      return {
        start: visible.start.toISOString(),
        stop: visible.stop.toISOString(),
        events,
        total: { events: total },
        ...statuses,
        runs: await readRuns(trx, { ...visible, limit: MOST_RUNS }),
        connections: await readConnections(trx, visible),
        maintenances: windows.map(({ maintenanceId, start, end, reason }) => ({
          id: String(maintenanceId),
          start: start.toISOString(),
          end: end?.toISOString() ?? null,
          reason,
        })),
        runtimes: withRuntimes
          ? await readDailyRuntimes(trx, { ...visible, ...daysOf(visible, instrument.time_zone) })
          : [],
      }
    },
    { isSnapshot: true },
  )
}

/**
 * Start of the visible part of the span. `since` is -Infinity, which is not a Date, if the instrument has belonged to
 * one customer since its registration.
 */
function visibleFrom({ start, stop }: Span, { scope, since }: { scope: DataScope; since: Date | number }): Date {
  if (scope === 'all' || !(since instanceof Date) || since <= start) return start
  return since < stop ? since : stop
}

/** Returns the days of the site that a span touches. */
function daysOf({ start, stop }: Span, timeZone: string): { from: string; to: string } {
  const dayAt = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate().toString()
  return { from: dayAt(start.getTime()), to: dayAt(Math.max(start.getTime(), stop.getTime() - 1)) }
}

/** Returns the statuses by the instrument's clock; the one that held at the start comes first, if it is visible. */
async function readStatuses(
  db: Db,
  { instrumentId, scope, start, stop }: VisibleSpan,
): Promise<{ statuses: StatusSpan[]; statusesCut: boolean }> {
  const visible = instruments(db, scope)
    .innerJoin('instrument_status_history as h', 'h.instrument_id', 'i.id')
    .where('i.id', '=', instrumentId)
    .where(reportedSince(scope, sql.ref('h.at')))
    .where(reportedSince(scope, sql.ref('h.received_at')))
    .orderBy('h.at', 'desc')
    .orderBy('h.epoch', 'desc')
    .orderBy('h.sequence', 'desc')
    .select(['h.at', 'h.status'])
  const held = await visible.where('h.at', '<=', start).limit(1).execute()
  const changes = await visible
    .where('h.at', '>', start)
    .where('h.at', '<', stop)
    .limit(MOST_STATUSES + 1)
    .execute()
  const isCut = changes.length > MOST_STATUSES
  const all = [...changes.slice(0, MOST_STATUSES), ...(isCut ? [] : held)].toReversed()
  return {
    statuses: all
      .filter(({ status }, index) => status !== all[index - 1]?.status)
      .map(({ at, status }) => ({ from: at.toISOString(), instrumentStatus: status })),
    statusesCut: isCut,
  }
}

async function readConnections(
  db: Db,
  { instrumentId, scope, start, stop }: VisibleSpan,
): Promise<{ from: string; orcStatus: OrcStatus }[]> {
  const visible = instruments(db, scope)
    .innerJoin('orc_status_history as o', 'o.instrument_id', 'i.id')
    .where('i.id', '=', instrumentId)
    .where(reportedSince(scope, sql.ref('o.at')))
    .orderBy('o.at', 'desc')
    .select(['o.at', 'o.orc_status'])
  const held = await visible.where('o.at', '<=', start).limit(1).execute()
  const changes = await visible.where('o.at', '>', start).where('o.at', '<', stop).limit(MOST_CONNECTIONS).execute()
  return [...changes, ...held]
    .toReversed()
    .map(({ at, orc_status }) => ({ from: at.toISOString(), orcStatus: orc_status }))
}
