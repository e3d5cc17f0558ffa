import type { WebhookAttempt, WebhookFilter } from '@benchwatch/contract/messages/webhooks'
import type { WebhookDeliveryState, WebhookFormat, WebhookOccasion } from '@benchwatch/contract/vocabulary'
import type { Generated } from 'kysely'
import type { Id, Instant, InstantOrNull, Json } from './columns.ts'

/** Webhooks and the log of their deliveries. */

export interface WebhookTable {
  id: Id
  owner_id: number
  name: string
  format: WebhookFormat
  host: string
  /** The address and the secrets, sealed. */
  sealed: Buffer
  has_routing_key: boolean
  previous_secret_until: InstantOrNull
  occasions: WebhookOccasion[]
  filter: Json<WebhookFilter>
  is_on: boolean
  gone_at: InstantOrNull
  after_seq: number
  created_at: Instant
  failures: Generated<number>
  open_until: InstantOrNull
  busy_until: InstantOrNull
  last_tried_at: InstantOrNull
  last_sent_at: InstantOrNull
}

export interface WebhookDeliveryTable {
  id: Id
  webhook_id: number
  message_id: string
  occasion: WebhookOccasion | 'test'
  occasion_key: string
  subject: string
  event_id: number | null
  customer_id: number | null
  body: string
  created_at: Instant
  state: Generated<WebhookDeliveryState>
  tries: Generated<number>
  next_at: Instant
  give_up_at: Instant
  finished_at: InstantOrNull
  attempts: Generated<WebhookAttempt[]>
}

export interface WebhookPositionTable {
  is_only: Generated<boolean>
  seq: number
}
