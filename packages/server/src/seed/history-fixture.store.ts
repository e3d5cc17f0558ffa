import type { InstrumentStatus, Severity } from '@benchwatch/contract/vocabulary'
import type { LastingSilences } from '@benchwatch/samples/simulator/outages'
import { sql } from 'kysely'
import type { Client } from 'pg'
import type { Trx } from '../db/connect.ts'
import { severityWord } from '../db/sql/severity.ts'
import type { SupportContract } from '../features/registry/full-support.ts'
import { type CopyRow, copyRows } from './copy-rows.ts'

/** The data of a registered instrument that the history needs. */
export interface HistoryInstrument {
  id: number
  type: string
  gatewayId: number
  customerId: number
  siteId: number
  timeZone: string
  productDescription: string
  customerKey: string
  contract: SupportContract | null
  contact: { name: string | null; email: string } | null
}

/** The data of a gateway that an edge issue needs. */
export interface HistoryGateway {
  id: number
  name: string
  installedProductId: string
  siteId: number
  customerId: number
}

export interface HistoryTemplate {
  severity: Severity
  description: string
  userMessage: string | null
  troubleshooting: string | null
}

/** The data of the registry that the history needs. */
export interface HistoryFixture {
  /** Instruments behind a gateway, by installed product id. */
  instruments: ReadonlyMap<string, HistoryInstrument>
  /** Keys are `<instrumentType>/<templateId>`. */
  templates: ReadonlyMap<string, HistoryTemplate>
  gateways: readonly HistoryGateway[]
}

export async function readHistoryFixture(trx: Trx): Promise<HistoryFixture> {
  const instruments = await sql<
    Omit<HistoryInstrument, 'contract' | 'contact'> & {
      installedProductId: string
      contactName: string | null
      contactEmail: string | null
      contractId: number | null
      slaTerm: string | null
      startDate: string | null
      endDate: string | null
    }
  >`
    SELECT i.installed_product_id AS "installedProductId", i.id, i.type, i.gateway_id AS "gatewayId",
      i.customer_id AS "customerId", i.site_id AS "siteId", s.time_zone AS "timeZone",
      i.product_description AS "productDescription", k.key AS "customerKey", p.name AS "contactName",
      p.key AS "contactEmail", c.id AS "contractId", c.sla_term AS "slaTerm", c.start_date AS "startDate", c.end_date AS "endDate"
    FROM instrument i JOIN site s ON s.id = i.site_id JOIN customer k ON k.id = i.customer_id
    LEFT JOIN contract c ON c.id = i.contract_id LEFT JOIN contact p ON p.id = i.contact_id
    WHERE i.gateway_id IS NOT NULL`.execute(trx)
  const templates = await sql<HistoryTemplate & { key: string }>`
    SELECT instrument_type || '/' || template_id AS key, ${severityWord('severity')} AS severity,
      description, user_message AS "userMessage", troubleshooting
    FROM event_template`.execute(trx)
  const gateways = await sql<HistoryGateway>`
    SELECT g.id, g.name, g.installed_product_id AS "installedProductId", g.site_id AS "siteId",
      s.customer_id AS "customerId"
    FROM gateway g JOIN site s ON s.id = g.site_id ORDER BY g.name`.execute(trx)
  return {
    instruments: new Map(
      instruments.rows.map(
        ({ installedProductId, contractId, slaTerm, startDate, endDate, contactName, contactEmail, ...instrument }) => [
          installedProductId,
          {
            ...instrument,
            contract: contractId === null ? null : { slaTerm, startDate, endDate },
            contact: contactEmail === null ? null : { name: contactName, email: contactEmail },
          },
        ],
      ),
    ),
    templates: new Map(templates.rows.map(({ key, ...template }) => [key, template])),
    gateways: gateways.rows,
  }
}

/** Ordinal of the outbox lifetime in the history; later gateways have higher ones. */
export const HISTORY_ORDINAL = 1

/** Status of an instrument at the end of the history. */
export interface LastStatus {
  instrumentId: number
  at: Date
  sequence: number
  status: InstrumentStatus
  /** The run in progress, and since when; the latter is null if there was never one. */
  runId: number | null
  runSince: Date | null
}

/**
 * Updates instruments and gateways to their state at the end of the history. `epoch` is the outbox lifetime of its
 * items, `from` is its beginning.
 */
export async function settleFleet(
  trx: Trx,
  {
    epoch,
    statuses,
    silences,
    from,
    now,
  }: { epoch: string; statuses: readonly LastStatus[]; silences: LastingSilences; from: Date; now: Date },
): Promise<void> {
  await sql`
    INSERT INTO gateway_epoch (gateway_id, epoch, ordinal) SELECT id, ${epoch}, ${HISTORY_ORDINAL} FROM gateway
  `.execute(trx)
  await sql`UPDATE gateway SET last_seen_at = ${now}, first_seen_at = ${from}`.execute(trx)
  // Instruments were connected a month after their installation, each on a different day, and before the history
  // begins.
  await sql`
    UPDATE instrument i SET status = h.status, status_at = h.at, status_epoch = ${HISTORY_ORDINAL},
      status_sequence = h.sequence, unknown_at = CASE WHEN h.status IN ('Unknown', 'disconnected') THEN h.at END,
      orc_status = CASE h.status WHEN 'disconnected' THEN 'Disconnected' ELSE 'Connected' END,
      connected_at = c.connected_at, created_at = c.connected_at - interval '1 day', run_id = h.run_id, run_since = h.run_since
    FROM unnest(${statuses.map(({ instrumentId }) => instrumentId)}::int[],
      ${statuses.map(({ at }) => at.toISOString())}::timestamptz[],
      ${statuses.map(({ sequence }) => sequence)}::bigint[], ${statuses.map(({ status }) => status)}::text[],
      ${statuses.map(({ runId }) => runId)}::int[], ${statuses.map(({ runSince }) => runSince?.toISOString() ?? null)}::timestamptz[])
      AS h (instrument_id, at, sequence, status, run_id, run_since)
    JOIN instrument j ON j.id = h.instrument_id
    CROSS JOIN LATERAL (SELECT least(${from}::date - 1,
      greatest(coalesce(j.installation_date + 30, '2024-01-01'), ${from}::date - 30 - j.id * 7 % 800))
        + interval '8 hours' + j.id * interval '97 seconds' AS connected_at) AS c
    WHERE h.instrument_id = i.id`.execute(trx)
  for (const [name, since] of silences.gateways) await silence(trx, name, new Date(since))
}

/** A gateway that is not heard of any more, and what it leaves unknown. */
async function silence(trx: Trx, name: string, since: Date): Promise<void> {
  await sql`
    WITH silent AS (
      UPDATE gateway SET last_seen_at = ${since}, silent_since = ${since} WHERE name = ${name} RETURNING id)
    UPDATE instrument i SET orc_status = 'Edge Issue', unknown_at = coalesce(i.unknown_at, ${since})
    FROM silent WHERE i.gateway_id = silent.id AND i.orc_status <> 'Onboarding'`.execute(trx)
}

/**
 * Writes when instruments were connected: since their first contact, except during outages of the gateway or the
 * instrument.
 */
export async function writeConnectionHistory(trx: Trx): Promise<void> {
  await sql`
    INSERT INTO orc_status_history (instrument_id, at, orc_status)
    SELECT id, connected_at, 'Connected' FROM instrument WHERE connected_at IS NOT NULL
    UNION ALL
    SELECT i.id, change.at, change.orc_status
    FROM service_event e JOIN instrument i ON i.gateway_id = e.gateway_id AND i.connected_at < e.created_at
    CROSS JOIN LATERAL (VALUES (e.created_at - interval '10 minutes', 'Edge Issue'), (e.cleared_at, 'Connected'))
      AS change (at, orc_status)
    WHERE e.is_edge_issue AND e.cleared_at IS NOT NULL
    UNION ALL
    SELECT id, unknown_at, orc_status FROM instrument WHERE orc_status IN ('Disconnected', 'Edge Issue')
    ON CONFLICT DO NOTHING`.execute(trx)
  await sql`
    INSERT INTO gateway_silence (gateway_id, since, until)
    SELECT gateway_id, created_at - interval '10 minutes', cleared_at FROM service_event
    WHERE is_edge_issue AND cleared_at IS NOT NULL
    UNION ALL
    SELECT id, silent_since, NULL FROM gateway WHERE silent_since IS NOT NULL
    ON CONFLICT DO NOTHING`.execute(trx)
}

/** Writes runs with the ids that statuses name, which begin at 1, and keeps later ones clear of them. */
export async function writeRuns(
  { trx, client }: { trx: Trx; client: Client },
  runs: readonly CopyRow[],
): Promise<void> {
  await copyRows(client, { table: 'run', columns: ['id', 'customer_id', 'name', 'name_folded'] }, runs)
  await sql`SELECT count(nextval(pg_get_serial_sequence('run', 'id'))) FROM generate_series(1, ${runs.length})`.execute(
    trx,
  )
}
