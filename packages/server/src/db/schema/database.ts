import type { AuditSealTable, AuditTable, AuditUnsealedTable } from './audit.ts'
import type {
  EventDayCustomerTable,
  EventDayTable,
  EventDeltaTable,
  EventSeenTable,
  LatchedAlertTable,
  ServiceEventTable,
} from './events.ts'
import type {
  ComponentTable,
  ContactTable,
  ContractTable,
  CustomerTable,
  EventTemplateTable,
  GatewayEpochTable,
  GatewayKeyTable,
  GatewayTable,
  InstrumentStatusHistoryTable,
  InstrumentTable,
  SiteTable,
} from './fleet.ts'
import type { GatewayInboxTable, LogEntryTable, ParkedItemTable, PendingClearTable } from './logs.ts'
import type { LiveMessageTable, LiveOutboxTable, LiveSequenceTable } from './messages.ts'
import type {
  AppUserTable,
  FeatureFlagTable,
  LiveTokenTable,
  ProfileTable,
  SessionTable,
  SigningKeyTable,
  SpentRefreshTokenTable,
  UserCustomerTable,
} from './people.ts'
import type { ComponentUsageDayTable, ComponentUsageTable, InstrumentSoftwareTable, RuntimeDayTable } from './usage.ts'

/** Every table. A drift test compares this with the migrated database, column by column. */
export interface Database {
  app_user: AppUserTable
  audit: AuditTable
  audit_seal: AuditSealTable
  audit_unsealed: AuditUnsealedTable
  component: ComponentTable
  component_usage: ComponentUsageTable
  component_usage_day: ComponentUsageDayTable
  contact: ContactTable
  contract: ContractTable
  customer: CustomerTable
  event_day: EventDayTable
  event_day_customer: EventDayCustomerTable
  event_delta: EventDeltaTable
  event_seen: EventSeenTable
  event_template: EventTemplateTable
  feature_flag: FeatureFlagTable
  gateway: GatewayTable
  gateway_epoch: GatewayEpochTable
  gateway_inbox: GatewayInboxTable
  gateway_key: GatewayKeyTable
  instrument: InstrumentTable
  instrument_software: InstrumentSoftwareTable
  instrument_status_history: InstrumentStatusHistoryTable
  latched_alert: LatchedAlertTable
  live_message: LiveMessageTable
  live_outbox: LiveOutboxTable
  live_sequence: LiveSequenceTable
  live_token: LiveTokenTable
  log_entry: LogEntryTable
  parked_item: ParkedItemTable
  pending_clear: PendingClearTable
  profile: ProfileTable
  runtime_day: RuntimeDayTable
  service_event: ServiceEventTable
  session: SessionTable
  signing_key: SigningKeyTable
  site: SiteTable
  spent_refresh_token: SpentRefreshTokenTable
  user_customer: UserCustomerTable
}
