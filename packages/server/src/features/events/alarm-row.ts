import type { ServiceCase, ServiceEvent } from '@benchwatch/contract/events/events'
import type { AlertType, InstrumentStatus } from '@benchwatch/contract/vocabulary'
import { severityOf } from '../../db/sql/severity.ts'
import { alertStatusOf, closeReasonOf, ownerOnWire, splitTemplateId } from './event-codes.ts'

/** One event with everything that is shown with it, as `events.queries.ts` reads it. */
export interface AlarmRow {
  id: number
  alert_id: string
  template_id: string
  created_at: Date
  log_generated_at: Date
  cleared_at: Date | null
  severity: number
  alert_type: number
  alert_status: number
  alert_source: string
  is_edge_issue: boolean
  description: string
  user_message: string | null
  claimed_by: number | null
  claimed_by_name: string | null
  reason_closed: number | null
  reason_closed_comment: string | null
  service_max_case_number: string | null
  service_max_url: string | null
  automatic_email: { contactName: string | null; email: string; subject: string; body: string } | null
  automatic_email_sent_at: Date | null
  component_name: string | null
  component_type: string | null
  instrument_id: number | null
  installed_product_id: string
  product_description: string | null
  system_name: string | null
  instrument_type: string | null
  instrument_status: InstrumentStatus | null
  instrument_status_at_event: InstrumentStatus | null
  run: string | null
  qualified_system: boolean | null
  tier_one: boolean | null
  full_support: boolean
  during_maintenance: boolean
  latched_count: number
  customer_name: string
  street: string | null
  zip: string | null
  city: string | null
  country: string | null
  region: string | null
  time_zone: string | null
  latitude: string | null
  longitude: string | null
  contract_type: string | null
  sla_term: string | null
  contract_end: string | null
  last_maintenance: string | null
  last_service: string | null
  contact_name: string | null
  contact_mobile: string | null
  contact_phone: string | null
  contact_email: string | null
  it_contact_name: string | null
  it_contact_email: string | null
  gateway_name: string | null
  version: number
}

/**
 * Returns the event as lists carry it on the wire: without troubleshooting, remedy and the body of the automatic
 * e-mail.
 */
export function alarmOf(row: AlarmRow): ServiceEvent {
  const id = String(row.id)
  // Fields are assigned by name: spreading an object of fifty fields takes three times as long.
  const { eisCode, errorCode } = splitTemplateId(row.template_id)
  const logGeneratedAt = row.log_generated_at.toISOString()
  return {
    id,
    alertId: row.alert_id,
    eventId: id,
    templateId: row.template_id,
    eventTemplateId: row.template_id,
    eisCode,
    errorCode,
    date: logGeneratedAt,
    createdAt: row.created_at.toISOString(),
    logGeneratedAt,
    clearedAt: instantOrNull(row.cleared_at),
    severity: severityOf(row.severity),
    description: row.description,
    userMessage: row.user_message,
    alertType: row.alert_type as AlertType,
    alertSource: row.alert_source,
    isEdgeIssue: row.is_edge_issue,
    alertStatus: alertStatusOf(row.alert_status),
    claimedBy: ownerOnWire(row.claimed_by),
    claimedByName: row.claimed_by_name,
    reasonClosed: closeReasonOf(row.reason_closed),
    reasonClosedComment: row.reason_closed_comment,
    serviceMaxCaseNumber: row.service_max_case_number,
    serviceMaxUrl: row.service_max_url,
    automaticEmail: row.automatic_email && withoutBody(row.automatic_email),
    automaticEmailSentAt: instantOrNull(row.automatic_email_sent_at),
    componentName: row.component_name,
    componentType: row.component_type,
    instrumentId: row.instrument_id === null ? null : String(row.instrument_id),
    instrumentInstalledProductId: row.installed_product_id,
    instrumentProductDescription: row.product_description,
    instrumentDefinedSystemName: row.system_name,
    instrumentType: row.instrument_type,
    instrumentStatus: row.instrument_status,
    instrumentStatusAtEvent: row.instrument_status_at_event,
    run: row.run,
    qualifiedSystem: row.qualified_system,
    tierOne: row.tier_one ?? false,
    fullSupport: row.full_support,
    duringMaintenance: row.during_maintenance,
    latchedCount: row.latched_count,
    enterpriseName: row.customer_name,
    siteStreet: row.street,
    siteZip: row.zip,
    siteCity: row.city,
    siteCountry: row.country,
    siteRegion: row.region,
    siteTimeZone: row.time_zone,
    instrumentLocationLatitude: numberOrNull(row.latitude),
    instrumentLocationLongitude: numberOrNull(row.longitude),
    cpType: row.contract_type,
    cpSLATerm: row.sla_term,
    cpEndDate: row.contract_end,
    instrumentLastMaintenance: row.last_maintenance,
    instrumentLastService: row.last_service,
    contactName: row.contact_name,
    contactMobile: row.contact_mobile,
    contactPhone: row.contact_phone,
    contactEmail: row.contact_email,
    itContactName: row.it_contact_name,
    itContactEmail: row.it_contact_email,
    gatewayName: row.gateway_name,
    version: row.version,
  }
}

/** Returns the whole event, as a single read delivers it. */
export function wholeAlarmOf(
  row: AlarmRow & {
    troubleshooting: string | null
    remedy: string | null
  } & ServiceCaseRow,
): ServiceEvent {
  return Object.assign(alarmOf(row), {
    serviceCase: serviceCaseOf(row),
    automaticEmail: row.automatic_email,
    troubleshooting: row.troubleshooting,
    remedy: row.remedy,
  })
}

/** The case of the case desk, as it is joined to an event; the time of its request is null if there is none. */
interface ServiceCaseRow {
  case_requested_at: Date | null
  case_requested_by: string | null
  case_number: string | null
  case_last_error: string | null
  case_next_attempt_at: Date | null
  case_status: string | null
  case_status_since: Date | null
}

function serviceCaseOf(row: ServiceCaseRow): ServiceCase | null {
  if (row.case_requested_at === null) return null
  const isCreated = row.case_number !== null
  const hasFailed = !isCreated && row.case_last_error !== null
  return {
    requestedAt: row.case_requested_at.toISOString(),
    requestedByName: row.case_requested_by ?? '',
    isCreated,
    lastError: hasFailed ? row.case_last_error : null,
    retryAt: hasFailed ? instantOrNull(row.case_next_attempt_at) : null,
    status: row.case_status,
    statusSince: instantOrNull(row.case_status_since),
  }
}

function withoutBody({ contactName, email, subject }: NonNullable<AlarmRow['automatic_email']>) {
  return { contactName, email, subject }
}

function instantOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString()
}

function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text)
}
