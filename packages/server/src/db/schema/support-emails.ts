import type { InstrumentType } from '@benchwatch/contract/vocabulary'
import type { Generated } from 'kysely'
import type { Id, Instant, InstantOrNull } from './columns.ts'

/** Automatic support e-mails: their templates, what was sent, and who wants none. */

export interface SupportEmailTemplateTable {
  instrument_type: InstrumentType
  template_id: string
  component_name: string
  subject: string
  body: string
  troubleshooting: string | null
  closes_event: Generated<boolean>
  under_review: Generated<boolean>
  updated_at: InstantOrNull
  updated_by: string | null
}

export interface SupportEmailTable {
  event_id: number
  instrument_id: number
  template_id: string
  contact_email: string
  contact_name: string | null
  subject: string
  body: string
  closes_event: boolean
  created_at: Instant
  is_held: Generated<boolean>
  message_id: number | null
  withdrawn_reason: string | null
  settled_at: InstantOrNull
}

export interface UnsubscribeLinkTable {
  token_hash: Buffer
  event_id: number
  contact_email: string
  instrument_id: number
  template_id: string
  component_name: string
  created_at: Instant
  expires_at: Instant
  used_at: InstantOrNull
}

export interface SupportEmailUnsubscriptionTable {
  id: Id
  contact_email: string
  instrument_id: number
  template_id: string
  created_at: Instant
  until: InstantOrNull
}
