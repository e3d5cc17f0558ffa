import { sql } from 'kysely'
import { recordAudits } from '../../db/audit.ts'
import type { Trx } from '../../db/connect.ts'
import { isOpen } from '../../db/scoped.ts'
import { dayAt, isFullSupport } from './full-support.ts'
import type { Writing } from './registry-object.ts'

interface OpenEvent {
  id: number
  created_at: Date
  full_support: boolean
  time_zone: string
  contract: string | null
  sla_term: string | null
  start_date: string | null
  end_date: string | null
}

/**
 * Updates open events after a contract change (specification: 24-hour contract). Each event is rated by the day on
 * which it was raised, under the instrument's current contract; events of a former customer stay as they are.
 *
 * Instruments are locked before their events, in order of id, like ingest: an event that is being raised at the same
 * time is either seen here or raised under the new contract.
 */
export async function followContracts(
  trx: Trx,
  writing: Writing,
  { contracts = [], instruments = [] }: { contracts?: readonly string[]; instruments?: readonly string[] },
): Promise<void> {
  if (writing.isTrial || contracts.length + instruments.length === 0) return
  const locked = await sql<{ id: number }>`
    SELECT i.id FROM instrument i LEFT JOIN contract c ON c.id = i.contract_id
    WHERE c.key = ANY(${[...contracts]}::text[]) OR i.installed_product_id = ANY(${[...instruments]}::text[])
    ORDER BY i.id FOR NO KEY UPDATE OF i`.execute(trx)
  const { rows: open } = await sql<OpenEvent>`
    SELECT e.id, e.created_at, e.full_support, s.time_zone, c.key AS contract, c.sla_term, c.start_date, c.end_date
    FROM service_event e
    JOIN instrument i ON i.id = e.instrument_id AND i.customer_id = e.customer_id
    JOIN site s ON s.id = e.site_id
    LEFT JOIN contract c ON c.id = i.contract_id
    WHERE e.instrument_id = ANY(${locked.rows.map(({ id }) => id)}::int[]) AND ${isOpen}
    ORDER BY e.id FOR NO KEY UPDATE OF e`.execute(trx)
  const changed = open.flatMap((event) => {
    const contract = { slaTerm: event.sla_term, startDate: event.start_date, endDate: event.end_date }
    const fullSupport = isFullSupport(
      event.contract === null ? null : contract,
      dayAt(event.time_zone, event.created_at),
    )
    return fullSupport === event.full_support ? [] : [{ ...event, fullSupport }]
  })
  if (changed.length === 0) return
  await sql`
    UPDATE service_event e SET full_support = n.full_support
    FROM unnest(${changed.map(({ id }) => id)}::bigint[], ${changed.map(({ fullSupport }) => fullSupport)}::boolean[])
      AS n (id, full_support)
    WHERE e.id = n.id`.execute(trx)
  await recordAudits(
    trx,
    changed.map((event) => ({
      subject: { entityType: 'service_event', entityId: String(event.id), actor: writing.actor, at: writing.at },
      entries: [
        {
          action: 'update',
          property: 'fullSupport',
          oldValue: String(event.full_support),
          newValue: String(event.fullSupport),
          reason: event.contract === null ? 'The instrument has no contract now' : `Contract ${event.contract}`,
        },
      ],
    })),
  )
}
