import type { InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

export interface StatusReport {
  instrumentId: number
  status: InstrumentStatus
  /** The gateway's clock. */
  at: Date
  epoch: number
  sequence: number
}

/**
 * Keeps every status in the history and brings each instrument to its newest, by the gateway's counting and never by
 * arrival. Returns the instruments whose status is another one now.
 */
export async function storeStatuses(
  trx: Db,
  { reports, now }: { reports: readonly StatusReport[]; now: Date },
): Promise<{ instrumentId: number; status: InstrumentStatus }[]> {
  if (reports.length === 0) return []
  const { rows } = await sql<{ instrumentId: number; status: InstrumentStatus }>`
    WITH given AS MATERIALIZED (
      SELECT * FROM unnest(
        ${reports.map(({ instrumentId }) => instrumentId)}::int[], ${reports.map(({ status }) => status)}::text[],
        ${reports.map(({ at }) => at.toISOString())}::timestamptz(3)[], ${reports.map(({ epoch }) => epoch)}::int[],
        ${reports.map(({ sequence }) => sequence)}::bigint[]) AS g (instrument_id, status, at, epoch, sequence)
    ), kept AS (
      INSERT INTO instrument_status_history (instrument_id, at, epoch, sequence, status, received_at)
      SELECT instrument_id, at, epoch, sequence, status, ${now} FROM given
      ON CONFLICT DO NOTHING
    ), newest AS (
      SELECT DISTINCT ON (instrument_id) * FROM given ORDER BY instrument_id, epoch DESC, sequence DESC
    ), before AS (
      SELECT i.id, i.status FROM instrument i JOIN newest n ON n.instrument_id = i.id
    )
    UPDATE instrument i SET status = n.status, status_at = n.at, status_epoch = n.epoch, status_sequence = n.sequence,
      unknown_at = CASE WHEN n.status = 'Unknown' THEN coalesce(i.unknown_at, n.at) END
    FROM newest n JOIN before b ON b.id = n.instrument_id
    WHERE i.id = n.instrument_id AND (i.status_epoch, i.status_sequence) < (n.epoch, n.sequence)
    RETURNING i.id AS "instrumentId", i.status, b.status IS DISTINCT FROM i.status AS changed`.execute(trx)
  return rows.filter((row) => (row as { changed?: boolean }).changed)
}

/** The first sign of an instrument ends its onboarding. Returns the ORC status of each as it is now. */
export async function noteFirstContact(
  trx: Db,
  { instrumentIds, now }: { instrumentIds: readonly number[]; now: Date },
): Promise<{ instrumentId: number; orcStatus: OrcStatus }[]> {
  if (instrumentIds.length === 0) return []
  const { rows } = await sql<{ instrumentId: number; orcStatus: OrcStatus }>`
    UPDATE instrument SET connected_at = ${now},
      orc_status = CASE orc_status WHEN 'Onboarding' THEN 'Connected' ELSE orc_status END
    WHERE id = ANY(${[...instrumentIds]}::int[]) AND connected_at IS NULL
    RETURNING id AS "instrumentId", orc_status AS "orcStatus"`.execute(trx)
  return rows
}
