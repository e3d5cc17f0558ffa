import type { BulkFailure } from '@benchwatch/contract/bulk-changes'
import type { ServiceEventChange } from '@benchwatch/contract/service-events'
import type { ViewState } from '@benchwatch/contract/views'
import type { ExportType, ViewArea } from '@benchwatch/contract/vocabulary'
import type { Generated } from 'kysely'
import type { Id, Instant, Json } from './columns.ts'

/** What people do with lists of events: mails about them, bulk changes, exports, saved views. */

export interface EventEmailTable {
  id: Id
  event_id: number
  sender_id: number | null
  receiver_id: number | null
  recipient: string
  recipient_name: string
  subject: string
  body: string
  created_at: Instant
  message_id: number | null
}

export interface BulkChangeTable {
  id: Generated<string>
  user_id: number
  created_at: Instant
  event_ids: number[]
  change: Json<ServiceEventChange>
  state: Generated<'running' | 'done' | 'failed'>
  done: Generated<number>
  changed: Generated<number>
  failed: Generated<BulkFailure[]>
  stepped_at: Instant
}

export interface ExportFileTable {
  id: Generated<string>
  user_id: number
  created_at: Instant
  expires_at: Instant
  token_hash: Buffer
  token_sealed: Buffer
  type: Generated<ExportType>
  details: 'BASIC' | 'FULL'
  state: Generated<'running' | 'ready' | 'failed'>
  rows: number
  written: Generated<number>
  stepped_at: Instant
}

export interface ExportChunkTable {
  export_id: string
  chunk: number
  row_ids: number[]
}

export interface SavedViewTable {
  id: Id
  user_id: number
  area: ViewArea
  name: string
  name_key: string
  shared: boolean
  state: Json<ViewState>
  customer_ids: number[] | null
  created_at: Instant
  updated_at: Instant
}

export interface DefaultViewTable {
  user_id: number
  area: ViewArea
  view_id: number
}
