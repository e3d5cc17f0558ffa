/**
 * Closed lists of the specification and of notifications with their labels. Plain data: the browser loads this module
 * at startup.
 */

/** Filter categories of a notification profile with their labels, in the order of document 2 section 2. */
export const notificationCategories = [
  { key: 'alertType', label: 'Event type' },
  { key: 'severity', label: 'Severity' },
  { key: 'customer', label: 'Customer' },
  { key: 'instrumentType', label: 'Instrument type' },
  { key: 'region', label: 'Region' },
  { key: 'country', label: 'Country' },
  { key: 'siteCity', label: 'City' },
  { key: 'componentName', label: 'Component' },
  { key: 'instrumentStatus', label: 'Instrument status' },
  { key: 'contractSLA', label: 'Contract SLA' },
  { key: 'qualifiedSystem', label: 'Qualified system' },
] as const

export type NotificationCategory = (typeof notificationCategories)[number]['key']

/**
 * Kinds of notifications: an event assigned to the user by someone else, and a new event. Also the types of the user's
 * profiles.
 */
export const notificationKinds = ['assign_me_notification', 'new_event_notification'] as const

export type NotificationKind = (typeof notificationKinds)[number]

/** Profile names shown in the settings: document 2 section 5. */
export const notificationKindLabels: Record<NotificationKind, string> = {
  new_event_notification: 'All Events',
  assign_me_notification: 'Assigned to me',
}

export const notificationChannels = ['email', 'sms'] as const

export type NotificationChannel = (typeof notificationChannels)[number]

/**
 * State of a notification. `held`: until the maintenance of its instrument ends. `collected`: above the recipient's
 * limit, until the next digest. `waiting`: queued for the mail server or the SMS provider. `failed`: given up.
 * `withdrawn`: the recipient may no longer see the event.
 */
export const notificationStates = ['held', 'collected', 'waiting', 'sent', 'failed', 'withdrawn'] as const

export type NotificationState = (typeof notificationStates)[number]

/**
 * State of an e-mail about an event. `held`: until a maintenance ends, or until the recipient may get e-mails again.
 * `waiting`: queued for the mail server. `failed`: given up. `withdrawn`: will not be sent.
 */
export const eventEmailStates = ['held', 'waiting', 'sent', 'failed', 'withdrawn'] as const

export type EventEmailState = (typeof eventEmailStates)[number]

/** Occasions on which a webhook sends, with labels. `instrument.back`: the instrument is connected, for the first time or again. */
export const webhookOccasionLabels = {
  'event.raised': 'Event raised',
  'event.claimed': 'Event claimed or assigned',
  'event.changed': 'Event changed',
  'event.closed': 'Event closed',
  'event.cleared': 'Event returned to normal',
  'instrument.lost': 'Instrument lost',
  'instrument.back': 'Instrument back',
} as const
export type WebhookOccasion = keyof typeof webhookOccasionLabels
export const webhookOccasions = Object.keys(webhookOccasionLabels) as [WebhookOccasion, ...WebhookOccasion[]]

/** Bodies that a webhook can send. `plain` is JSON for programs, `teams` an Adaptive Card for a workflow. */
export const webhookFormatLabels = {
  plain: 'JSON',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  pagerduty: 'PagerDuty',
} as const
export type WebhookFormat = keyof typeof webhookFormatLabels
export const webhookFormats = Object.keys(webhookFormatLabels) as [WebhookFormat, ...WebhookFormat[]]

/** The occasions that begin an incident, each with the one that ends it. */
export const pairedOccasions = [
  ['event.raised', 'event.closed'],
  ['instrument.lost', 'instrument.back'],
] as const satisfies readonly (readonly [WebhookOccasion, WebhookOccasion])[]

/** The occasions that a format can express. An incident of PagerDuty knows no other change than its acknowledgement. */
export const occasionsOfFormat: Record<WebhookFormat, readonly WebhookOccasion[]> = {
  plain: webhookOccasions,
  slack: webhookOccasions,
  teams: webhookOccasions,
  pagerduty: webhookOccasions.filter((occasion) => occasion !== 'event.changed' && occasion !== 'event.cleared'),
}

/**
 * State of a webhook. `paused`: its receiver failed several times in a row, so it is tried less often. `gone`: its
 * receiver answered 410. `no-owner`: its owner may not sign in any more.
 */
export const webhookStates = ['on', 'off', 'paused', 'gone', 'no-owner'] as const
export type WebhookState = (typeof webhookStates)[number]

/** State of a delivery. `parked`: given up after a day. `withdrawn`: its owner may no longer see what it is about. */
export const webhookDeliveryStates = ['waiting', 'sent', 'parked', 'withdrawn'] as const
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number]

/** Gates that decide about a notification, in the order of checking; a category gate has the category's key. */
export const notificationGates = [
  'not-assigned',
  'own-assignment',
  'disabled',
  'scope',
  'switched-off',
  'alarm-test',
  'under-review',
  ...notificationCategories.map(({ key }) => key),
  'no-address',
] as const

export type NotificationGate = (typeof notificationGates)[number]

/**
 * Measures of the built-in dashboard with their labels, in the order of the page; the last is the text above its
 * panels. Plain data.
 */
export const kpiMeasureLabels = {
  'event-rate': 'Events by severity',
  'response-by-owner': 'Time to acknowledge and close, by owner',
  'response-by-customer': 'Time to acknowledge and close, by customer',
  'open-by-age': 'Open work by age',
  'close-reasons': 'Reasons closed',
  'top-errors': 'Most frequent errors',
  'top-families': 'Events by instrument family',
  'noisiest-instruments': 'Noisiest instruments',
  sla: '24-hour contracts met and missed',
  'gateway-uptime': 'Gateway uptime',
  'usage-due': 'Usage due soon',
  response: 'Time to acknowledge and close, overall',
} as const

export type KpiMeasure = keyof typeof kpiMeasureLabels

export const kpiMeasures = Object.keys(kpiMeasureLabels) as [KpiMeasure, ...KpiMeasure[]]

export const severities = ['high', 'medium', 'low'] as const
export type Severity = (typeof severities)[number]
export const severityLabels: Record<Severity, string> = { high: 'HIGH', medium: 'MED', low: 'LOW' }
/** Severity names for menus and running text. */
export const severityNames: Record<Severity, string> = { high: 'High', medium: 'Medium', low: 'Low' }

/** Events that the server raises about a lost connection: of a gateway, of an instrument (3-decisions 4). */
export const connectionEventKinds = ['EDGE_ISSUE', 'OFFLINE'] as const
export type ConnectionEventKind = (typeof connectionEventKinds)[number]

export const alertStatuses = ['1_NEW', '2_IN_PROGRESS', '3_CLOSED'] as const
export type AlertStatus = (typeof alertStatuses)[number]
export const alertStatusLabels: Record<AlertStatus, string> = {
  '1_NEW': 'New',
  '2_IN_PROGRESS': 'In progress',
  '3_CLOSED': 'Closed',
}
/** Statuses that a request may set: the plain words of document 1 section 4. */
export const requestedAlertStatuses = ['NEW', 'IN_PROGRESS', 'CLOSED'] as const
export type RequestedAlertStatus = (typeof requestedAlertStatuses)[number]

export const alertTypes = [1, 2] as const
export type AlertType = (typeof alertTypes)[number]
export const alertTypeLabels: Record<AlertType, string> = { 1: 'Alarm', 2: 'Alert' }

export const alertSources = ['INSTRUMENT', 'EDGE_ISSUE', 'OFFLINE', 'BACKOFFICE', 'TEST'] as const

export const closeReasons = [
  'Service Case Created',
  'Customer resolved on own',
  'No action required',
  'Duplicate event',
  'Closed by automatic email',
  'Customer unsubscribed',
] as const
export type CloseReason = (typeof closeReasons)[number]
/** Reasons that users may choose. Only the system sets the last two (3-decisions 4). */
export const personCloseReasons = closeReasons.slice(0, 4)
export type SystemCloseReason = Extract<CloseReason, 'Closed by automatic email' | 'Customer unsubscribed'>
/** Reasons whose comment can be edited on a closed event (document 1 section 4). */
export const commentableCloseReasons: readonly CloseReason[] = [
  'No action required',
  'Duplicate event',
  'Customer resolved on own',
  'Closed by automatic email',
]

/** `claimedBy` of events that the product handled itself. */
export const SYSTEM_OWNER = 'SYSTEM'
export const SYSTEM_OWNER_LABEL = 'Automatic'

export const instrumentStatuses = [
  'ready',
  'running',
  'method run',
  'manual run',
  'wash',
  'starting method run',
  'starting manual run',
  'resetting',
  'initializing',
  'initializing system',
  'system pause',
  'hold',
  'pause hold',
  'hold pause',
  'manual pause',
  'alarms and errors',
  'paused',
  'disconnected',
  'Unknown',
] as const
export type InstrumentStatus = (typeof instrumentStatuses)[number]

export type StatusColour = 'green' | 'grey' | 'blue' | 'yellow' | 'orange' | 'red' | 'lightgrey' | 'unknown'
/** Indicator colours of document 1 section 4. */
export const instrumentStatusColours: Record<InstrumentStatus, StatusColour> = {
  running: 'green',
  'method run': 'green',
  'manual run': 'green',
  ready: 'grey',
  'starting method run': 'grey',
  'starting manual run': 'grey',
  resetting: 'grey',
  initializing: 'grey',
  'initializing system': 'grey',
  wash: 'blue',
  hold: 'yellow',
  'hold pause': 'yellow',
  'system pause': 'orange',
  'pause hold': 'orange',
  'manual pause': 'orange',
  paused: 'orange',
  'alarms and errors': 'red',
  disconnected: 'lightgrey',
  Unknown: 'unknown',
}

export const orcStatuses = ['Connected', 'Edge Issue', 'Disconnected', 'Onboarding'] as const
export type OrcStatus = (typeof orcStatuses)[number]

export const logTypes = [
  'VID',
  'COMM',
  'AUDITTRAIL',
  'INSTRUMENTSERVER',
  'UNICORNCLIENT',
  'WINDOWSSYSTEMEVENT',
  'CONNECTIVITY',
  'THRESHOLD',
  'SYSTEMREPORT',
  'EVENT',
] as const
export type LogType = (typeof logTypes)[number]

/** Rules that rate the usage of a component (document 2 section 4, 3-decisions 9). */
export const thresholdRules = ['MAXIMUM_USAGE', 'HIGH_SAFE_USAGE', 'COUNT_DOWN', 'UNKNOWN_THRESHOLD'] as const
export type ThresholdRule = (typeof thresholdRules)[number]
/** Ratings of a usage value, in order of increasing urgency (3-decisions 9). */
export const usageColors = ['unknown', 'normal', 'safety', 'high', 'maximum'] as const
export type UsageColor = (typeof usageColors)[number]

/** Ranges of the run time chart, in days; the first is the default (document 2 section 4). */
export const runtimeRanges = [7, 30, 365] as const

/** State of a gateway's feed: on time, late, or silent; `never` before its first message. */
export const feedStates = ['heard', 'late', 'silent', 'never'] as const

/** Result of an alarm chain test: arrived within 60 s, within 10 minutes, not at all, or not known yet. */
export const alarmTestResults = ['arrived', 'late', 'missing', 'waiting'] as const
export type AlarmTestResult = (typeof alarmTestResults)[number]
/**
 * Template id of the test event, which causes no notification and is closed by the system, and of the event about a
 * missing test.
 */
export const ALARM_TEST_TEMPLATE_ID = 'TEST-1001'
export const MISSING_TEST_TEMPLATE_ID = 'TEST-1002'

export const roles = ['customer', 'service', 'support', 'admin'] as const
export type Role = (typeof roles)[number]

export const featureKeys = [
  'ALLOW_ASSET_DELETE',
  'ALLOW_EVENT_DELETE',
  'ALLOW_LOG_DELETE',
  'ALLOW_PROFILE_DELETE',
  'ALLOW_USER_DELETE',
  'ASSET_USAGE',
  'AUTO_EMAIL',
  'BACKOFFICE',
  'CREATE_EVENTS_WITH_CONTRACT_ONLY',
  'EDGE_ISSUE_EVENT_CREATION',
  'INSTRUMENT_OFFLINE_EVENT_CREATION',
  'INSTRUMENT_STATUS_TEMPLATE',
  'NOTIFY_UNDER_REVIEW',
  'WEEKLY_ALARM_INJECTION',
  'FETCH_INSTRUMENT_DAILY_RUNTIMES',
  'FETCH_INSTRUMENT_COMPONENTS',
] as const
export type FeatureKey = (typeof featureKeys)[number]

/** Permissions of an API token; the administrator chooses them when creating it. */
export const apiTokenScopes = ['cases', 'registry'] as const
export type ApiTokenScope = (typeof apiTokenScopes)[number]

/** Kinds of registry objects, as they appear in addresses (wire 13). */
export const registryKinds = [
  'customers',
  'sites',
  'contracts',
  'contacts',
  'instrument-families',
  'instrument-types',
  'instruments',
  'gateways',
  'event-templates',
] as const

/** The fixed 24-hour terms; `FULL_SUPPORT_TERM` of patterns.ts matches other wordings (3-decisions 4). */
export const fullSupportTerms: readonly string[] = [
  ...[
    'Global',
    'EMEA',
    'Americas',
    'North America',
    'Latin America',
    'APAC',
    'Japan',
    'China',
    'India',
    'Korea',
    'ANZ',
    'Nordics',
    'DACH',
    'UK&I',
    'France',
    'Benelux',
    'Iberia',
    'Italy',
    'CEE',
    'Middle East',
    'Africa',
  ].map((region) => `24/7 ${region}`),
  'Platinum 24/7',
  'Premium 24x7',
]

/**
 * Filter categories of events (wire 2) with their labels, in the order of the panel. `ofInstruments`: edge issues have no
 * value there, so a choice never finds one (3-decisions 4).
 */
export const eventFilterCategories = [
  { key: 'alertStatus', label: 'Event status' },
  { key: 'alertType', label: 'Event type' },
  { key: 'severity', label: 'Severity' },
  { key: 'owner', label: 'Owner' },
  { key: 'reasonClosed', label: 'Reason closed' },
  { key: 'componentName', label: 'Module', ofInstruments: true },
  { key: 'componentType', label: 'Component', ofInstruments: true },
  { key: 'instrumentType', label: 'Instrument type', ofInstruments: true },
  { key: 'instrumentStatus', label: 'Instrument status', ofInstruments: true },
  { key: 'run', label: 'Run', ofInstruments: true },
  { key: 'contractSLA', label: 'Contract SLA', ofInstruments: true },
  { key: 'contractClock', label: 'Contract clock', ofInstruments: true },
  { key: 'enterpriseName', label: 'Customer' },
  { key: 'siteRegion', label: 'Region' },
  { key: 'siteCountry', label: 'Country' },
  { key: 'siteCity', label: 'City' },
  { key: 'qualifiedSystem', label: 'Qualified system', ofInstruments: true },
] as const
export type EventFilterCategory = (typeof eventFilterCategories)[number]['key']

/**
 * A member of a filter: `severity` lists wanted values, `severity!` excluded ones. Addresses, requests and saved views
 * all spell it like this.
 */
export type FilterKey<Category extends string> = Category | `${Category}!`

/** Returns the member of a filter that lists the excluded values of a category. */
export function excluding<Category extends string>(category: Category): `${Category}!` {
  return `${category}!`
}

/**
 * The contract clock of an event: at least 4 hours left, less, none, or stopped. The clock of a 24-hour contract runs
 * from createdAt until the event has an owner or is closed; events without such a contract have no clock.
 */
export const contractClocks = ['over4h', 'under4h', 'overdue', 'stopped'] as const
export type ContractClock = (typeof contractClocks)[number]
/** Hours in which the contract promises that the event is acknowledged, and the hours left from which it is urgent. */
export const contractClockHours = { promised: 24, soon: 4 } as const

/** Maintenance state of an instrument: active, planned, or neither (wire 2). */
export const maintenanceStates = ['on', 'scheduled', 'none'] as const
export type MaintenanceState = (typeof maintenanceStates)[number]

/** Component usage of an instrument: a part has reached its limit, or none has. */
export const usageLimits = ['reached', 'notReached'] as const
export type UsageLimit = (typeof usageLimits)[number]

/** Filter categories of instruments (wire 2). */
export const instrumentFilterCategories = [
  { key: 'instrumentType', label: 'Instrument type' },
  { key: 'instrumentStatus', label: 'Instrument status' },
  { key: 'orcStatus', label: 'ORC status' },
  { key: 'maintenance', label: 'Maintenance' },
  { key: 'usageLimit', label: 'Usage limit' },
  { key: 'contractSLA', label: 'Contract SLA' },
  { key: 'instrumentCustomer', label: 'Customer' },
  { key: 'instrumentRegion', label: 'Region' },
  { key: 'instrumentCountry', label: 'Country' },
  { key: 'instrumentCity', label: 'City' },
  { key: 'qualifiedSystem', label: 'Qualified system' },
] as const
export type InstrumentFilterCategory = (typeof instrumentFilterCategories)[number]['key']

/** Columns of the instrument list and of its export as on screen, in default order. */
export const instrumentColumnLabels = {
  systemName: 'System name',
  instrument: 'Instrument',
  status: 'Status',
  productId: 'Installed product ID',
  region: 'Region',
  location: 'Location',
  customer: 'Customer',
  lastService: 'Last service',
  nextService: 'Next service',
  orcStatus: 'ORC status',
  events: 'Events',
} as const
export type InstrumentColumnKey = keyof typeof instrumentColumnLabels

/**
 * Columns that the instrument list can be sorted by; the first is the default (wire 3). `trouble` begins with what
 * needs attention, in ascending order: disconnected, behind a gateway with an edge issue, alarms and errors, open events
 * of high severity, then the rest.
 */
export const instrumentOrderBy = [
  'instrumentProductDescription',
  'instrumentDefinedSystemName',
  'instrumentInstalledProductId',
  'instrumentRegion',
  'instrumentCity',
  'instrumentCustomer',
  'instrumentLastService',
  'instrumentNextService',
  'orcStatus',
  'eventCount',
  'trouble',
] as const
export type InstrumentOrderBy = (typeof instrumentOrderBy)[number]

/** Columns of the event list and of its export as on screen, in default order. */
export const eventColumnLabels = {
  severity: 'Severity',
  age: 'Age',
  eventId: 'Event',
  description: 'Description',
  instrumentStatus: 'Instrument status',
  instrument: 'Instrument',
  productId: 'Installed product ID',
  location: 'Location',
  customer: 'Customer',
  timeLeft: 'Time left',
  owner: 'Owner',
  status: 'Status',
  email: 'E-mail sent',
} as const
export type EventColumnKey = keyof typeof eventColumnLabels

/** Columns that the event list can be sorted by (wire 2). */
export const eventOrderBy = [
  'createdAt',
  'severity',
  'eventId',
  'description',
  'instrumentStatus',
  'instrumentProductDescription',
  'instrumentInstalledProductId',
  'siteCity',
  'enterpriseName',
  'claimedBy',
  'alertStatus',
  'automaticEmailSentAt',
  'contractClock',
] as const
export type EventOrderBy = (typeof eventOrderBy)[number]

/** Quick filters, as they appear in addresses and bulk changes (3-decisions 4). */
export const quickFilters = ['noOwner', 'noAction', 'fullSupport'] as const
export type QuickFilter = (typeof quickFilters)[number]

/** Selection modes: only these ids, or everything that matches except these ids (document 1 section 3). */
export const selectionModes = ['include', 'exclude'] as const
export type SelectionMode = (typeof selectionModes)[number]

/** Kinds of exported lists. */
export const exportTypes = ['event', 'instrument'] as const
export type ExportType = (typeof exportTypes)[number]
export const exportDetails = ['BASIC', 'FULL'] as const
export type ExportDetails = (typeof exportDetails)[number]
export const exportStates = ['running', 'ready', 'failed'] as const
export const bulkStates = ['running', 'done', 'failed'] as const

/** Numbers of similar events to show; the first is the default (document 1 section 9). */
export const similarEventCounts = [10, 20, 30, 40, 50] as const

/**
 * Events that are counted to say how an error was closed before: at most this many, the newest, of this many years.
 * Counts of all customers have at least this many customers in them.
 */
export const outcomeLimits = { events: 5000, years: 3, customers: 5 } as const

/** The value of `instrumentFamily` that asks for instruments of every family. No family has this key. */
export const ALL_FAMILIES = 'All'

/** The kinds of entries of a calendar feed. */
export const calendarContents = ['maintenance', 'service', 'contract'] as const
export type CalendarContent = (typeof calendarContents)[number]
/** Lists that have saved views. */
export const viewAreas = ['events', 'instruments'] as const
export type ViewArea = (typeof viewAreas)[number]

export const pageSizes = [12, 25, 50, 75, 100] as const
export const defaultPageSize = 12

/** Maximum lengths and numbers in requests; larger values are refused (document 1 section 5, wire 1). */
export const limits = {
  keyword: 40,
  /** Installed product ids in an address, including commas. */
  instruments: 1000,
  unsubscribeToken: 70,
  reasonClosedComment: 2000,
  /** Id of a run. */
  run: 200,
  serviceMaxUrl: 500,
  caseStatus: 60,
  caseNote: 2000,
  shareMessage: 2000,
  shareReceivers: 20,
  /** Maximum number of events of a bulk change, and of ids of a selection (wire 2). */
  bulkEvents: 10_000,
  viewName: 60,
  calendarName: 60,
  webhookName: 60,
  webhookUrl: 2000,
  maintenanceReason: 500,
  /** Maximum number of values of one category of a notification profile. */
  notificationValues: 1000,
  supportEmailSubject: 200,
  supportEmailBody: 10_000,
  connectionDescription: 500,
  connectionUserMessage: 2000,
  /** Maximum length of a recurrence rule. The longest sensible rule has about 120 characters. */
  recurrenceRule: 300,
} as const

/** The `code` of a parked item that was discarded; its `reason` is then the one that the caller gave. */
export const DISCARDED = 'discarded'
