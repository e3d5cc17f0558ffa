import type { UnnumberedLiveMessage } from '@benchwatch/contract/live'
import type { Generated } from 'kysely'
import type { Id, Instant, Json } from './columns.ts'

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
