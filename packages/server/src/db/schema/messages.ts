import type { UnnumberedLiveMessage } from '@benchwatch/contract/live'
import type { Generated } from 'kysely'
import type { Id, Instant, InstantOrNull, Json } from './columns.ts'

/** Messages on their way out. */

export interface LiveOutboxTable {
  id: Id
  customer_id: number | null
  user_id: number | null
  message: Json<UnnumberedLiveMessage>
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
  last_failure: 'unreachable' | 'deferred' | 'refused' | null
  last_error: string | null
}
