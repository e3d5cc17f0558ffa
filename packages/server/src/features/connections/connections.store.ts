import type { InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../db/connect.ts'
import { windowIsOn } from '../../db/maintenance-windows.ts'
import { instruments, isOpen, serviceEvents } from '../../db/scoped.ts'

/** A gateway whose connection was lost or restored, locked for the transaction. */
export interface ChangedGateway {
  id: number
  name: string
  lastSeenAt: Date
  silentSince: Date | null
}

/** An instrument behind a gateway, locked for the transaction. */
export type BehindGateway = Awaited<ReturnType<typeof lockBehind>>[number]

/** Locks the instruments behind these gateways that have one of these ORC statuses, in order of ids as ingest does. */
export async function lockBehind(
  trx: Trx,
  { gatewayIds, orcStatuses }: { gatewayIds: readonly number[]; orcStatuses: readonly OrcStatus[] },
) {
  if (gatewayIds.length === 0) return []
  const rows = await instruments(trx, 'all')
    .where('i.gateway_id', 'in', [...gatewayIds])
    .where('i.orc_status', 'in', [...orcStatuses])
    .orderBy('i.id')
    .select([
      'i.id',
      'i.installed_product_id as installedProductId',
      'i.customer_id as customerId',
      'i.gateway_id as gatewayId',
      'i.status',
      'i.status_at as statusAt',
      'i.orc_status as orcStatus',
      'i.unknown_at as unknownAt',
    ])
    .forNoKeyUpdate()
    .execute()
  return rows.flatMap(({ gatewayId, ...row }) => (gatewayId === null ? [] : [{ ...row, gatewayId }]))
}

/** Connection state of an instrument from `at` on. */
export interface Connection {
  id: number
  orcStatus: OrcStatus
  unknownAt: Date | null
  at: Date
}

/** Writes the connection states of instruments, and keeps them for the timelines. */
export async function writeConnections(trx: Trx, connections: readonly Connection[]): Promise<void> {
  if (connections.length === 0) return
  const of = <T>(pick: (connection: Connection) => T) => connections.map(pick)
  await sql`
    UPDATE instrument i SET orc_status = n.orc_status, unknown_at = n.unknown_at
    FROM unnest(${of(({ id }) => id)}::int[], ${of(({ orcStatus }) => orcStatus)}::text[],
      ${of(({ unknownAt }) => unknownAt)}::timestamptz[]) AS n (id, orc_status, unknown_at)
    WHERE i.id = n.id`.execute(trx)
  await sql`
    INSERT INTO orc_status_history (instrument_id, at, orc_status)
    SELECT * FROM unnest(${of(({ id }) => id)}::int[], ${of(({ at }) => at)}::timestamptz[],
      ${of(({ orcStatus }) => orcStatus)}::text[])
    ON CONFLICT (instrument_id, at) DO UPDATE SET orc_status = excluded.orc_status`.execute(trx)
}

/** A lost connection, and the alert id under which its event is raised once. */
export interface LostConnection {
  alertId: string
  gatewayId: number
  gatewayName: string
  installedProductId: string
  siteId: number
  customerId: number
  lostAt: Date
  /** Null for a gateway. */
  instrument: {
    id: number
    name: string
    status: InstrumentStatus
    duringMaintenance: boolean
    contract: { slaTerm: string | null; startDate: string | null; endDate: string | null } | null
    timeZone: string
  } | null
}

/** Template id of events about lost connections of instruments; they have no component, and latch by this id. */
export const OFFLINE_TEMPLATE = 'OFFLINE-1001'
export const EDGE_TEMPLATE = 'EDGE-1001'

const lostStatuses: readonly OrcStatus[] = ['Disconnected', 'Edge Issue']

const alertId = (kind: 'EDGE' | 'OFFLINE', id: string, at: string) =>
  sql<string>`${sql.ref(id)} || ${`-${kind}-`}::text || floor(extract(epoch FROM ${sql.ref(at)}) * 1000)::int8`

/**
 * Locks the gateways that have been silent since `before` and have no event about it yet, in order of ids. Checks them
 * again under the lock: a gateway may have returned during the wait.
 */
export async function lockUnraisedGateways(trx: Trx, before: Date): Promise<LostConnection[]> {
  const raised = serviceEvents(trx, 'all')
    .where('e.is_edge_issue', '=', true)
    .where(sql<boolean>`e.gateway_id = g.id`)
    .where('e.alert_id', '=', alertId('EDGE', 'g.installed_product_id', 'g.silent_since'))
    .select('e.id')
  const unraised = trx
    .selectFrom('gateway as g')
    .where('g.silent_since', '<=', before)
    .where((where) => where.not(where.exists(raised)))
    .orderBy('g.id')
  const ids = (await unraised.select('g.id').execute()).map(({ id }) => id)
  if (ids.length === 0) return []
  await trx.selectFrom('gateway').where('id', 'in', ids).orderBy('id').select('id').forNoKeyUpdate().execute()
  const rows = await unraised
    .where('g.id', 'in', ids)
    .innerJoin('site as s', 's.id', 'g.site_id')
    .select([
      alertId('EDGE', 'g.installed_product_id', 'g.silent_since').as('alertId'),
      'g.id as gatewayId',
      'g.name as gatewayName',
      'g.installed_product_id as installedProductId',
      's.id as siteId',
      's.customer_id as customerId',
      sql<Date>`g.silent_since`.as('lostAt'),
    ])
    .execute()
  return rows.map((row) => ({ ...row, instrument: null }))
}

/**
 * Locks the instruments that have been disconnected since `before` and have no event about it yet, in order of ids as
 * ingest and the back office do, and checks them again under the lock.
 */
export async function lockUnraisedInstruments(trx: Trx, before: Date): Promise<LostConnection[]> {
  const raised = serviceEvents(trx, 'all')
    .where(sql<boolean>`e.instrument_id = i.id`)
    .where('e.alert_id', '=', alertId('OFFLINE', 'i.installed_product_id', 'i.unknown_at'))
    .where('e.cleared_at', 'is', null)
    .select('e.id')
  const unraised = instruments(trx, 'all')
    .where('i.orc_status', '=', 'Disconnected')
    .where('i.unknown_at', '<=', before)
    .where((where) => where.not(where.exists(raised)))
  const ids = (await unraised.select('i.id').execute()).map(({ id }) => id)
  if (ids.length === 0) return []
  await instruments(trx, 'all').where('i.id', 'in', ids).orderBy('i.id').select('i.id').forNoKeyUpdate().execute()
  return readLostOf(unraised.where('i.id', 'in', ids))
}

/** Returns this instrument if its connection is lost, including through a silent gateway; otherwise undefined. */
export async function readLost(db: Db, instrumentId: number): Promise<LostConnection | undefined> {
  const [lost] = await readLostOf(
    instruments(db, 'all')
      .where('i.id', '=', instrumentId)
      .where('i.orc_status', 'in', lostStatuses)
      .where('i.unknown_at', 'is not', null),
  )
  return lost
}

async function readLostOf(selected: ReturnType<typeof instruments>): Promise<LostConnection[]> {
  const rows = await selected
    .innerJoin('site as s', 's.id', 'i.site_id')
    .innerJoin('gateway as g', 'g.id', 'i.gateway_id')
    .leftJoin('contract as k', 'k.id', 'i.contract_id')
    .orderBy('i.id')
    .select([
      alertId('OFFLINE', 'i.installed_product_id', 'i.unknown_at').as('alertId'),
      'g.id as gatewayId',
      'g.name as gatewayName',
      'i.installed_product_id as installedProductId',
      'i.site_id as siteId',
      'i.customer_id as customerId',
      sql<Date>`i.unknown_at`.as('lostAt'),
      'i.id as instrumentId',
      'i.product_description as name',
      'i.status',
      's.time_zone as timeZone',
      'k.id as contractId',
      'k.sla_term as slaTerm',
      'k.start_date as startDate',
      'k.end_date as endDate',
      sql<boolean>`EXISTS (SELECT 1 FROM maintenance_window w WHERE w.instrument_id = i.id
        AND ${windowIsOn(sql.ref('i.unknown_at'))})`.as('duringMaintenance'),
    ])
    .execute()
  return rows.map(
    ({ instrumentId, name, status, timeZone, contractId, slaTerm, startDate, endDate, duringMaintenance, ...row }) => ({
      ...row,
      instrument: {
        id: instrumentId,
        name,
        status,
        timeZone,
        duringMaintenance,
        contract: contractId === null ? null : { slaTerm, startDate, endDate },
      },
    }),
  )
}

/**
 * Locks the event about the lost connection of an instrument that is neither closed nor cleared, and returns its id;
 * undefined if there is none.
 */
export async function lockOpenOffline(
  trx: Trx,
  { instrumentId, customerId }: { instrumentId: number; customerId: number },
): Promise<number | undefined> {
  const row = await serviceEvents(trx, 'all')
    .where('e.instrument_id', '=', instrumentId)
    .where('e.template_id', '=', OFFLINE_TEMPLATE)
    .where('e.component_id', 'is', null)
    .where('e.customer_id', '=', customerId)
    // Must match the condition of the index literally.
    .where(sql<boolean>`${isOpen} AND e.cleared_at IS NULL`)
    .orderBy('e.id')
    .limit(1)
    .select('e.id')
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.id
}

/**
 * Returns the events about lost connections whose connection is back, of one instrument or of all instruments and
 * gateways: ids, oldest first. An instrument that reports the status Unknown is connected.
 */
export async function readRegained(db: Db, instrumentId?: number): Promise<number[]> {
  const all = serviceEvents(db, 'all')
  const rows = await (instrumentId === undefined ? all : all.where('e.instrument_id', '=', instrumentId))
    .leftJoin('instrument as i', 'i.id', 'e.instrument_id')
    .leftJoin('gateway as g', 'g.id', 'e.gateway_id')
    // Must match the condition of the index literally.
    .where(sql<boolean>`e.alert_source IN ('EDGE_ISSUE', 'OFFLINE') AND e.cleared_at IS NULL AND ${isOpen}`)
    .where(
      sql<boolean>`CASE e.alert_source
        WHEN 'EDGE_ISSUE' THEN e.alert_id LIKE g.installed_product_id || '-EDGE-%'
          AND e.alert_id IS DISTINCT FROM ${alertId('EDGE', 'g.installed_product_id', 'g.silent_since')}
        WHEN 'OFFLINE' THEN e.alert_id LIKE i.installed_product_id || '-OFFLINE-%'
          AND (i.unknown_at IS NULL OR i.orc_status <> ALL(${[...lostStatuses]}::text[])
            OR e.alert_id IS DISTINCT FROM ${alertId('OFFLINE', 'i.installed_product_id', 'i.unknown_at')})
        ELSE false END`,
    )
    .orderBy('e.id')
    .select('e.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Locks the gateways without a report since `before` that are not yet marked as silent, in order of ids. */
export function lockNewlySilent(trx: Trx, before: Date): Promise<ChangedGateway[]> {
  return lockGateways(trx, sql`silent_since IS NULL AND last_seen_at < ${before}`)
}

/** Locks the gateways that are marked as silent and have reported since `after`, in order of ids. */
export function lockReturned(trx: Trx, after: Date): Promise<ChangedGateway[]> {
  return lockGateways(trx, sql`silent_since < last_seen_at AND last_seen_at >= ${after}`)
}

/** Locks all gateways that are marked as silent, in order of ids. */
export function lockSilent(trx: Trx): Promise<ChangedGateway[]> {
  return lockGateways(trx, sql`silent_since IS NOT NULL`)
}

async function lockGateways(trx: Trx, which: RawBuilder<unknown>): Promise<ChangedGateway[]> {
  const { rows } = await sql<ChangedGateway>`
    SELECT id, name, last_seen_at AS "lastSeenAt", silent_since AS "silentSince"
    FROM gateway WHERE ${which} ORDER BY id FOR NO KEY UPDATE`.execute(trx)
  return rows
}

/**
 * Writes since when gateways have been silent, or that they report again, in their present state and in their uptime
 * history.
 */
export async function noteSilence(
  trx: Trx,
  gateways: readonly ({ id: number; silentSince: Date } | { id: number; silentSince: null; reportedAt: Date })[],
): Promise<void> {
  const begun = gateways.filter(({ silentSince }) => silentSince !== null)
  const ended = gateways.filter((one) => 'reportedAt' in one)
  await sql`
    INSERT INTO gateway_silence (gateway_id, since)
    SELECT * FROM unnest(${begun.map(({ id }) => id)}::int[], ${begun.map(({ silentSince }) => silentSince)}::timestamptz[])
    ON CONFLICT (gateway_id, since) DO UPDATE SET until = NULL`.execute(trx)
  await sql`
    UPDATE gateway_silence s SET until = greatest(s.since, n.reported_at)
    FROM unnest(${ended.map(({ id }) => id)}::int[], ${ended.map(({ reportedAt }) => reportedAt)}::timestamptz[])
      AS n (id, reported_at)
    WHERE s.gateway_id = n.id AND s.until IS NULL`.execute(trx)
  await sql`
    UPDATE gateway g SET silent_since = n.since
    FROM unnest(${gateways.map(({ id }) => id)}::int[], ${gateways.map(({ silentSince }) => silentSince)}::timestamptz[])
      AS n (id, since)
    WHERE g.id = n.id`.execute(trx)
}

/** Deletes silences of gateways that ended before this instant. */
export async function forgetSilences(db: Db, before: Date): Promise<void> {
  await sql`DELETE FROM gateway_silence WHERE until < ${before}`.execute(db)
}
