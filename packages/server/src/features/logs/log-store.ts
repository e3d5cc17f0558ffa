import type { LogHit } from '@benchwatch/contract/logs'
import type { LogType } from '@benchwatch/contract/vocabulary'
import type { DataScope } from '../../db/actor.ts'

/** Which lines of a log somebody reads, and how many. */
export interface LogQuestion {
  scope: DataScope
  logType: LogType
  /** Of this instrument, of this computer, or of both at once; one at least. */
  instrumentId: number | null
  computerName: string | null
  /** Name of a customer. */
  enterprise: string | null
  order: 'ASC' | 'DESC'
  /** Inclusive. */
  from: Date | null
  /** Exclusive. */
  to: Date | null
  size: number
  /** The last line read before, in the direction of `order`: its time stamp in ms since 1970, and its id. */
  after: { timestamp: number; id: string } | null
  /** Words that must all occur; none for all lines. */
  words: readonly string[]
}

export interface LogAnswer {
  hits: LogHit[]
  /** Counted up to MAX_COUNTED_LINES. */
  total: number
}

/** A log that holds lines of an instrument. */
export interface ToldLog {
  logType: LogType
  /** Of clients; null where their lines name no computer, and of all other logs. */
  computerName: string | null
  /** Time stamp of its newest line. */
  newest: Date
}

/** Where log lines are read: PostgreSQL here, a search engine where there are billions (docs/logs.md). */
export interface LogStore {
  read(question: LogQuestion): Promise<LogAnswer>
  /** The logs that hold lines of an instrument, in any order. */
  told(wanted: { scope: DataScope; instrumentId: number }): Promise<ToldLog[]>
}
