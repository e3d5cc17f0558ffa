import type { BulkFailure } from '@benchwatch/contract/events/bulk-changes'
import type { ServiceEventChange } from '@benchwatch/contract/events/events'
import type { ViewState } from '@benchwatch/contract/events/views'
import type { SampledComponent } from '@benchwatch/contract/ingest'
import type { CalendarInput } from '@benchwatch/contract/instruments/calendars'
import type { AlarmTestResult, CalendarContent, ExportType, LogType, ViewArea } from '@benchwatch/contract/vocabulary'
import type { ColumnType, Generated } from 'kysely'
import type { AuditSealTable, AuditTable, AuditUnsealedTable } from './audit.ts'
import type { Day, Id, Instant, InstantOrNull, Json, JsonOrNull } from './columns.ts'
import type {
  DeletedEventTable,
  EventOriginTable,
  LatchedAlertTable,
  ServiceCaseTable,
  ServiceEventTable,
} from './events.ts'
import type {
  ComponentTable,
  ConnectionTemplateTable,
  ContactTable,
  ContractTable,
  CustomerTable,
  EventTemplateTable,
  GatewayEpochTable,
  GatewayKeyTable,
  GatewaySilenceTable,
  GatewayTable,
  InstrumentFamilyTable,
  InstrumentMoveTable,
  InstrumentStatusHistoryTable,
  InstrumentTable,
  InstrumentTypeTable,
  OrcStatusHistoryTable,
  RunTable,
  SiteTable,
} from './fleet.ts'
import type {
  JobOutboxTable,
  LiveMessageTable,
  LiveOutboxTable,
  LiveSequenceTable,
  NotificationTable,
  OutboundMessageTable,
  PendingNotificationTable,
} from './messages.ts'
import type {
  ApiTokenTable,
  AppUserTable,
  AuthChallengeTable,
  FeatureFlagTable,
  LiveTokenTable,
  OidcStartTable,
  PasswordResetTable,
  ProfileTable,
  RateUseTable,
  RecoveryCodeTable,
  ScimGroupTable,
  ScimMemberTable,
  ScimUserTable,
  SessionTable,
  SignInFailureTable,
  SigningKeyTable,
  SpentRefreshTokenTable,
  UserCustomerTable,
} from './people.ts'
import type { WebhookDeliveryTable, WebhookPositionTable, WebhookTable } from './webhooks.ts'

/** Event lists: mails, bulk changes, exports and saved views. */
interface EventEmailTable {
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

interface BulkChangeTable {
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

interface ExportFileTable {
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

interface ExportChunkTable {
  export_id: string
  chunk: number
  row_ids: number[]
}

interface CalendarTable {
  id: Id
  user_id: number
  name: string
  token_hash: Buffer
  contents: CalendarContent[]
  customer_ids: number[] | null
  view: JsonOrNull<CalendarInput['view']>
  created_at: Instant
  last_used_at: InstantOrNull
}

interface SavedViewTable {
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

interface DefaultViewTable {
  user_id: number
  area: ViewArea
  view_id: number
}

/** Log lines, and what ingest remembers about items. */
interface LogEntryTable {
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

/** Items that earlier releases took; the leader moves them to `taken_number`. */
interface GatewayInboxTable {
  gateway_id: number
  item_id: string
  received_at: Instant
}

/** Ranges of the numbers of items that were taken, by series and blocks of 65,536 numbers. */
interface TakenNumberTable {
  gateway_id: number
  series: string
  block: number
  /** A multirange as PostgreSQL writes it: `{[1,5),[7,9)}`. */
  numbers: string
}

interface PendingClearTable {
  instrument_id: number
  alert_id: string
  gateway_id: number
  epoch: number
  sequence: number
  cleared_at: Instant
}

interface ParkedItemTable {
  id: Id
  gateway_id: number
  item_id: string | null
  code: string
  reason: string
  item: Json<unknown>
  received_at: Instant
  resolved_at: InstantOrNull
}

/** A raise that created no event because no contract was active. */
interface HeldBackEventTable {
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
interface HeldBackAlertTable {
  instrument_id: number
  alert_id: string
  held_back_id: number
}

/** Reports of gateways other than alarms: component usage, run time, computers and software. */
interface ComponentUsageTable {
  instrument_id: number
  component_name: string
  sampled_at: Instant
  epoch: number
  sequence: number
  usage: Json<SampledComponent['usage']>
  info: Json<SampledComponent['info']>
  details: Json<SampledComponent['details']>
  /** The UTC day of its forecasts; null since a new sample arrived. */
  forecast_on: ColumnType<Day | null, Day | null | undefined, Day | null>
}

interface ComponentUsageDayTable {
  instrument_id: number
  component_name: string
  metric: string
  day: Day
  epoch: number
  sequence: number
  value: number
}

/** Components that are due, and those with a forecast day. */
interface UsageForecastTable {
  instrument_id: number
  component_name: string
  metric: string
  used: number | null
  is_due: boolean
  due: Day | null
  /** Counts only the days since `customer_since`. */
  customer_due: Day | null
  customer_since: Instant
}

interface RuntimeDayTable {
  instrument_id: number
  day: Day
  epoch: number
  sequence: number
  seconds: number
}

interface InstrumentSoftwareTable {
  instrument_id: number
  reported_at: Instant
  epoch: number
  sequence: number
  client_pc_names: string[]
  instrument_server_pc_name: string | null
  unicorn_version: string | null
  unicorn_win_os: string | null
  unicorn_pc_name: string | null
  unicorn_service_pack: string | null
  unicorn_embedded_pc_domain: string | null
  unicorn_embedded_pc_type: string | null
  unicorn_installed_config_file: string | null
  unicorn_network_configurations: string | null
}

/** Automatic support e-mails: templates, sent mails, and contacts who unsubscribed. */
interface SupportEmailTemplateTable {
  instrument_type: string
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

interface SupportEmailTable {
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

interface UnsubscribeLinkTable {
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

interface SupportEmailUnsubscriptionTable {
  id: Id
  contact_email: string
  instrument_id: number
  template_id: string
  created_at: Instant
  until: InstantOrNull
}

/** State of the feed: items of each gateway, and alarm chain tests. */
interface GatewayFeedHourTable {
  gateway_id: number
  hour: Instant
  accepted: number
  duplicates: number
  rejected: number
  gaps: number
  lag_ms: number | null
}

interface AlarmTestTable {
  id: Id
  gateway_id: number
  instrument_id: number
  ordered_at: Instant
  raised_at: InstantOrNull
  after_seq: number | null
  result: Generated<AlarmTestResult>
  ended_at: InstantOrNull
}

interface AlarmTestScheduleTable {
  is_only: Generated<boolean>
  next_at: Instant
}

/** Maintenance of instruments: each request, and its individual windows. */
interface MaintenanceTable {
  id: Id
  instrument_id: number
  start_at: Instant
  end_at: InstantOrNull
  reason: string | null
  rrule: string | null
  time_zone: string | null
  created_at: Instant
  ended_at: InstantOrNull
  planned_until: InstantOrNull
  shown_until: InstantOrNull
}

interface MaintenanceWindowTable {
  maintenance_id: number
  instrument_id: number
  start_at: Instant
  end_at: InstantOrNull
  date_revision: Generated<number>
}

/** All tables. A drift test compares this type with the migrated database, column by column. */
export interface Database {
  alarm_test: AlarmTestTable
  alarm_test_schedule: AlarmTestScheduleTable
  api_token: ApiTokenTable
  app_user: AppUserTable
  audit: AuditTable
  audit_seal: AuditSealTable
  audit_unsealed: AuditUnsealedTable
  auth_challenge: AuthChallengeTable
  bulk_change: BulkChangeTable
  calendar: CalendarTable
  component: ComponentTable
  component_usage: ComponentUsageTable
  component_usage_day: ComponentUsageDayTable
  connection_template: ConnectionTemplateTable
  contact: ContactTable
  contract: ContractTable
  customer: CustomerTable
  default_view: DefaultViewTable
  deleted_event: DeletedEventTable
  event_email: EventEmailTable
  pending_notification: PendingNotificationTable
  event_origin: EventOriginTable
  instrument_family: InstrumentFamilyTable
  instrument_move: InstrumentMoveTable
  instrument_type: InstrumentTypeTable
  event_template: EventTemplateTable
  export_chunk: ExportChunkTable
  export_file: ExportFileTable
  feature_flag: FeatureFlagTable
  gateway: GatewayTable
  gateway_epoch: GatewayEpochTable
  gateway_feed_hour: GatewayFeedHourTable
  gateway_inbox: GatewayInboxTable
  gateway_key: GatewayKeyTable
  gateway_silence: GatewaySilenceTable
  held_back_alert: HeldBackAlertTable
  held_back_event: HeldBackEventTable
  instrument: InstrumentTable
  instrument_software: InstrumentSoftwareTable
  instrument_status_history: InstrumentStatusHistoryTable
  job_outbox: JobOutboxTable
  latched_alert: LatchedAlertTable
  live_message: LiveMessageTable
  live_outbox: LiveOutboxTable
  live_sequence: LiveSequenceTable
  live_token: LiveTokenTable
  log_entry: LogEntryTable
  maintenance: MaintenanceTable
  maintenance_window: MaintenanceWindowTable
  notification: NotificationTable
  oidc_start: OidcStartTable
  orc_status_history: OrcStatusHistoryTable
  outbound_message: OutboundMessageTable
  parked_item: ParkedItemTable
  password_reset: PasswordResetTable
  pending_clear: PendingClearTable
  profile: ProfileTable
  rate_use: RateUseTable
  recovery_code: RecoveryCodeTable
  run: RunTable
  runtime_day: RuntimeDayTable
  saved_view: SavedViewTable
  scim_group: ScimGroupTable
  scim_member: ScimMemberTable
  scim_user: ScimUserTable
  service_case: ServiceCaseTable
  service_event: ServiceEventTable
  session: SessionTable
  sign_in_failure: SignInFailureTable
  signing_key: SigningKeyTable
  site: SiteTable
  spent_refresh_token: SpentRefreshTokenTable
  support_email: SupportEmailTable
  support_email_template: SupportEmailTemplateTable
  support_email_unsubscription: SupportEmailUnsubscriptionTable
  taken_number: TakenNumberTable
  unsubscribe_link: UnsubscribeLinkTable
  usage_forecast: UsageForecastTable
  user_customer: UserCustomerTable
  webhook: WebhookTable
  webhook_delivery: WebhookDeliveryTable
  webhook_position: WebhookPositionTable
}
