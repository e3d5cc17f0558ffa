import type { InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import type { CountedReport } from './read-items.ts'

export interface StatusReport extends CountedReport {
  instrumentId: number
  status: InstrumentStatus
  reason: string | null
  /** The run that it names; `NO_RUN` if it says that there is none, null if it names none. */
  runId: number | null
  /** When it began, by the clock that dates the alarms of the instrument. */
  at: Date
  /** When it was reported, by the gateway's clock. */
  reportedAt: Date
}

/**
 * Stores every status in the history and updates each instrument to its newest, by the gateway's sequence and never by
 * arrival. An instrument that its gateway does not reach is Disconnected; with any other report it is connected.
 * Returns the instruments that changed; undefined properties did not.
 */
export async function storeStatuses(trx: Trx, { reports, now }: { reports: readonly StatusReport[]; now: Date }) {
  if (reports.length === 0) return []
  const { rows } = await sql<StoredStatus>`
    WITH given AS MATERIALIZED (
      SELECT * FROM unnest(
        ${reports.map(({ instrumentId }) => instrumentId)}::int[], ${reports.map(({ status }) => status)}::text[],
        ${reports.map(({ reason }) => reason)}::text[], ${reports.map(({ at }) => at.toISOString())}::timestamptz(3)[],
        ${reports.map(({ reportedAt }) => reportedAt.toISOString())}::timestamptz(3)[], ${reports.map(({ epoch }) => epoch)}::int[],
        ${reports.map(({ sequence }) => sequence)}::bigint[], ${reports.map(({ runId }) => runId)}::int[])
        AS g (instrument_id, status, reason, at, reported_at, epoch, sequence, run_id)
    ), kept AS (
      INSERT INTO instrument_status_history (instrument_id, at, epoch, sequence, status, received_at, run_id)
      SELECT instrument_id, at, epoch, sequence, status, ${now}, run_id FROM given
      ON CONFLICT DO NOTHING
    ), newest AS (
      SELECT DISTINCT ON (instrument_id) * FROM given ORDER BY instrument_id, epoch DESC, sequence DESC
    ), before AS (
      SELECT i.id, i.status, i.orc_status, i.unknown_at, i.status_reason FROM instrument i JOIN newest n ON n.instrument_id = i.id
    )
    UPDATE instrument i SET status = n.status, status_reason = n.reason, status_at = n.reported_at, status_epoch = n.epoch, status_sequence = n.sequence,
      orc_status = CASE WHEN i.orc_status = 'Onboarding' THEN i.orc_status WHEN n.status = 'disconnected' THEN 'Disconnected'
        ELSE 'Connected' END,
      unknown_at = CASE WHEN n.status IN ('Unknown', 'disconnected') THEN coalesce(i.unknown_at, n.reported_at) END
    FROM newest n JOIN before b ON b.id = n.instrument_id
    WHERE i.id = n.instrument_id AND (i.status_epoch, i.status_sequence) < (n.epoch, n.sequence)
    RETURNING i.id AS "instrumentId", i.status, b.status <> i.status AS "statusChanged",
      i.orc_status AS "orcStatus", b.orc_status <> i.orc_status AS "orcChanged",
      i.unknown_at AS "unknownAt", b.unknown_at IS DISTINCT FROM i.unknown_at AS "unknownChanged",
      i.status_reason AS "statusReason", b.status_reason IS DISTINCT FROM i.status_reason AS "reasonChanged"`.execute(
    trx,
  )
  await noteConnections(trx, {
    at: now,
    changes: rows.filter(({ orcChanged }) => orcChanged),
  })
  return rows
    .filter((row) => row.statusChanged || row.orcChanged || row.unknownChanged || row.reasonChanged)
    .map((row) => ({
      instrumentId: row.instrumentId,
      status: row.statusChanged ? row.status : undefined,
      orcStatus: row.orcChanged ? row.orcStatus : undefined,
      unknownAt: row.unknownChanged ? row.unknownAt : undefined,
      statusReason: row.reasonChanged ? row.statusReason : undefined,
    }))
}

/** Stores connection changes of instruments for their timelines; the last one of a millisecond counts. */
export async function noteConnections(
  trx: Trx,
  { changes, at }: { changes: readonly { instrumentId: number; orcStatus: OrcStatus }[]; at: Date },
): Promise<void> {
  if (changes.length === 0) return
  await sql`
    INSERT INTO orc_status_history (instrument_id, at, orc_status)
    SELECT c.id, ${at}, c.orc_status
    FROM unnest(${changes.map(({ instrumentId }) => instrumentId)}::int[],
      ${changes.map(({ orcStatus }) => orcStatus)}::text[]) AS c (id, orc_status)
    ON CONFLICT (instrument_id, at) DO UPDATE SET orc_status = excluded.orc_status`.execute(trx)
}

interface StoredStatus {
  instrumentId: number
  status: InstrumentStatus
  statusChanged: boolean
  orcStatus: OrcStatus
  orcChanged: boolean
  unknownAt: Date | null
  unknownChanged: boolean
  statusReason: string | null
  reasonChanged: boolean
}

/** Ends the onboarding of instruments at their first report. Returns the current ORC status of each. */
export async function noteFirstContact(
  trx: Trx,
  { instrumentIds, now }: { instrumentIds: readonly number[]; now: Date },
): Promise<{ instrumentId: number; orcStatus: OrcStatus }[]> {
  if (instrumentIds.length === 0) return []
  const { rows } = await sql<{ instrumentId: number; orcStatus: OrcStatus }>`
    UPDATE instrument SET connected_at = ${now},
      orc_status = CASE orc_status WHEN 'Onboarding' THEN 'Connected' ELSE orc_status END
    WHERE id = ANY(${[...instrumentIds]}::int[]) AND connected_at IS NULL
    RETURNING id AS "instrumentId", orc_status AS "orcStatus"`.execute(trx)
  await noteConnections(trx, { changes: rows, at: now })
  return rows
}
