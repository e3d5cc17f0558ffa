import type { AlarmTestResult } from '@benchwatch/contract/vocabulary'
import type { Generated } from 'kysely'
import type { Id, Instant, InstantOrNull } from './columns.ts'

/** The state of the feed: what came from each gateway, and tests of the whole chain. */

export interface GatewayFeedHourTable {
  gateway_id: number
  hour: Instant
  accepted: number
  duplicates: number
  rejected: number
  gaps: number
  lag_ms: number | null
}

export interface AlarmTestTable {
  id: Id
  gateway_id: number
  instrument_id: number
  ordered_at: Instant
  raised_at: InstantOrNull
  after_seq: number | null
  result: Generated<AlarmTestResult>
  ended_at: InstantOrNull
}

export interface AlarmTestScheduleTable {
  is_only: Generated<boolean>
  next_at: Instant
}
