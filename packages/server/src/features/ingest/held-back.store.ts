import type { IngestItem } from '@benchwatch/contract/ingest'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { NewServiceEvent } from '../service-events/new-service-event.ts'
import type { EventCourse, Raise } from './alarm-course.ts'
import { keptJson } from './kept-json.ts'

/** A raise of which no event is made, and what became of it in the same transaction. */
export interface HeldBackRaise extends EventCourse {
  raise: Raise & { item: IngestItem }
  /** As it would have been. */
  event: NewServiceEvent
}

/**
 * Keeps raises of which no event is made for want of a running contract: a row for each alarm, which counts how often it was
 * raised and keeps the last raise. Its instruments are locked.
 */
export async function holdBack(trx: Db, raises: readonly HeldBackRaise[], now: Date): Promise<void> {
  if (raises.length === 0) return
  // An alarm that returned to normal and was raised anew in one transaction is still one row.
  const byAlarm = new Map<string, HeldBackRaise & { raises: number }>()
  for (const held of raises) {
    const { instrumentId, templateId, componentId } = held.raise
    const name = `${instrumentId} ${componentId} ${templateId}`
    const before = byAlarm.get(name)
    const event = before ? { ...held.event, logGeneratedAt: before.event.logGeneratedAt } : held.event
    byAlarm.set(name, { ...held, event, raises: (before?.raises ?? 0) + 1 + held.latched })
  }
  const rows = [...byAlarm.values()]
  const of = <T>(pick: (held: (typeof rows)[number]) => T) => rows.map(pick)
  await sql`
    INSERT INTO held_back_event AS h (instrument_id, customer_id, template_id, component_id, gateway_id, epoch, sequence,
      item, description, raised_at, held_back_at, raises, cleared_at)
    SELECT n.instrument_id, n.customer_id, n.template_id, n.component_id, n.gateway_id, n.epoch, n.sequence,
      n.item, n.description, n.raised_at, ${now}, n.raises, n.cleared_at
    FROM unnest(
      ${of(({ raise }) => raise.instrumentId)}::int[], ${of(({ raise }) => raise.customerId)}::int[],
      ${of(({ raise }) => raise.templateId)}::text[], ${of(({ raise }) => raise.componentId)}::int[],
      ${of(({ raise }) => raise.order.gatewayId)}::int[], ${of(({ raise }) => raise.order.epoch)}::int[],
      ${of(({ raise }) => raise.order.sequence)}::bigint[], ${of(({ raise }) => keptJson(raise.item))}::jsonb[],
      ${of(({ event }) => event.description)}::text[], ${of(({ event }) => event.logGeneratedAt)}::timestamptz[],
      ${of(({ raises }) => raises)}::int[], ${of(({ clearedAt }) => clearedAt)}::timestamptz[]
    ) AS n (instrument_id, customer_id, template_id, component_id, gateway_id, epoch, sequence, item, description,
      raised_at, raises, cleared_at)
    ORDER BY n.instrument_id, n.template_id, n.component_id
    ON CONFLICT (instrument_id, template_id, component_id, customer_id) WHERE released_at IS NULL
    DO UPDATE SET gateway_id = excluded.gateway_id, epoch = excluded.epoch, sequence = excluded.sequence,
      item = excluded.item, description = excluded.description, raises = h.raises + excluded.raises,
      cleared_at = excluded.cleared_at`.execute(trx)
}
