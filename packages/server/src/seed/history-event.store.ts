import type { alertSources } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { Client } from 'pg'
import { recordAudits } from '../db/audit.ts'
import type { Trx } from '../db/connect.ts'
import { severityCodes } from '../db/sql/severity.ts'
import { OFFLINE_TEMPLATE } from '../features/connections/connections.store.ts'
import { auditEntries, foldedText } from '../features/events/change-record.ts'
import { alertStatusCodes, closeReasonCode } from '../features/events/event-codes.ts'
import { componentIds } from '../features/ingest/readings.store.ts'
import { copyRows } from './copy-rows.ts'
import { unhandled } from './handling.ts'
import type { HistoryEvent } from './history-events.ts'

/** Writes events by COPY, and the audit log of their handling. `trx` is the transaction of `client`. */
export async function writeEvents(trx: Trx, client: Client, events: readonly HistoryEvent[]): Promise<void> {
  const components = await componentIds(
    trx,
    events.flatMap(({ componentName }) => componentName ?? []),
  )
  const { rows } = await sql<{ id: number }>`
    SELECT nextval(pg_get_serial_sequence('service_event', 'id')) AS id FROM generate_series(1, ${events.length})
  `.execute(trx)
  const numbered = events.map((event, index) => ({ event, id: rows[index]?.id ?? 0 }))
  await copyRows(
    client,
    { table: 'service_event', columns: eventColumns },
    numbered.map(({ event, id }) =>
      eventRow(event, id, event.componentName === null ? null : (components.get(event.componentName) ?? null)),
    ),
  )
  await copyRows(
    client,
    { table: 'latched_alert', columns: ['instrument_id', 'alert_id', 'event_id'] },
    numbered.flatMap(({ event, id }) => event.furtherAlertIds.map((alertId) => [event.instrumentId, alertId, id])),
  )
  await recordSteps(trx, numbered)
}

/** Writes the audit log of the actions of users, in order of time. */
async function recordSteps(trx: Trx, events: readonly { event: HistoryEvent; id: number }[]): Promise<void> {
  const steps = events
    .flatMap(({ event, id }) => event.steps.map((step, index) => ({ id, step, before: event.steps[index - 1] })))
    .sort((a, b) => a.step.at.getTime() - b.step.at.getTime())
  for (let start = 0; start < steps.length; start += STEPS_AT_ONCE) {
    await recordAudits(
      trx,
      steps.slice(start, start + STEPS_AT_ONCE).map(({ id, step: { at, by, state }, before }) => ({
        subject: {
          entityType: 'service_event',
          entityId: String(id),
          actor: by === 'system' ? { type: 'system' } : { type: 'user', id: by.id, name: by.name },
          at,
        },
        entries: auditEntries({ before: before?.state ?? unhandled, after: state }),
      })),
    )
  }
}

/** Each row is sent to the database as about 500 bytes of JSON: all 130,000 at once take 200 MB more. */
const STEPS_AT_ONCE = 2000

const eventColumns = [
  ...['id', 'created_at', 'log_generated_at', 'cleared_at', 'alert_id', 'template_id', 'severity', 'alert_type'],
  ...['alert_status', 'alert_source', 'is_edge_issue', 'description', 'user_message', 'text_folded'],
  ...['instrument_id', 'component_id', 'gateway_id'],
  ...['site_id', 'customer_id', 'instrument_status_at_event', 'full_support', 'latched_count', 'claimed_by'],
  ...['claimed_at', 'closed_at', 'reason_closed', 'reason_closed_comment', 'service_max_case_number'],
  ...['service_max_url', 'automatic_email', 'automatic_email_sent_at', 'last_action_at', 'version', 'run_id'],
]

function sourceOf({ isEdgeIssue, templateId }: HistoryEvent): (typeof alertSources)[number] {
  if (isEdgeIssue) return 'EDGE_ISSUE'
  return templateId === OFFLINE_TEMPLATE ? 'OFFLINE' : 'INSTRUMENT'
}

function eventRow(event: HistoryEvent, id: number, componentId: number | null) {
  const { steps, automaticEmail } = event
  const last = steps.at(-1)
  const state = last?.state ?? unhandled
  const closedAt = steps.find((step) => step.state.alertStatus === '3_CLOSED')?.at
  // Events closed by the product itself were not claimed by a user.
  const claimedAt = steps.find(({ by }) => by !== 'system')?.at
  const email = automaticEmail && JSON.stringify(automaticEmail.content)
  const changes = steps.length + event.latched + (event.clearedAt ? 1 : 0) + (automaticEmail ? 1 : 0)
  return [
    ...[id, event.createdAt, event.logGeneratedAt, event.clearedAt, event.alertId, event.templateId],
    ...[severityCodes[event.severity], event.alertType, alertStatusCodes[state.alertStatus]],
    ...[sourceOf(event), event.isEdgeIssue, event.description, event.userMessage],
    ...[foldedText(event.description, event.userMessage), event.instrumentId, componentId],
    ...[event.gatewayId, event.siteId, event.customerId, event.statusAtEvent, event.fullSupport],
    ...[event.latched, state.claimedBy, claimedAt, closedAt, closeReasonCode(state.reasonClosed)],
    ...[state.reasonClosedComment, state.serviceMaxCaseNumber, state.serviceMaxUrl],
    ...[email, automaticEmail?.sentAt, last?.at ?? automaticEmail?.sentAt ?? event.createdAt, 1 + changes],
    event.runId ?? null,
  ]
}
