import type { LogCount, LogHit } from '@benchwatch/contract/instruments/logs'
import type { LogType } from '@benchwatch/contract/vocabulary'
import type { DataScope } from '../../db/actor.ts'
import type { Trx } from '../../db/connect.ts'

/** Selects lines of a log. */
export interface LogSelection {
  scope: DataScope
  logType: LogType
  /** Lines of this instrument, of this computer, or of both; at least one is set. */
  instrumentId: number | null
  computerName: string | null
  /** Name of a customer. */
  enterprise: string | null
  /** Inclusive. */
  from: Date | null
  /** Exclusive. */
  to: Date | null
  /** Words that must all occur; empty for all lines. */
  words: readonly string[]
}

/** Parameters of reading a log: which lines, and how many. */
export interface LogQuestion extends LogSelection {
  order: 'ASC' | 'DESC'
  size: number
  /** The last line of the previous page, in the direction of `order`: its timestamp in ms since 1970, and its id. */
  after: { timestamp: number; id: string } | null
}

/** Parameters of counting the lines in equal parts of a span. */
export interface LogCountQuestion extends LogSelection {
  from: Date
  to: Date
  parts: number
}

export interface LogCounts {
  /** One for each part, oldest first. */
  counts: LogCount[]
  /** Lines before this moment are not counted; null if all are. */
  countedFrom: Date | null
}

export interface LogAnswer {
  hits: LogHit[]
  /** Counted up to MAX_COUNTED_LINES. */
  total: number
  completeFrom: CompleteFrom
}

/** Lines before this moment cannot all be read now; null if they can. */
export type CompleteFrom = Date | null

/** A log that holds lines of an instrument. */
export interface StoredLog {
  logType: LogType
  /** Computer of a client log; null if its lines name none, and for all other logs. */
  computerName: string | null
  /** Timestamp of its newest line. */
  newest: Date
}

/** The fields of a deleted line that the audit log keeps. */
export interface DeletedLine {
  instrument: string
  logType: LogType
  timestamp: Date
}

export interface AvailableLogsInput {
  scope: DataScope
  instrumentId: number
}

/** Holds log lines: in PostgreSQL, or the older ones of billions in ClickHouse (docs/clickhouse.md). */
export interface LogStore {
  read(question: LogQuestion): Promise<LogAnswer>
  /** Counts up to MAX_LINES_OVER_TIME lines, the newest ones. */
  count(question: LogCountQuestion): Promise<LogCounts>
  /** Returns the logs that contain lines of an instrument, in any order. */
  available(input: AvailableLogsInput): Promise<{ logs: StoredLog[]; completeFrom: CompleteFrom }>
  /**
   * Deletes a line that has been moved out of PostgreSQL; call it in the transaction that deletes the line there.
   * Returns undefined if there is none in scope.
   */
  deleteMovedLine(trx: Trx, input: { id: number; scope: DataScope }): Promise<DeletedLine | undefined>
}
