import type { EventOutcomes, Outcome, Outcomes } from '@benchwatch/contract/events/event-details'
import { closeReasons, outcomeLimits } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { DataScope } from '../../../db/actor.ts'
import type { Db } from '../../../db/connect.ts'
import { serviceEvents } from '../../../db/scoped.ts'

interface CountedInput {
  id: number
  templateId: string
  /** Events that are counted. */
  of: DataScope
  since: Date
  now: Date
}

interface ReasonRow {
  counted: number
  oldest: Date | null
  reason_closed: number | null
  events: number
  median_seconds: number
  old_7: number
  back_7: number
  old_30: number
  back_30: number
  customers: number[]
  customers_7: number[] | null
  customers_30: number[] | null
}

/**
 * Returns how other events with the error of this event were closed and how often the error came back, within the
 * scope and, for callers who don't see all customers, everywhere. Undefined if the event is outside the scope.
 */
export async function readOutcomes(
  db: Db,
  { id, scope, now }: { id: number; scope: DataScope; now: Date },
): Promise<EventOutcomes | undefined> {
  const event = await serviceEvents(db, scope).where('e.id', '=', id).select('e.template_id').executeTakeFirst()
  if (!event) return undefined
  const since = new Date(now)
  since.setUTCFullYear(since.getUTCFullYear() - outcomeLimits.years)
  const counted = { id, templateId: event.template_id, since, now }
  const inside = await countReasons(db, { ...counted, of: scope })
  if (scope === 'all') return { inScope: outcomesOf(inside, { since, isShown: () => true }), everywhere: null }
  const outside = await countReasons(db, { ...counted, of: 'all' })
  const isShown = (customers: readonly number[]) => isAnonymous(customers, scope)
  return {
    inScope: outcomesOf(inside, { since, isShown: () => true }),
    everywhere: outcomesOf(outside, { since, isShown }),
  }
}

/**
 * True if counts of events of these customers may be shown to callers with this scope. Callers can subtract the counts
 * of their own customers, so at least four others must remain: a caller with four of five customers would otherwise
 * read the counts of the fifth.
 */
export function isAnonymous(customers: readonly number[], scope: readonly number[]): boolean {
  const others = customers.filter((customer) => !scope.includes(customer))
  return customers.length >= outcomeLimits.customers && others.length >= outcomeLimits.customers - 1
}

/**
 * Counts the newest events with the error, by reason for closing. Reading is bounded by `outcomeLimits.events`: their
 * ids come from the index on templates alone, then each row by its key. Creations and closings of an instrument are
 * put in one order, newest first, in which the earliest creation so far is the next one after a closing. A creation
 * between raising and closing is not a return.
 */
async function countReasons(db: Db, { id, templateId, of, since, now }: CountedInput): Promise<ReasonRow[]> {
  const newest = serviceEvents(db, of)
    .where('e.template_id', '=', templateId)
    .where('e.created_at', '>=', since)
    .orderBy('e.created_at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(outcomeLimits.events)
    .select('e.id')
  const events = serviceEvents(db, of)
    .where('e.id', 'in', newest)
    .select(['e.id', 'e.customer_id', 'e.instrument_id', 'e.created_at', 'e.closed_at', 'e.reason_closed'])
    .select(sql<number | null>`CASE WHEN e.instrument_id IS NULL THEN e.gateway_id END`.as('gateway_id'))
  const oldEnough = (days: number) => sql`at <= ${now}::timestamptz - ${days} * interval '1 day'`
  const cameBack = (days: number) => sql`${oldEnough(days)} AND next_raised <= at + ${days} * interval '1 day'`
  const { rows } = await sql<ReasonRow>`
    WITH happened AS MATERIALIZED (${events}),
    moments AS (
      SELECT instrument_id, gateway_id, created_at AS at, false AS is_closing, NULL::int AS customer_id,
        NULL::timestamptz AS created_at, NULL::smallint AS reason_closed
      FROM happened
      UNION ALL
      SELECT instrument_id, gateway_id, closed_at, true, customer_id, created_at, reason_closed
      FROM happened WHERE reason_closed IS NOT NULL AND closed_at IS NOT NULL AND id <> ${id}
    ),
    closings AS (
      SELECT *, min(at) FILTER (WHERE NOT is_closing) OVER (
        PARTITION BY instrument_id, gateway_id ORDER BY at DESC, is_closing DESC ROWS UNBOUNDED PRECEDING
      ) AS next_raised
      FROM moments
    ),
    reasons AS (
      SELECT reason_closed, count(*)::int AS events,
        round(percentile_cont(0.5) WITHIN GROUP (ORDER BY greatest(0, extract(epoch FROM at - created_at))))::int
          AS median_seconds,
        (count(*) FILTER (WHERE ${oldEnough(7)}))::int AS old_7, (count(*) FILTER (WHERE ${cameBack(7)}))::int AS back_7,
        (count(*) FILTER (WHERE ${oldEnough(30)}))::int AS old_30, (count(*) FILTER (WHERE ${cameBack(30)}))::int AS back_30,
        array_agg(DISTINCT customer_id) AS customers,
        array_agg(DISTINCT customer_id) FILTER (WHERE ${oldEnough(7)}) AS customers_7,
        array_agg(DISTINCT customer_id) FILTER (WHERE ${oldEnough(30)}) AS customers_30
      FROM closings WHERE is_closing GROUP BY reason_closed
    )
    SELECT span.counted, span.oldest, reasons.*
    FROM (SELECT count(*)::int AS counted, min(created_at) AS oldest FROM happened) AS span LEFT JOIN reasons ON true
    ORDER BY reasons.events DESC, reasons.reason_closed`.execute(db)
  return rows
}

function outcomesOf(
  rows: readonly ReasonRow[],
  { since, isShown }: { since: Date; isShown: (customers: readonly number[]) => boolean },
): Outcomes {
  const [first] = rows
  const isCut = first !== undefined && first.counted >= outcomeLimits.events && first.oldest !== null
  const values = rows.flatMap((row): Outcome[] => {
    const reasonClosed = closeReasons[(row.reason_closed ?? 0) - 1]
    if (reasonClosed === undefined || !isShown(row.customers)) return []
    return [
      {
        reasonClosed,
        events: row.events,
        medianSeconds: row.median_seconds,
        within7Days: isShown(row.customers_7 ?? []) ? { events: row.old_7, cameBack: row.back_7 } : null,
        within30Days: isShown(row.customers_30 ?? []) ? { events: row.old_30, cameBack: row.back_30 } : null,
      },
    ]
  })
  return { start: (isCut && first.oldest ? first.oldest : since).toISOString(), values }
}
