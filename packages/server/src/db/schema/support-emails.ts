import type { InstrumentType } from '@benchwatch/contract/vocabulary'
import type { Generated } from 'kysely'
import type { Id, Instant, InstantOrNull } from './columns.ts'

/** Automatic support e-mails: their templates, and who wants none. */

export interface SupportEmailTemplateTable {
  instrument_type: InstrumentType
  template_id: string
  component_name: string
  subject: string
  body: string
  troubleshooting: string | null
  closes_event: Generated<boolean>
  under_review: Generated<boolean>
}

export interface SupportEmailUnsubscriptionTable {
  id: Id
  contact_email: string
  instrument_id: number
  template_id: string
  created_at: Instant
  until: InstantOrNull
}
