import type { AuditSealTable, AuditTable, AuditUnsealedTable } from './audit.ts'
import type {
  DeletedEventTable,
  EventDayCustomerTable,
  EventDayTable,
  EventDeltaTable,
  EventSeenTable,
  LatchedAlertTable,
  ServiceEventTable,
} from './events.ts'
import type { AlarmTestScheduleTable, AlarmTestTable, GatewayFeedHourTable } from './feed.ts'
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
  InstrumentStatusHistoryTable,
  InstrumentTable,
  OrcStatusHistoryTable,
  SiteTable,
} from './fleet.ts'
import type {
  GatewayInboxTable,
  HeldBackAlertTable,
  HeldBackEventTable,
  LogEntryTable,
  ParkedItemTable,
  PendingClearTable,
} from './logs.ts'
import type { MaintenanceTable, MaintenanceWindowTable } from './maintenance.ts'
import type {
  EventOccasionTable,
  LiveMessageTable,
  LiveOutboxTable,
  LiveSequenceTable,
  NotificationTable,
  OutboundMessageTable,
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
  SessionTable,
  SignInFailureTable,
  SigningKeyTable,
  SpentRefreshTokenTable,
  UserCustomerTable,
} from './people.ts'
import type {
  SupportEmailTable,
  SupportEmailTemplateTable,
  SupportEmailUnsubscriptionTable,
  UnsubscribeLinkTable,
} from './support-emails.ts'
import type {
  ComponentUsageDayTable,
  ComponentUsageTable,
  InstrumentSoftwareTable,
  RuntimeDayTable,
  UsageForecastTable,
} from './usage.ts'
import type {
  BulkChangeTable,
  DefaultViewTable,
  EventEmailTable,
  ExportChunkTable,
  ExportFileTable,
  SavedViewTable,
} from './work.ts'

/** Every table. A drift test compares this with the migrated database, column by column. */
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
  component: ComponentTable
  component_usage: ComponentUsageTable
  component_usage_day: ComponentUsageDayTable
  connection_template: ConnectionTemplateTable
  contact: ContactTable
  contract: ContractTable
  customer: CustomerTable
  default_view: DefaultViewTable
  deleted_event: DeletedEventTable
  event_day: EventDayTable
  event_day_customer: EventDayCustomerTable
  event_delta: EventDeltaTable
  event_email: EventEmailTable
  event_occasion: EventOccasionTable
  event_seen: EventSeenTable
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
  runtime_day: RuntimeDayTable
  saved_view: SavedViewTable
  service_event: ServiceEventTable
  session: SessionTable
  sign_in_failure: SignInFailureTable
  signing_key: SigningKeyTable
  site: SiteTable
  spent_refresh_token: SpentRefreshTokenTable
  support_email: SupportEmailTable
  support_email_template: SupportEmailTemplateTable
  support_email_unsubscription: SupportEmailUnsubscriptionTable
  unsubscribe_link: UnsubscribeLinkTable
  usage_forecast: UsageForecastTable
  user_customer: UserCustomerTable
}
