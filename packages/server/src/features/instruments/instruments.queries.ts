import type { StatusSpan } from '@benchwatch/contract/events/event-details'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { InstrumentTimeline } from '@benchwatch/contract/instruments/instrument-timeline'
import type { EdgeGateway, Instrument, PlannedMaintenance } from '@benchwatch/contract/instruments/instruments'
import type { InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { readInstrumentTypes } from '../../db/instrument-type.ts'
import { instrumentNamed, instruments, reportedSince } from '../../db/scoped.ts'
import { inTransaction } from '../../db/transaction.ts'
import { readOpenEvents, readTimelineEvents } from '../events/events.lookup.ts'
import { readPlanned, readWindows } from '../maintenance/maintenance.lookup.ts'
import { readDailyRuntimes } from '../usage/usage.lookup.ts'
import { type InstrumentOrder, instrumentsInOrder } from './instrument-order.queries.ts'
import { readInstruments } from './instrument-rows.queries.ts'
import { readRuns } from './instruments.lookup.ts'
import { type InstrumentSearch, resolveInstrumentSearch } from './selection.queries.ts'

interface InstrumentListInput {
  search: InstrumentSearch
  scope: DataScope
  page: InstrumentOrder & { limit: number; offset: number }
  now: Date
}

/** The instruments in scope that match a condition on `i`. */
interface Matching {
  matches: RawBuilder<SqlBool>
  scope: DataScope
}

/** Open events that are shown with an instrument; its eventCount shows whether there are more. */
const SHOWN_EVENTS = 100

/**
 * Returns the current statuses of these instruments, by installed product ID; instruments outside the scope are left
 * out.
 */
export async function readStatuses(
  db: Db,
  { installedProductIds, scope }: { installedProductIds: readonly string[]; scope: DataScope },
): Promise<Record<string, InstrumentStatus>> {
  if (installedProductIds.length === 0) return {}
  const rows = await instruments(db, scope)
    .where('i.installed_product_id', 'in', [...installedProductIds])
    .select(['i.installed_product_id', 'i.status'])
    .execute()
  return Object.fromEntries(rows.map(({ installed_product_id, status }) => [installed_product_id, status]))
}

/**
 * Returns the gateway of an instrument in scope, or a gateway by its own installed product ID, with those of its
 * instruments that are in scope. Users see a gateway if they see its site or one of its instruments; they see its
 * location only if they see the site.
 */
export async function findEdgeGateway(
  db: Db,
  { installedProductId, scope }: { installedProductId: string; scope: DataScope },
): Promise<EdgeGateway | undefined> {
  const ofInstrument = instruments(db, scope)
    .where('i.installed_product_id', '=', installedProductId)
    .select('i.gateway_id')
  const gateway = await db
    .selectFrom('gateway as g')
    .innerJoin('site as s', 's.id', 'g.site_id')
    .where((where) =>
      where.or([where('g.installed_product_id', '=', installedProductId), where('g.id', 'in', ofInstrument)]),
    )
    .select(['g.id', 'g.name', 'g.location', 'g.last_seen_at', 's.customer_id'])
    .executeTakeFirst()
  if (!gateway) return undefined
  const behind = await instruments(db, scope)
    .where('i.gateway_id', '=', gateway.id)
    .orderBy('i.installed_product_id')
    .select('i.installed_product_id')
    .execute()
  const isAtOwnSite = scope === 'all' || scope.includes(gateway.customer_id)
  if (!isAtOwnSite && behind.length === 0) return undefined
  return {
    name: gateway.name,
    instrumentIpids: behind.map(({ installed_product_id }) => installed_product_id),
    location: isAtOwnSite ? gateway.location : null,
    lastSeenAt: gateway.last_seen_at?.toISOString() ?? null,
  }
}

/** Returns one instrument by id or installed product ID, with its open events; undefined if the scope holds none. */
export async function readInstrument(
  db: Db,
  { id, scope, viewerId, now }: { id: string; scope: DataScope; viewerId: number; now: Date },
): Promise<(Instrument & { events: { alarm: ServiceEvent }[] }) | undefined> {
  return inTransaction(
    db,
    async (trx) => {
      const found = await instrumentNamed(trx, { id, scope }).select('i.id').executeTakeFirst()
      if (!found) return undefined
      const [instrument] = await readInstruments(trx, { ids: [found.id], scope, now })
      if (!instrument) return undefined
      const events = await readOpenEvents(trx, { instrumentId: found.id, scope, viewerId, limit: SHOWN_EVENTS })
      return { ...instrument, events: events.map((alarm) => ({ alarm })) }
    },
    { isSnapshot: true },
  )
}

/** Returns one page of the instruments that match a search with the total number, both from one snapshot. */
export async function listInstruments(
  db: Db,
  { search, scope, page: { limit, offset, ...order }, now }: InstrumentListInput,
): Promise<{ values: Instrument[]; total: { instruments: number } }> {
  return inTransaction(
    db,
    async (trx) => {
      const matches = await resolveInstrumentSearch(trx, { search, scope, now })
      const count = await countOf(trx, { matches, scope })
      const ids = await readPage(trx, { matches, scope, order, rows: { limit, offset, count } })
      const values = await readInstruments(trx, { ids, scope, now })
      return { values, total: { instruments: count } }
    },
    { isSnapshot: true },
  )
}

/** Returns how many instruments each search finds, all of one moment. */
export async function countInstruments(
  db: Db,
  { searches, scope, now }: { searches: readonly InstrumentSearch[]; scope: DataScope; now: Date },
): Promise<number[]> {
  return inTransaction(
    db,
    async (trx) => {
      const counts: number[] = []
      for (const search of searches) {
        const matches = await resolveInstrumentSearch(trx, { search, scope, now })
        counts.push(await countOf(trx, { matches, scope }))
      }
      return counts
    },
    { isSnapshot: true },
  )
}

/** Returns a page of the active and future maintenance of the instruments that a keyword finds, all of one moment. */
export async function listPlannedMaintenance(
  db: Db,
  {
    keyword,
    scope,
    now,
    ...page
  }: { keyword: string | undefined; scope: DataScope; now: Date; limit: number; offset: number },
): Promise<{ values: PlannedMaintenance[]; total: number }> {
  return inTransaction(
    db,
    async (trx) => {
      const matches = await resolveInstrumentSearch(trx, { search: { filter: {}, keyword }, scope, now })
      const found = instruments(trx, scope).where(matches).select('i.id')
      const { rows, total } = await readPlanned(trx, { instruments: sql`${found}`, now, ...page })
      const ids = [...new Set(rows.map(({ instrumentId }) => instrumentId))]
      const byId = new Map((await readInstruments(trx, { ids, scope, now })).map((one) => [Number(one.id), one]))
      const values = rows.flatMap(({ instrumentId, maintenanceId, plannedBy, plannedAt }) => {
        const instrument = byId.get(instrumentId)
        const maintenance = instrument?.maintenances.find(({ id }) => id === String(maintenanceId))
        return instrument && maintenance
          ? [{ maintenance, plannedBy, plannedAt: plannedAt.toISOString(), instrument }]
          : []
      })
      return { values, total }
    },
    { isSnapshot: true },
  )
}

async function countOf(trx: Trx, { matches, scope }: Matching): Promise<number> {
  const { count } = await instruments(trx, scope)
    .where(matches)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Returns the ids on a page, read from the nearer end: the last ids in one order are the first in the other, and those
 * are found without sorting the rest (last page of 50,000 texts: 50 ms from the front).
 */
async function readPage(
  trx: Trx,
  {
    rows: { limit, offset, count },
    order,
    ...matching
  }: Matching & { order: InstrumentOrder; rows: { limit: number; offset: number; count: number } },
): Promise<number[]> {
  const length = Math.min(limit, count - offset)
  if (length <= 0) return []
  const isNearEnd = offset + length > count / 2
  const direction = isNearEnd === (order.order === 'ASC') ? 'DESC' : 'ASC'
  const rows = await instrumentsInOrder(trx, { ...matching, order: { ...order, order: direction } })
    .limit(length)
    .offset(isNearEnd ? count - offset - length : offset)
    .execute()
  const ids = rows.map(({ id }) => id)
  return isNearEnd ? ids.toReversed() : ids
}

/** Returns the families of the instruments in scope, in the order of the tabs. */
export async function listFamilies(db: Db, scope: DataScope): Promise<string[]> {
  const rows = await instruments(db, scope)
    .innerJoin('instrument_type as t', 't.key', 'i.type')
    .select('t.family')
    .distinct()
    .execute()
  const found = new Set(rows.map(({ family }) => family))
  const { families } = await readInstrumentTypes(db)
  return families.map(({ key }) => key).filter((key) => found.has(key))
}

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
      const statuses = await readStatusSpans(trx, visible)
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
async function readStatusSpans(
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
