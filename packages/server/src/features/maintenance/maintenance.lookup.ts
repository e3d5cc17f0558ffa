import type { Maintenance } from '@benchwatch/contract/instruments/maintenance'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../db/connect.ts'
import { windowIsOn } from '../../db/maintenance-windows.ts'
import type { LiveMaintenance } from './maintenance-plan.ts'

/**
 * Returns the active and future maintenances of these instruments, by instrument, each ordered by start. The caller
 * must have checked the scope.
 */
export async function readMaintenances(
  db: Db,
  selection: { instrumentIds: readonly number[]; now: Date },
): Promise<Map<number, Maintenance[]>> {
  const live = await readLive(db, selection)
  return new Map([...live].map(([instrumentId, some]) => [instrumentId, some.map(maintenanceOf)]))
}

/** Returns the same for the rules. */
export async function readLive(
  db: Db,
  { instrumentIds, now }: { instrumentIds: readonly number[]; now: Date },
): Promise<Map<number, LiveMaintenance[]>> {
  if (instrumentIds.length === 0) return new Map()
  const { rows } = await sql<LiveMaintenance & { instrumentId: number }>`
    SELECT m.instrument_id AS "instrumentId", m.id, w.start_at AS start, w.end_at AS end, m.reason, m.rrule,
      m.time_zone AS "timeZone"
    FROM maintenance m CROSS JOIN LATERAL ${windowShown(now)} AS w
    WHERE m.instrument_id = ANY(${[...instrumentIds]}::int[]) AND m.ended_at IS NULL
    ORDER BY w.start_at, m.id`.execute(db)
  return Map.groupBy(rows, ({ instrumentId }) => instrumentId)
}

/** The active window of maintenance `m`, else its next one; no row if all are over. */
function windowShown(now: Date): RawBuilder<{ start_at: Date; end_at: Date | null }> {
  return sql`(SELECT w.start_at, w.end_at FROM maintenance_window w
    WHERE w.maintenance_id = m.id AND (w.end_at IS NULL OR w.end_at > ${now})
    ORDER BY w.start_at LIMIT 1)`
}

/** An active or future maintenance by its ids, and who set it. */
export interface PlannedRow {
  instrumentId: number
  maintenanceId: number
  plannedBy: string | null
  plannedAt: Date
}

/**
 * Returns a page of the active and future maintenances of these instruments, ordered by start, and their total number.
 * `instruments` is a query of instrument ids within the caller's scope.
 */
export async function readPlanned(
  trx: Trx,
  { instruments, now, limit, offset }: { instruments: RawBuilder<unknown>; now: Date; limit: number; offset: number },
): Promise<{ rows: PlannedRow[]; total: number }> {
  // The first line leaves out single windows that are over, which are most of the table.
  const planned = sql`maintenance m CROSS JOIN LATERAL ${windowShown(now)} AS w
    WHERE m.ended_at IS NULL AND (m.rrule IS NOT NULL OR m.end_at IS NULL OR m.end_at > ${now})
      AND m.instrument_id IN (${instruments})`
  const { rows: counted } = await sql<{ total: number }>`SELECT count(*)::int AS total FROM ${planned}`.execute(trx)
  // A maintenance is written in the transaction of its entry in the audit log, with the same time.
  const { rows } = await sql<PlannedRow>`
    SELECT p.instrument_id AS "instrumentId", p.id AS "maintenanceId", p.created_at AS "plannedAt",
      (SELECT a.actor_name FROM audit a
        WHERE a.entity_type = 'instrument' AND a.entity_id = p.instrument_id::text AND a.property = 'maintenances'
          AND a.at = p.created_at AND a.new_value::jsonb @> jsonb_build_array(jsonb_build_object('id', p.id::text))
        ORDER BY a.entity_seq LIMIT 1) AS "plannedBy"
    FROM (SELECT m.id, m.instrument_id, m.created_at, w.start_at FROM ${planned}
      ORDER BY w.start_at, m.id LIMIT ${limit} OFFSET ${offset}) AS p
    ORDER BY p.start_at, p.id`.execute(trx)
  return { rows, total: counted[0]?.total ?? 0 }
}

export function maintenanceOf({ id, start, end, reason, rrule, timeZone }: LiveMaintenance): Maintenance {
  return {
    id: String(id),
    start: start.toISOString(),
    end: end?.toISOString() ?? null,
    reason,
    rrule,
    timeZone,
  }
}

/** Returns those of these instruments that are in maintenance now. */
export async function instrumentsInMaintenance(
  db: Db,
  { instrumentIds, now }: { instrumentIds: readonly number[]; now: Date },
): Promise<Set<number>> {
  if (instrumentIds.length === 0) return new Set()
  const { rows } = await sql<{ instrument_id: number }>`
    SELECT DISTINCT w.instrument_id FROM maintenance_window w
    WHERE w.instrument_id = ANY(${[...instrumentIds]}::int[]) AND ${windowIsOn(now)}`.execute(db)
  return new Set(rows.map(({ instrument_id }) => instrument_id))
}

/** A maintenance window, possibly past. */
export interface StoredWindow {
  maintenanceId: number
  start: Date
  end: Date | null
  reason: string | null
}

/**
 * Returns the windows of an instrument that overlap start ≤ t < stop, ordered by start; the last `limit` if there are
 * more.
 */
export async function readWindows(
  db: Db,
  { instrumentId, start, stop, limit }: { instrumentId: number; start: Date; stop: Date; limit: number },
): Promise<StoredWindow[]> {
  const { rows } = await sql<StoredWindow>`
    SELECT w.maintenance_id AS "maintenanceId", w.start_at AS start, w.end_at AS end, m.reason
    FROM maintenance_window w JOIN maintenance m ON m.id = w.maintenance_id
    WHERE w.instrument_id = ${instrumentId} AND w.start_at < ${stop} AND (w.end_at IS NULL OR w.end_at > ${start})
    ORDER BY w.start_at DESC, w.maintenance_id DESC LIMIT ${limit}`.execute(db)
  return rows.toReversed()
}
