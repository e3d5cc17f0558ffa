import type { IngestItem } from '@benchwatch/contract/ingest'
import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import type { NewServiceEvent } from '../events/change-record.ts'
import type { Clear, EventOutcome, Raise, UnclearedHeldBack } from './alarms/alarm-outcome.ts'
import { countedUpTo } from './alarms/alarms.store.ts'
import { keptJson } from './read-items.ts'

/** A raise that makes no event, and its outcome in the same transaction. */
export interface HeldBackRaise extends EventOutcome {
  raise: Raise & { item: IngestItem }
  /** The event as it would have been stored. */
  event: NewServiceEvent
}

/**
 * Reads the held-back events that these raises may repeat or these clears may end. Their instruments are locked, and
 * every writer of the table waits for that lock.
 */
export async function readUnclearedHeldBack(trx: Trx, items: readonly (Raise | Clear)[]): Promise<UnclearedHeldBack[]> {
  const raises = items.filter((item): item is Raise => item.kind === 'raised' && item.isHeldBack === true)
  const clears = items.filter((item) => item.kind === 'cleared')
  if (raises.length === 0 && clears.length === 0) return []
  const { rows } = await sql<UnclearedHeldBack>`
    WITH candidates AS MATERIALIZED (
      SELECT found.id FROM unnest(
        ${raises.map(({ instrumentId }) => instrumentId)}::int[], ${raises.map(({ templateId }) => templateId)}::text[],
        ${raises.map(({ componentId }) => componentId)}::int[], ${raises.map(({ customerId }) => customerId)}::int[]
      ) AS r (instrument_id, template_id, component_id, customer_id)
      CROSS JOIN LATERAL (
        SELECT h.id FROM held_back_event h
        WHERE h.instrument_id = r.instrument_id AND h.template_id = r.template_id AND h.component_id = r.component_id
          AND h.customer_id = r.customer_id AND h.released_at IS NULL AND h.cleared_at IS NULL
        LIMIT 1
      ) found
      UNION
      SELECT a.held_back_id FROM unnest(
        ${clears.map(({ instrumentId }) => instrumentId)}::int[], ${clears.map(({ alertId }) => alertId)}::text[]
      ) AS c (instrument_id, alert_id)
      JOIN held_back_alert a USING (instrument_id, alert_id)
    )
    SELECT h.id, h.instrument_id AS "instrumentId", h.customer_id AS "customerId", h.template_id AS "templateId",
      h.component_id AS "componentId",
      ARRAY(SELECT a.alert_id FROM held_back_alert a
        WHERE a.held_back_id = h.id AND a.alert_id = ANY(${items.map(({ alertId }) => alertId)}::text[])) AS "alertIds"
    FROM candidates JOIN held_back_event h USING (id)
    WHERE h.released_at IS NULL AND h.cleared_at IS NULL
    ORDER BY h.id`.execute(trx)
  return rows
}

/** Counts repeats of held-back events and marks their return to normal. */
export async function reportHeldBack(trx: Trx, outcomes: ReadonlyMap<number, EventOutcome>): Promise<void> {
  if (outcomes.size === 0) return
  const changes = [...outcomes.values()]
  const named = [...outcomes].flatMap(([id, { furtherAlertIds }]) =>
    furtherAlertIds.map((alertId) => ({ id, alertId })),
  )
  await sql`
    WITH reported AS (
      UPDATE held_back_event h SET raises = ${countedUpTo(sql`h.raises + n.latched`)}, cleared_at = n.cleared_at
      FROM unnest(${[...outcomes.keys()]}::bigint[], ${changes.map(({ latched }) => latched)}::bigint[],
        ${changes.map(({ clearedAt }) => clearedAt?.toISOString() ?? null)}::timestamptz[]) AS n (id, latched, cleared_at)
      WHERE h.id = n.id
      RETURNING h.id, h.instrument_id
    )
    INSERT INTO held_back_alert (instrument_id, alert_id, held_back_id)
    SELECT reported.instrument_id, a.alert_id, a.id
    FROM unnest(${named.map(({ id }) => id)}::bigint[], ${named.map(({ alertId }) => alertId)}::text[]) AS a (id, alert_id)
    JOIN reported USING (id)
    ON CONFLICT DO NOTHING`.execute(trx)
}

/**
 * Stores events that are held back for lack of a running contract: first raise, number of raises, all their alert ids.
 */
export async function holdBack(trx: Trx, raises: readonly HeldBackRaise[], now: Date): Promise<void> {
  if (raises.length === 0) return
  const of = <T>(pick: (held: HeldBackRaise) => T) => raises.map(pick)
  const named = raises.flatMap(({ raise, furtherAlertIds }, index) =>
    [raise.alertId, ...furtherAlertIds].map((alertId) => ({ position: index + 1, alertId })),
  )
  await sql`
    WITH n AS MATERIALIZED (
      SELECT nextval('held_back_event_id_seq') AS id, r.* FROM unnest(
        ${of(({ raise }) => raise.instrumentId)}::int[], ${of(({ raise }) => raise.customerId)}::int[],
        ${of(({ raise }) => raise.templateId)}::text[], ${of(({ raise }) => raise.componentId)}::int[],
        ${of(({ raise }) => raise.order.gatewayId)}::int[], ${of(({ raise }) => raise.order.epoch)}::int[],
        ${of(({ raise }) => raise.order.sequence)}::bigint[], ${of(({ raise }) => keptJson(raise.item))}::jsonb[],
        ${of(({ event }) => event.description)}::text[], ${of(({ event }) => event.logGeneratedAt)}::timestamptz[],
        ${of(({ latched }) => latched + 1)}::bigint[], ${of(({ clearedAt }) => clearedAt)}::timestamptz[]
      ) WITH ORDINALITY AS r (instrument_id, customer_id, template_id, component_id, gateway_id, epoch, sequence, item,
        description, raised_at, raises, cleared_at, position)
    ), kept AS (
      INSERT INTO held_back_event (id, instrument_id, customer_id, template_id, component_id, gateway_id, epoch, sequence,
        item, description, raised_at, held_back_at, raises, cleared_at)
      OVERRIDING SYSTEM VALUE
      SELECT id, instrument_id, customer_id, template_id, component_id, gateway_id, epoch, sequence,
        item, description, raised_at, ${now}, ${countedUpTo(sql`raises`)}, cleared_at
      FROM n
    )
    INSERT INTO held_back_alert (instrument_id, alert_id, held_back_id)
    SELECT n.instrument_id, a.alert_id, n.id
    FROM unnest(${named.map(({ position }) => position)}::int[], ${named.map(({ alertId }) => alertId)}::text[])
      AS a (position, alert_id)
    JOIN n USING (position)
    ON CONFLICT DO NOTHING`.execute(trx)
}
