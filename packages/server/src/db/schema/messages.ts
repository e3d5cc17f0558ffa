import type { UnnumberedLiveMessage } from '@benchwatch/contract/live'
import type { NotificationChannel, NotificationKind } from '@benchwatch/contract/vocabulary'
import type { Generated } from 'kysely'
import type { DeliveryFailure } from '../../platform/messages/transports.ts'
import type { Id, Instant, InstantOrNull, Json } from './columns.ts'

/** Outgoing messages. */

export interface LiveOutboxTable {
  id: Id
  customer_id: number | null
  user_id: number | null
  message: Json<UnnumberedLiveMessage>
  /** The transaction that wrote the row; 0 after a restore. */
  written_in: Generated<string>
}

export interface JobOutboxTable {
  id: Id
  name: string
  payload: Json<object>
  key: string | null
  run_at: InstantOrNull
  max_attempts: number | null
  /** The transaction that wrote the row; 0 after a restore. */
  written_in: Generated<string>
}

export interface LiveMessageTable {
  seq: number
  customer_id: number | null
  user_id: number | null
  message: Json<UnnumberedLiveMessage>
  published_at: Instant
}

export interface LiveSequenceTable {
  only_row: Generated<boolean>
  last_seq: number
  /** Empty before the first message. */
  timeline: Generated<string>
}

export interface OutboundMessageTable {
  id: Id
  channel: 'email' | 'sms'
  recipient: string
  subject: string | null
  text: string | null
  html: string | null
  headers: Json<Record<string, string>>
  template: string
  dedupe_key: string | null
  is_secret: Generated<boolean>
  created_at: Instant
  sent_at: InstantOrNull
  attempts: Generated<number>
  next_attempt_at: Instant
  give_up_at: Instant
  failed_at: InstantOrNull
  last_failure: DeliveryFailure | null
  last_error: string | null
  user_id: number | null
}

export interface PendingNotificationTable {
  id: Id
  event_id: number
  kind: NotificationKind
  user_id: number | null
  version: Generated<number>
  at: Instant
  retry_at: InstantOrNull
  last_error: string | null
  /** The transaction that wrote the row; 0 after a restore. */
  written_in: Generated<string>
}

export interface NotificationTable {
  id: Id
  event_id: number
  user_id: number
  kind: NotificationKind
  version: number
  channel: NotificationChannel
  recipient: string
  decided_at: Instant
  waits_for: 'maintenance' | 'digest' | null
  message_id: number | null
  withdrawn_reason: string | null
}
