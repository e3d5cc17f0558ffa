import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import { fold } from '../../db/fold.ts'
import { inHistory, NO_RUN, reportedRun, reportsRun } from '../../db/runs.ts'
import { whenStored } from '../events/around/surroundings.queries.ts'
import type { StatusReport } from './statuses.store.ts'

/** A run by its name and the customer that it belongs to. */
export interface RunName {
  customerId: number
  name: string
}

export function runKey({ customerId, name }: RunName): string {
  return `${customerId} ${name}`
}

/** Returns the id of each run by its `runKey`; new ones are added. */
export async function runIds(trx: Trx, runs: readonly RunName[]): Promise<Map<string, number>> {
  if (runs.length === 0) return new Map()
  const distinct = [...new Map(runs.map((run) => [runKey(run), run])).values()]
  const known = await readRunIds(trx, distinct)
  const unknown = distinct.filter((run) => !known.has(runKey(run)))
  if (unknown.length === 0) return known
  // Another transaction may add the same run in the meantime: the insert waits for it, and the next read finds it.
  await sql`
    INSERT INTO run (customer_id, name, name_folded)
    SELECT * FROM unnest(${unknown.map(({ customerId }) => customerId)}::int[],
      ${unknown.map(({ name }) => name)}::text[], ${unknown.map(({ name }) => fold(name))}::text[]) AS n (customer_id, name, folded)
    ORDER BY 1, 2 ON CONFLICT (customer_id, name) DO NOTHING`.execute(trx)
  return readRunIds(trx, distinct)
}

async function readRunIds(trx: Trx, runs: readonly RunName[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; customerId: number; name: string }>`
    SELECT r.id, r.customer_id AS "customerId", r.name FROM run r
    JOIN unnest(${runs.map(({ customerId }) => customerId)}::int[], ${runs.map(({ name }) => name)}::text[])
      AS n (customer_id, name) ON n.customer_id = r.customer_id AND n.name = r.name`.execute(trx)
  return new Map(rows.map((row) => [runKey(row), row.id]))
}

/** An event whose run was set or taken away after it was raised. */
interface ReassignedEvent {
  id: number
  version: number
  customerId: number
  instrumentId: number
  run: string | null
}

interface CurrentRun {
  instrumentId: number
  run: string | null
  runSince: Date | null
}

/** The same as `reportsRun`, of a status that is not stored yet. */
function isReportingRun({ runId, status }: StatusReport): boolean {
  return runId !== null || (status !== 'Unknown' && status !== 'disconnected')
}

/**
 * Applies stored statuses to the runs of their instruments. Where one begins or ends a run, the events that happened
 * until the next change get the run that was on: a gateway sends alarms before statuses, so they are often there first.
 */
export async function followRuns(
  trx: Trx,
  reports: readonly StatusReport[],
): Promise<{ current: CurrentRun[]; events: ReassignedEvent[] }> {
  const changes = await readChanges(trx, reports.filter(isReportingRun))
  if (changes.length === 0) return { current: [], events: [] }
  return { current: await storeCurrent(trx, changes), events: await reassignEvents(trx, changes) }
}

/** From one status up to the next that differs, this run is in progress, or none. */
interface RunChange {
  instrumentId: number
  runId: number | null
  from: Date
  /** Null if nothing later is known. */
  until: Date | null
}

async function readChanges(trx: Trx, reports: readonly StatusReport[]): Promise<RunChange[]> {
  if (reports.length === 0) return []
  const position = sql`(g.at, g.epoch, g.sequence)`
  const { rows } = await sql<RunChange>`
    SELECT g.instrument_id AS "instrumentId", g.run_id AS "runId", g.at AS "from", later.at AS "until"
    FROM unnest(
      ${reports.map(({ instrumentId }) => instrumentId)}::int[], ${reports.map(({ at }) => at.toISOString())}::timestamptz(3)[],
      ${reports.map(({ epoch }) => epoch)}::int[], ${reports.map(({ sequence }) => sequence)}::bigint[],
      ${reports.map(({ runId }) => (runId === NO_RUN ? null : runId))}::int[]) AS g (instrument_id, at, epoch, sequence, run_id)
    LEFT JOIN LATERAL (
      SELECT ${reportedRun} AS run_id FROM instrument_status_history h
      WHERE h.instrument_id = g.instrument_id AND ${inHistory} < ${position} AND ${reportsRun}
      ORDER BY h.at DESC, h.epoch DESC, h.sequence DESC LIMIT 1) AS before ON true
    LEFT JOIN LATERAL (
      SELECT h.at FROM instrument_status_history h
      WHERE h.instrument_id = g.instrument_id AND ${inHistory} > ${position} AND ${reportsRun}
        AND ${reportedRun} IS DISTINCT FROM g.run_id
      ORDER BY h.at, h.epoch, h.sequence LIMIT 1) AS later ON true
    WHERE before.run_id IS DISTINCT FROM g.run_id`.execute(trx)
  return rows
}

/** Stores the run that the last status of each instrument names, with its beginning. Returns those that changed. */
async function storeCurrent(trx: Trx, changes: readonly RunChange[]): Promise<CurrentRun[]> {
  const { rows } = await sql<CurrentRun>`
    WITH reported AS MATERIALIZED (
      SELECT n.instrument_id, last.run_id, began.at AS since, owned.customer_id
      FROM (SELECT DISTINCT unnest(${changes.map(({ instrumentId }) => instrumentId)}::int[]) AS instrument_id) AS n
      JOIN instrument owned ON owned.id = n.instrument_id
      CROSS JOIN LATERAL (
        SELECT ${reportedRun} AS run_id FROM instrument_status_history h
        WHERE h.instrument_id = n.instrument_id AND ${reportsRun}
        ORDER BY h.at DESC, h.epoch DESC, h.sequence DESC LIMIT 1) AS last
      LEFT JOIN LATERAL (
        SELECT h.at, h.epoch, h.sequence FROM instrument_status_history h
        WHERE h.instrument_id = n.instrument_id AND ${reportsRun} AND ${reportedRun} IS DISTINCT FROM last.run_id
        ORDER BY h.at DESC, h.epoch DESC, h.sequence DESC LIMIT 1) AS other ON true
      CROSS JOIN LATERAL (
        SELECT h.at FROM instrument_status_history h
        WHERE h.instrument_id = n.instrument_id AND ${reportsRun} AND h.at >= coalesce(other.at, '-infinity')
          AND (other.at IS NULL OR ${inHistory} > (other.at, other.epoch, other.sequence))
        ORDER BY h.at, h.epoch, h.sequence LIMIT 1) AS began
    )
    UPDATE instrument i SET run_id = reported.run_id, run_since = reported.since
    FROM reported LEFT JOIN run r ON r.id = reported.run_id AND r.customer_id = reported.customer_id
    WHERE i.id = reported.instrument_id AND (i.run_id, i.run_since) IS DISTINCT FROM (reported.run_id, reported.since)
    RETURNING i.id AS "instrumentId", r.name AS run, CASE WHEN r.id IS NOT NULL THEN i.run_since END AS "runSince"`.execute(
    trx,
  )
  return rows
}

/** Events of a former customer of the instrument keep what they have. */
async function reassignEvents(trx: Trx, changes: readonly RunChange[]): Promise<ReassignedEvent[]> {
  const stored = changes.map(({ from, until }) => ({
    from: whenStored({ start: from, stop: from }).from,
    to: until && whenStored({ start: from, stop: until }).to,
  }))
  const instants = (of: readonly (Date | null)[]) => of.map((at) => at?.toISOString() ?? 'infinity')
  const { rows } = await sql<ReassignedEvent>`
    WITH found AS MATERIALIZED (
      SELECT e.id, n.run_id FROM unnest(
        ${changes.map(({ instrumentId }) => instrumentId)}::int[], ${changes.map(({ runId }) => runId)}::int[],
        ${instants(changes.map(({ from }) => from))}::timestamptz[], ${instants(changes.map(({ until }) => until))}::timestamptz[],
        ${instants(stored.map(({ from }) => from))}::timestamptz[], ${instants(stored.map(({ to }) => to))}::timestamptz[]
      ) AS n (instrument_id, run_id, at, until, stored_from, stored_to)
      JOIN instrument i ON i.id = n.instrument_id
      JOIN service_event e ON e.instrument_id = n.instrument_id AND e.customer_id = i.customer_id
        AND e.created_at BETWEEN n.stored_from AND n.stored_to
        AND e.log_generated_at >= n.at AND e.log_generated_at < n.until AND e.run_id IS DISTINCT FROM n.run_id
      ORDER BY e.id FOR NO KEY UPDATE OF e
    )
    UPDATE service_event e SET run_id = found.run_id, version = e.version + 1
    FROM found LEFT JOIN run r ON r.id = found.run_id
    WHERE e.id = found.id
    RETURNING e.id, e.version, e.customer_id AS "customerId", e.instrument_id AS "instrumentId", r.name AS run`.execute(
    trx,
  )
  return rows
}
