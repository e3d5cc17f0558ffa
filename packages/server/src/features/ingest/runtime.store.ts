import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import { type CountedReport, newestReports } from './newest-reports.ts'

/** How long an instrument ran on one day of its site. */
export interface RuntimeReport extends CountedReport {
  instrumentId: number
  /** YYYY-MM-DD in the zone of the site. */
  day: string
  /** 0 to 86,400, whole. */
  seconds: number
}

/** Brings the run time of each day to what its gateway counted last, never to what arrived last. */
export async function storeRuntimes(trx: Trx, reports: readonly RuntimeReport[]): Promise<void> {
  if (reports.length === 0) return
  const newest = newestReports(reports, ({ instrumentId, day }) => `${instrumentId} ${day}`)
  const of = <T>(pick: (report: RuntimeReport) => T) => newest.map(pick)
  await sql`
    INSERT INTO runtime_day AS t (instrument_id, day, epoch, sequence, seconds)
    SELECT * FROM unnest(${of((one) => one.instrumentId)}::int[], ${of((one) => one.day)}::date[],
      ${of((one) => one.epoch)}::int[], ${of((one) => one.sequence)}::bigint[], ${of((one) => one.seconds)}::int[])
    ORDER BY 1, 2
    ON CONFLICT (instrument_id, day) DO UPDATE
    SET epoch = excluded.epoch, sequence = excluded.sequence, seconds = excluded.seconds
    WHERE (t.epoch, t.sequence) < (excluded.epoch, excluded.sequence)`.execute(trx)
}
