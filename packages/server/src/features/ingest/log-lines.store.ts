import type { LogType } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'

export interface NewLogLine {
  instrumentId: number
  logType: LogType
  timestamp: Date
  message: string
  module?: string | null | undefined
  level?: string | null | undefined
  eventCode?: string | null | undefined
  userName?: string | null | undefined
  hostname?: string | null | undefined
}

/**
 * Appends log lines in the order given, which is also the order of lines with the same time stamp. An empty text beside
 * the message says nothing: it is null (wire 1), or a log would be offered of a computer without a name.
 */
export async function appendLogLines(
  trx: Trx,
  { lines, now }: { lines: readonly NewLogLine[]; now: Date },
): Promise<void> {
  if (lines.length === 0) return
  const of = <T>(pick: (line: NewLogLine) => T) => lines.map(pick)
  await sql`
    INSERT INTO log_entry (instrument_id, log_type, ts, message, module, level, event_code, user_name, hostname, received_at)
    SELECT n.*, ${now}::timestamptz FROM unnest(
      ${of((line) => line.instrumentId)}::int[], ${of((line) => line.logType)}::text[],
      ${of((line) => line.timestamp.toISOString())}::timestamptz[], ${of((line) => line.message)}::text[],
      ${of((line) => line.module || null)}::text[], ${of((line) => line.level || null)}::text[],
      ${of((line) => line.eventCode || null)}::text[], ${of((line) => line.userName || null)}::text[],
      ${of((line) => line.hostname || null)}::text[]) AS n`.execute(trx)
}
