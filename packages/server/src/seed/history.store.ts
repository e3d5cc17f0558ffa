import { sql } from 'kysely'
import type { Client } from 'pg'
import { recordAudits } from '../db/audit.ts'
import type { Db } from '../db/connect.ts'
import { componentIds } from '../features/ingest/components.store.ts'
import { auditEntries } from '../features/service-events/change-record.ts'
import { foldedText } from '../features/service-events/new-service-event.ts'
import { alertStatusCodes, closeReasonCode, severityCodes } from '../features/service-events/service-event-codes.ts'
import { copyRows } from './copy-rows.ts'
import { unhandled } from './handling.ts'
import type { History, HistoryEvent, HistoryInstrument, HistoryTemplate } from './history-events.ts'

/** The outbox life that history counts in; gateways that come later count in later ones. */
const HISTORY_ORDINAL = 1

/** What history needs to know of the registry: instruments behind a gateway, and templates by `<type>/<templateId>`. */
export async function readHistoryGround(
  trx: Db,
): Promise<{ instruments: Map<string, HistoryInstrument>; templates: Map<string, HistoryTemplate> }> {
  const instruments = await sql<
    Omit<HistoryInstrument, 'contract'> & {
      installedProductId: string
      contractId: number | null
      slaTerm: string | null
      startDate: string | null
      endDate: string | null
    }
  >`
    SELECT i.installed_product_id AS "installedProductId", i.id, i.type, i.gateway_id AS "gatewayId",
      i.customer_id AS "customerId", i.site_id AS "siteId", s.time_zone AS "timeZone", c.id AS "contractId",
      c.sla_term AS "slaTerm", c.start_date AS "startDate", c.end_date AS "endDate"
    FROM instrument i JOIN site s ON s.id = i.site_id LEFT JOIN contract c ON c.id = i.contract_id
    WHERE i.gateway_id IS NOT NULL`.execute(trx)
  const templates = await sql<HistoryTemplate & { key: string }>`
    SELECT instrument_type || '/' || template_id AS key, (ARRAY['low', 'medium', 'high'])[severity] AS severity,
      description, user_message AS "userMessage"
    FROM event_template`.execute(trx)
  return {
    instruments: new Map(
      instruments.rows.map(({ installedProductId, contractId, slaTerm, startDate, endDate, ...instrument }) => [
        installedProductId,
        { ...instrument, contract: contractId === null ? null : { slaTerm, startDate, endDate } },
      ]),
    ),
    templates: new Map(templates.rows.map(({ key, ...template }) => [key, template])),
  }
}

/** Writes history by COPY, with the record of what people did. `trx` is the transaction of `client`. */
export async function writeHistory(trx: Db, client: Client, history: History): Promise<void> {
  await copyRows(
    client,
    {
      table: 'instrument_status_history',
      columns: ['instrument_id', 'at', 'epoch', 'sequence', 'status', 'received_at'],
    },
    history.statuses.map(({ instrumentId, at, sequence, status }) => [
      ...[instrumentId, at, HISTORY_ORDINAL, sequence, status, at],
    ]),
  )
  await copyRows(
    client,
    {
      table: 'log_entry',
      columns: [
        ...['instrument_id', 'log_type', 'ts', 'message', 'module', 'level', 'event_code', 'user_name', 'hostname'],
        'received_at',
      ],
    },
    history.logLines.map(({ instrumentId, logType, line, receivedAt }) => [
      ...[instrumentId, logType, line.timestamp, line.message, line.module, line.level, line.eventCode],
      ...[line.userName, line.hostname, receivedAt],
    ]),
  )
  await writeEvents(trx, client, history.events)
}

async function writeEvents(trx: Db, client: Client, events: readonly HistoryEvent[]): Promise<void> {
  const components = await componentIds(
    trx,
    events.map(({ componentName }) => componentName),
  )
  const { rows } = await sql<{ id: number }>`
    SELECT nextval(pg_get_serial_sequence('service_event', 'id')) AS id FROM generate_series(1, ${events.length})
  `.execute(trx)
  const numbered = events.map((event, index) => ({ event, id: rows[index]?.id ?? 0 }))
  await copyRows(
    client,
    { table: 'service_event', columns: eventColumns },
    numbered.map(({ event, id }) => eventRow(event, id, components.get(event.componentName) ?? null)),
  )
  await copyRows(
    client,
    { table: 'latched_alert', columns: ['instrument_id', 'alert_id', 'event_id'] },
    numbered.flatMap(({ event, id }) => event.furtherAlertIds.map((alertId) => [event.instrument.id, alertId, id])),
  )
  await recordAudits(
    trx,
    numbered
      .flatMap(({ event, id }) => event.steps.map((step, index) => ({ id, step, before: event.steps[index - 1] })))
      .sort((a, b) => a.step.at.getTime() - b.step.at.getTime())
      .map(({ id, step: { at, by, state }, before }) => ({
        subject: {
          entityType: 'service_event',
          entityId: String(id),
          actor: { type: 'user', id: by.id, name: by.name },
          at,
        },
        entries: auditEntries({ before: before?.state ?? unhandled, after: state }),
      })),
  )
}

const eventColumns = [
  ...['id', 'created_at', 'log_generated_at', 'cleared_at', 'alert_id', 'template_id', 'severity', 'alert_type'],
  ...['alert_status', 'description', 'user_message', 'text_folded', 'instrument_id', 'component_id', 'gateway_id'],
  ...['site_id', 'customer_id', 'instrument_status_at_event', 'full_support', 'latched_count', 'claimed_by'],
  ...['claimed_at', 'closed_at', 'reason_closed', 'reason_closed_comment', 'service_max_case_number'],
  ...['service_max_url', 'last_action_at', 'version'],
]

function eventRow(event: HistoryEvent, id: number, componentId: number | null) {
  const { instrument, steps } = event
  const last = steps.at(-1)
  const state = last?.state ?? unhandled
  const closedAt = steps.find((step) => step.state.alertStatus === '3_CLOSED')?.at
  return [
    ...[id, event.createdAt, event.logGeneratedAt, event.clearedAt, event.alertId, event.templateId],
    ...[severityCodes[event.severity], event.alertType, alertStatusCodes[state.alertStatus], event.description],
    ...[event.userMessage, foldedText(event.description, event.userMessage), instrument.id, componentId],
    ...[instrument.gatewayId, instrument.siteId, instrument.customerId, event.statusAtEvent, event.fullSupport],
    ...[event.latched, state.claimedBy, steps[0]?.at, closedAt, closeReasonCode(state.reasonClosed)],
    ...[state.reasonClosedComment, state.serviceMaxCaseNumber, state.serviceMaxUrl],
    ...[last?.at ?? event.createdAt, 1 + steps.length + event.latched + (event.clearedAt ? 1 : 0)],
  ]
}

/** Brings instruments and gateways to where history leaves them. `epoch` is the one that its items were counted in. */
export async function settleFleet(trx: Db, { epoch, now }: { epoch: string; now: Date }): Promise<void> {
  await sql`
    INSERT INTO gateway_epoch (gateway_id, epoch, ordinal) SELECT id, ${epoch}, ${HISTORY_ORDINAL} FROM gateway
  `.execute(trx)
  await sql`UPDATE gateway SET last_seen_at = ${now}`.execute(trx)
  // Instruments were connected some time after their installation, each on a day of its own.
  await sql`
    UPDATE instrument i SET status = h.status, status_at = h.at, status_epoch = h.epoch, status_sequence = h.sequence,
      unknown_at = CASE WHEN h.status = 'Unknown' THEN h.at END, orc_status = 'Connected',
      connected_at = greatest(coalesce(i.installation_date + 30, '2024-01-01'), ${now}::date - 40 - i.id * 7 % 800)
        + interval '8 hours' + i.id * interval '97 seconds'
    FROM (
      SELECT DISTINCT ON (instrument_id) * FROM instrument_status_history
      ORDER BY instrument_id, epoch DESC, sequence DESC) AS h
    WHERE h.instrument_id = i.id`.execute(trx)
}
