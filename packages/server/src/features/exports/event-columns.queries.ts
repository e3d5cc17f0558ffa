import { type ServiceEvent, serviceEvent } from '@benchwatch/contract/events/events'
import {
  alertStatusLabels,
  closeReasons,
  contractClockHours,
  type ExportDetails,
  eventColumnLabels,
  SYSTEM_OWNER,
  severityLabels,
} from '@benchwatch/contract/vocabulary'
import { type RawBuilder, sql } from 'kysely'
import { severityCodes } from '../../db/sql/severity.ts'
import { alertStatusCodes, SYSTEM_USER_ID } from '../events/event-codes.ts'
import type { AlarmRow } from '../events/events.queries.ts'
import { type CsvColumn, cellsOf, instantOf, listColumns, placeOf, quoted } from './csv-cells.queries.ts'

const { plain, text, instant, boolean, decimal } = cellsOf<keyof AlarmRow | 'troubleshooting' | 'remedy'>()
const mail = (part: string) => quoted(sql`(${plain('automatic_email')} ->> ${sql.lit(part)})`)
/** Maps a code to its label: code 1 is the first label. No label needs quotes. */
const word = (column: keyof AlarmRow, words: readonly string[]) =>
  sql`(ARRAY[${sql.join(words.map((one) => sql.lit(one)))}])[${plain(column)}]`

/** Returns the values in order of their codes, which start at 1. */
function inOrderOfCodes<W extends string>(codes: Record<W, number>): W[] {
  return (Object.keys(codes) as W[]).sort((a, b) => codes[a] - codes[b])
}
const severityLabel = inOrderOfCodes(severityCodes)
const statusLabel = inOrderOfCodes(alertStatusCodes)

const errorCode = sql`split_part(${plain('template_id')}, '-', -1)`

/** The end of a running contract clock. The file lasts longer than "time left". */
const contractDue = sql`(CASE WHEN ${plain('full_support')} AND ${plain('claimed_by')} IS NULL
  AND ${plain('alert_status')} <> ${sql.lit(alertStatusCodes['3_CLOSED'])}
  THEN ${plain('created_at')} + ${sql.lit(`${contractClockHours.promised} hours`)}::interval END)`

/** The columns of the list. Times that the list shows relative to now are instants here. */
const basic = listColumns(
  { ...eventColumnLabels, age: 'Created (UTC)', timeLeft: 'Contract due (UTC)', email: 'E-mail sent (UTC)' },
  {
    severity: word(
      'severity',
      severityLabel.map((one) => severityLabels[one]),
    ),
    age: instant('created_at'),
    eventId: sql`'ORC-' || ${plain('id')}`,
    description: text('description'),
    instrumentStatus: plain('instrument_status'),
    instrument: quoted(sql`coalesce(${plain('product_description')}, ${plain('gateway_name')})`),
    productId: text('installed_product_id'),
    location: placeOf(plain('city'), plain('country')),
    customer: text('customer_name'),
    timeLeft: instantOf(contractDue),
    owner: text('claimed_by_name'),
    status: word(
      'alert_status',
      statusLabel.map((one) => alertStatusLabels[one]),
    ),
    email: instant('automatic_email_sent_at'),
  },
)

/**
 * Every field as `events.queries.ts` makes it for the wire, in SQL: converting a million rows in JavaScript blocked the
 * server's only thread for half a minute.
 */
const fields: Record<Exclude<keyof ServiceEvent, 'automaticEmail' | 'serviceCase'>, RawBuilder<unknown>> = {
  id: plain('id'),
  alertId: text('alert_id'),
  eventId: plain('id'),
  templateId: text('template_id'),
  eventTemplateId: text('template_id'),
  eisCode: quoted(sql`left(${plain('template_id')}, -1 - length(${errorCode}))`),
  errorCode: quoted(errorCode),
  date: instant('log_generated_at'),
  createdAt: instant('created_at'),
  logGeneratedAt: instant('log_generated_at'),
  clearedAt: instant('cleared_at'),
  severity: word('severity', severityLabel),
  description: text('description'),
  userMessage: text('user_message'),
  alertType: plain('alert_type'),
  alertSource: text('alert_source'),
  isEdgeIssue: boolean('is_edge_issue'),
  alertStatus: word('alert_status', statusLabel),
  claimedBy: sql`CASE ${plain('claimed_by')} WHEN ${sql.lit(SYSTEM_USER_ID)} THEN ${sql.lit(SYSTEM_OWNER)} ELSE ${plain('claimed_by')}::text END`,
  claimedByName: text('claimed_by_name'),
  reasonClosed: word('reason_closed', closeReasons),
  reasonClosedComment: text('reason_closed_comment'),
  serviceMaxCaseNumber: text('service_max_case_number'),
  serviceMaxUrl: text('service_max_url'),
  automaticEmailSentAt: instant('automatic_email_sent_at'),
  troubleshooting: text('troubleshooting'),
  remedy: text('remedy'),
  componentName: text('component_name'),
  componentType: text('component_type'),
  instrumentId: plain('instrument_id'),
  instrumentInstalledProductId: text('installed_product_id'),
  instrumentProductDescription: text('product_description'),
  instrumentDefinedSystemName: text('system_name'),
  instrumentType: plain('instrument_type'),
  instrumentStatus: plain('instrument_status'),
  instrumentStatusAtEvent: plain('instrument_status_at_event'),
  run: text('run'),
  qualifiedSystem: boolean('qualified_system'),
  tierOne: sql`coalesce(${plain('tier_one')}, false)::text`,
  fullSupport: boolean('full_support'),
  duringMaintenance: boolean('during_maintenance'),
  latchedCount: plain('latched_count'),
  enterpriseName: text('customer_name'),
  siteStreet: text('street'),
  siteZip: text('zip'),
  siteCity: text('city'),
  siteCountry: text('country'),
  siteRegion: text('region'),
  siteTimeZone: text('time_zone'),
  instrumentLocationLatitude: decimal('latitude'),
  instrumentLocationLongitude: decimal('longitude'),
  cpType: text('contract_type'),
  cpSLATerm: text('sla_term'),
  cpEndDate: plain('contract_end'),
  instrumentLastMaintenance: plain('last_maintenance'),
  instrumentLastService: plain('last_service'),
  contactName: text('contact_name'),
  contactMobile: text('contact_mobile'),
  contactPhone: text('contact_phone'),
  contactEmail: text('contact_email'),
  itContactName: text('it_contact_name'),
  itContactEmail: text('it_contact_email'),
  gatewayName: text('gateway_name'),
  version: plain('version'),
}

const mailParts = ['contactName', 'email', 'subject', 'body']

/**
 * Every field under its name on the wire, in the order of the contract, except the state of a case; the automatic e-mail
 * as its four parts.
 */
const full = (Object.keys(serviceEvent.shape) as (keyof ServiceEvent)[]).flatMap((field): CsvColumn[] => {
  if (field === 'serviceCase') return []
  return field === 'automaticEmail'
    ? mailParts.map((part) => ({ head: `automaticEmail.${part}`, cell: mail(part) }))
    : [{ head: field, cell: fields[field] }]
})

export const eventColumns: Record<ExportDetails, readonly CsvColumn[]> = { BASIC: basic, FULL: full }
