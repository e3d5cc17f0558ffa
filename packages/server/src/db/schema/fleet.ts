import type { GatewaySource } from '@benchwatch/contract/administration/administration'
import type { GatewayFeed } from '@benchwatch/contract/administration/backoffice'
import type { ConnectionEventKind, InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
import type { Generated } from 'kysely'
import type { Computed, Day, Id, Instant, InstantDefaultNow, InstantOrNull } from './columns.ts'

/** Customers, sites, contracts, contacts, gateways, instruments and the templates of their errors. */

export interface CustomerTable {
  id: Id
  key: string
  name: string
  name_folded: string
}

export interface SiteTable {
  id: Id
  key: string
  customer_id: number
  name: string | null
  street: string | null
  zip: string | null
  city: string | null
  country: string | null
  region: string | null
  sub_region: string | null
  latitude: string | null
  longitude: string | null
  time_zone: Generated<string>
  place_folded: Generated<string>
  location_key: Computed<string>
  /** Transaction that last changed the row; 0 before that was recorded. */
  changed_in: Generated<string>
}

export interface ContractTable {
  id: Id
  key: string
  customer_id: number
  type: string | null
  sla_term: string | null
  tier_one: Generated<boolean>
  start_date: Day | null
  end_date: Day | null
  date_revision: Generated<number>
}

export interface ContactTable {
  id: Id
  key: string
  customer_id: number
  name: string | null
  phone: string | null
  mobile: string | null
}

/** A link of a gateway's source, as in its heartbeat. */
export type StoredLink = GatewayFeed['links'][number]
/** The activity of a source since the start of its gateway. It has the name of its link. */
export type StoredSource = Pick<GatewaySource, 'name' | 'items' | 'lastItemAt' | 'unmatchedNames'>

export interface GatewayTable {
  id: Id
  name: string
  site_id: number
  installed_product_id: string
  location: string | null
  last_seen_at: InstantOrNull
  silent_since: InstantOrNull
  first_seen_at: InstantOrNull
  links: Generated<StoredLink[]>
  version: string | null
  backlog: number | null
  sources: Generated<StoredSource[]>
}

export interface GatewaySilenceTable {
  gateway_id: number
  since: Instant
  until: InstantOrNull
}

export interface GatewayKeyTable {
  id: Id
  gateway_id: number
  key_hash: Buffer
  created_at: InstantDefaultNow
  revoked_at: InstantOrNull
}

export interface GatewayEpochTable {
  gateway_id: number
  epoch: string
  ordinal: number
  /** This and the next field: the range of received sequence numbers; null before the first. */
  first_sequence: number | null
  last_sequence: number | null
  seen: Generated<number>
}

export interface InstrumentTable {
  id: Id
  installed_product_id: string
  type: string
  product_description: string
  system_name: string | null
  qualified_system: Generated<boolean>
  customer_id: number
  site_id: number
  gateway_id: number | null
  contract_id: number | null
  contact_id: number | null
  it_contact_id: number | null
  building: string | null
  room: string | null
  installation_date: Day | null
  last_service: Day | null
  next_service: Day | null
  last_maintenance: Day | null
  status: Generated<InstrumentStatus>
  status_at: InstantOrNull
  status_epoch: Generated<number>
  status_sequence: Generated<number>
  orc_status: Generated<OrcStatus>
  unknown_at: InstantOrNull
  status_reason: string | null
  run_id: number | null
  /** Null if the instrument never had a run. */
  run_since: InstantOrNull
  connected_at: InstantOrNull
  search_folded: string
  created_at: InstantDefaultNow
  /** -Infinity, which reads as a number, if the instrument had no other customer since its registration. */
  customer_since: Generated<Date | number>
  deleted_at: InstantOrNull
  date_revision: Generated<number>
}

/** The customer and site that an instrument left, and when. */
export interface InstrumentMoveTable {
  id: Generated<number>
  instrument_id: number
  moved_at: Instant
  customer_id: number
  site_id: number
}

export interface InstrumentStatusHistoryTable {
  instrument_id: number
  at: Instant
  epoch: number
  sequence: number
  status: InstrumentStatus
  received_at: Instant
  run_id: number | null
}

/** Runs by the names that instruments give them, which may come again at other instruments of the customer. */
export interface RunTable {
  id: Id
  customer_id: number
  name: string
  name_folded: string
}

export interface OrcStatusHistoryTable {
  instrument_id: number
  at: Instant
  orc_status: OrcStatus
}

export interface ConnectionTemplateTable {
  kind: ConnectionEventKind
  severity: number
  description: string
  user_message: string | null
  /** This and the next field: null for a row older than editing in the console. */
  updated_at: InstantOrNull
  updated_by: string | null
}

export interface ComponentTable {
  id: Id
  name: string
  type: string
  name_folded: string
}

export interface InstrumentFamilyTable {
  key: string
  label: string
  position: number
}

export interface InstrumentTypeTable {
  key: string
  label: string
  family: string
}

export interface EventTemplateTable {
  instrument_type: string
  template_id: string
  severity: number
  description: string
  user_message: string | null
  troubleshooting: string | null
  remedy: string | null
}
