import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Trx } from '../../db/connect.ts'
import { instrumentNamed, instruments } from '../../db/scoped.ts'
import type { NewMaintenance } from './maintenance-plan.ts'
import { type Recurrence, windowAfter, windowsBetween } from './recurrence.ts'

/** Windows are planned this far ahead, and at least one. Timelines show them up to here. */
export const PLANNED_AHEAD_MS = 92 * 86_400_000

/** An instrument whose row is locked until the transaction ends, so that no other request changes its maintenance. */
export interface LockedInstrument {
  id: number
  installedProductId: string
  customerId: number
}

/** Returns undefined if no instrument in scope has this id or installed product id. */
export async function lockInstrument(
  trx: Trx,
  named: { id: string; scope: DataScope },
): Promise<LockedInstrument | undefined> {
  return instrumentNamed(trx, named)
    .select(['i.id', 'i.installed_product_id as installedProductId', 'i.customer_id as customerId'])
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Ends active windows at `at` and removes future ones. */
export async function endMaintenances(trx: Trx, { ids, at }: { ids: readonly number[]; at: Date }): Promise<void> {
  if (ids.length === 0) return
  const some = sql`${[...ids]}::int[]`
  await sql`DELETE FROM maintenance_window WHERE maintenance_id = ANY(${some}) AND start_at >= ${at}`.execute(trx)
  await sql`UPDATE maintenance_window SET end_at = ${at}
    WHERE maintenance_id = ANY(${some}) AND (end_at IS NULL OR end_at > ${at})`.execute(trx)
  await sql`UPDATE maintenance SET ended_at = ${at} WHERE id = ANY(${some})`.execute(trx)
}

/** Ends the former customer's maintenances when instruments move to another customer. */
export async function endMaintenancesOf(trx: Trx, instrumentIds: readonly number[], at: Date): Promise<void> {
  if (instrumentIds.length === 0) return
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM maintenance WHERE instrument_id = ANY(${[...instrumentIds]}::int[]) AND ended_at IS NULL`.execute(
    trx,
  )
  await endMaintenances(trx, { ids: rows.map(({ id }) => id), at })
}

/** Changes end or reason of a single window. */
export async function updateMaintenance(
  trx: Trx,
  { id, end, reason }: { id: number; end: Date | null; reason: string | null },
): Promise<void> {
  await sql`UPDATE maintenance SET end_at = ${end}, reason = ${reason} WHERE id = ${id}`.execute(trx)
  await sql`UPDATE maintenance_window SET end_at = ${end} WHERE maintenance_id = ${id}`.execute(trx)
}

export async function updateReason(trx: Trx, { id, reason }: { id: number; reason: string | null }): Promise<void> {
  await sql`UPDATE maintenance SET reason = ${reason} WHERE id = ${id}`.execute(trx)
}

/** Adds a maintenance with its window; for a recurrence rule, with all windows of the planning period. */
export async function addMaintenance(
  trx: Trx,
  { instrumentId, input, now }: { instrumentId: number; input: NewMaintenance; now: Date },
): Promise<void> {
  const { id } = await trx
    .insertInto('maintenance')
    .values({
      instrument_id: instrumentId,
      start_at: input.start,
      end_at: input.end,
      reason: input.reason,
      rrule: input.rrule,
      time_zone: input.timeZone,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (input.rrule === null || input.timeZone === null || input.end === null) {
    await insertWindows(trx, { id, instrumentId, windows: [input] })
    return
  }
  const { rrule, timeZone, start, end } = input
  await planAhead(trx, { id, instrumentId, recurrence: { rrule, timeZone, start, end }, plannedUntil: start, now })
}

/** A recurring maintenance and the time up to which its windows are planned. */
export interface RuleToPlan {
  id: number
  instrumentId: number
  recurrence: Recurrence
  /** Null once the last window is planned. */
  plannedUntil: Date | null
  now: Date
}

/**
 * Plans the windows of a rule up to PLANNED_AHEAD_MS from now, at least the next one, and stores until when that
 * window is shown.
 */
export async function planAhead(
  trx: Trx,
  { id, instrumentId, recurrence, plannedUntil, now }: RuleToPlan,
): Promise<void> {
  const next = windowAfter(recurrence, now)
  let planned: Date | null = null
  if (next && plannedUntil) {
    const beyondNext = next.start.getTime() + 1
    planned = new Date(Math.max(now.getTime() + PLANNED_AHEAD_MS, beyondNext))
    await insertWindows(trx, {
      id,
      instrumentId,
      windows: windowsBetween(recurrence, { from: plannedUntil, until: planned }),
    })
    if (!windowAfter(recurrence, planned)) planned = null
  }
  await trx
    .updateTable('maintenance')
    .set({ planned_until: planned, shown_until: next?.end ?? null, ...(!next && { ended_at: now }) })
    .where('id', '=', id)
    .execute()
}

async function insertWindows(
  trx: Trx,
  {
    id,
    instrumentId,
    windows,
  }: { id: number; instrumentId: number; windows: readonly Pick<NewMaintenance, 'start' | 'end'>[] },
): Promise<void> {
  await sql`
    INSERT INTO maintenance_window (maintenance_id, instrument_id, start_at, end_at)
    SELECT ${id}, ${instrumentId}, w.start_at, w.end_at
    FROM unnest(${windows.map(({ start }) => start)}::timestamptz[], ${windows.map(({ end }) => end)}::timestamptz[])
      AS w (start_at, end_at)
    ON CONFLICT DO NOTHING`.execute(trx)
}

/** Locks some instruments with rules that have a passed window or need planning, and returns their rules. */
export async function lockDueRules(
  trx: Trx,
  { now, limit }: { now: Date; limit: number },
): Promise<(LockedInstrument & { rules: Omit<RuleToPlan, 'now'>[]; hasPassed: boolean })[]> {
  const { rows: due } = await sql<{ instrument_id: number }>`
    SELECT DISTINCT instrument_id FROM maintenance
    WHERE rrule IS NOT NULL AND ended_at IS NULL AND (shown_until <= ${now} OR planned_until < ${replanBefore(now)})
    ORDER BY instrument_id LIMIT ${limit}`.execute(trx)
  const ids = due.map(({ instrument_id }) => instrument_id)
  if (ids.length === 0) return []
  const locked = await lockInstruments(trx, ids)
  const { rows } = await sql<{
    id: number
    instrument_id: number
    rrule: string
    time_zone: string
    start_at: Date
    end_at: Date
    planned_until: Date | null
    passed: boolean
  }>`
    SELECT id, instrument_id, rrule, time_zone, start_at, end_at, planned_until, shown_until <= ${now} AS passed
    FROM maintenance
    WHERE instrument_id = ANY(${ids}::int[]) AND rrule IS NOT NULL AND ended_at IS NULL
      AND (shown_until <= ${now} OR planned_until < ${replanBefore(now)})
    ORDER BY id`.execute(trx)
  return locked.map((instrument) => {
    const own = rows.filter(({ instrument_id }) => instrument_id === instrument.id)
    return {
      ...instrument,
      hasPassed: own.some(({ passed }) => passed),
      rules: own.map((row) => ({
        id: row.id,
        instrumentId: instrument.id,
        plannedUntil: row.planned_until,
        recurrence: { rrule: row.rrule, timeZone: row.time_zone, start: row.start_at, end: row.end_at },
      })),
    }
  })
}

/**
 * Returns the time below which a rule is planned again. A tenth of the planning period passes between two plannings.
 */
function replanBefore(now: Date): Date {
  return new Date(now.getTime() + 0.9 * PLANNED_AHEAD_MS)
}

/** Locks in order of id, like ingest. */
async function lockInstruments(trx: Trx, ids: readonly number[]): Promise<LockedInstrument[]> {
  return instruments(trx, 'all')
    .where('i.id', 'in', [...ids])
    .orderBy('i.id')
    .select(['i.id', 'i.installed_product_id as installedProductId', 'i.customer_id as customerId'])
    .forNoKeyUpdate()
    .execute()
}
