import type { InstrumentStatus } from '@benchwatch/contract/vocabulary'
import type { Generated } from 'kysely'
import type { Id, Instant, InstantOrNull, JsonOrNull } from './columns.ts'

/** Service events, and what is kept about them for searches and filters. */

/** The automatic support e-mail as it was sent. */
export interface SupportEmailContent {
  contactName: string | null
  email: string
  subject: string
  body: string
}

export interface ServiceEventTable {
  id: Id
  created_at: Instant
  log_generated_at: Instant
  cleared_at: InstantOrNull
  alert_id: string
  template_id: string
  severity: number
  alert_type: number
  alert_status: Generated<number>
  alert_source: Generated<string>
  is_edge_issue: Generated<boolean>
  description: string
  user_message: string | null
  text_folded: string
  instrument_id: number | null
  component_id: number | null
  gateway_id: number | null
  site_id: number
  customer_id: number
  instrument_status_at_event: InstrumentStatus | null
  run_id: number | null
  full_support: boolean
  during_maintenance: Generated<boolean>
  latched_count: Generated<number>
  claimed_by: number | null
  claimed_at: InstantOrNull
  closed_at: InstantOrNull
  /** The version that closed it; null if it is open or was closed before this was recorded. */
  closed_version: number | null
  reason_closed: number | null
  reason_closed_comment: string | null
  service_max_case_number: string | null
  service_max_url: string | null
  automatic_email: JsonOrNull<SupportEmailContent>
  automatic_email_sent_at: InstantOrNull
  last_action_at: Instant
  version: Generated<number>
  /** The transaction of its insertion or last change, set by a trigger. */
  changed_in: Generated<string>
}

/** Cases that the case desk makes, or has made, for events. */
export interface ServiceCaseTable {
  event_id: number
  requested_by: number
  requested_at: Instant
  attempts: Generated<number>
  next_attempt_at: Instant
  taken_until: InstantOrNull
  last_error: string | null
  /** Null until the case exists. */
  number: string | null
  status: string | null
  status_since: InstantOrNull
  reported_at: InstantOrNull
}

/** Ids of deleted events, with the transaction that deleted them. */
export interface DeletedEventTable {
  id: number
  changed_in: Generated<string>
}

export interface LatchedAlertTable {
  instrument_id: number
  alert_id: string
  event_id: number
}

/** Sites and components that the events of a customer came from. Filters offer their names. */
export interface EventOriginTable {
  customer_id: number
  site_id: number
  /** 0 for events without a component. */
  component_id: number
}
