import type { LogType } from '@benchwatch/contract/vocabulary'
import type { Id, Instant, InstantOrNull, Json } from './columns.ts'

/** Log lines, and what ingest keeps about the items it saw. */

export interface LogEntryTable {
  id: Id
  instrument_id: number
  log_type: LogType
  ts: Instant
  message: string
  module: string | null
  level: string | null
  event_code: string | null
  user_name: string | null
  hostname: string | null
  received_at: Instant
}

export interface GatewayInboxTable {
  gateway_id: number
  item_id: string
  received_at: Instant
}

export interface PendingClearTable {
  instrument_id: number
  alert_id: string
  gateway_id: number
  epoch: number
  sequence: number
  cleared_at: Instant
}

export interface ParkedItemTable {
  id: Id
  gateway_id: number
  item_id: string | null
  code: string
  reason: string
  item: Json<unknown>
  received_at: Instant
  resolved_at: InstantOrNull
}

/** A raise of which no event was made for want of a running contract. */
export interface HeldBackEventTable {
  id: Id
  instrument_id: number
  customer_id: number
  template_id: string
  component_id: number
  gateway_id: number
  epoch: number
  sequence: number
  item: Json<unknown>
  description: string
  raised_at: Instant
  held_back_at: Instant
  raises: number
  cleared_at: InstantOrNull
  released_at: InstantOrNull
  event_id: number | null
}

/** Alert ids of the raises of a held-back event. */
export interface HeldBackAlertTable {
  instrument_id: number
  alert_id: string
  held_back_id: number
}
