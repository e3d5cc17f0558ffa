import type { ServiceResponse } from '@benchwatch/contract/events/event-details'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DataScope } from '../../../db/actor.ts'
import type { Db } from '../../../db/connect.ts'
import { instruments, serviceEvents } from '../../../db/scoped.ts'
import { readServiceEvents } from '../events.queries.ts'

/** Number of events of each kind on a report (document 2 section 9). */
const SHOWN = 5

interface ReportEventsInput {
  installedProductId: string
  scope: DataScope
  viewerId: number
}

/** Search key; at least one of `installedProductId` and `templateId` is set. */
interface SimilarityInput {
  installedProductId: string | undefined
  templateId: string | undefined
  /** Restricts an instrument's events to `templateId`, which is otherwise ignored. */
  thisErrorOnly: boolean
  /** Exclusive. */
  before: Date | undefined
  limit: number
}

/**
 * Returns the newest events of one instrument (or about one gateway), with one error, or both (3-decisions 4, similar
 * events). Each is one walk along an index, by instrument or by template, that stops at the last row needed. Undefined
 * if neither the owner of the installed product ID nor any event of it is in scope.
 */
export async function readSimilarEvents(
  db: Db,
  { similarity, scope, viewerId }: { similarity: SimilarityInput; scope: DataScope; viewerId: number },
): Promise<ServiceEvent[] | undefined> {
  const { installedProductId, templateId, thisErrorOnly, before, limit } = similarity
  const ofInstrument = installedProductId !== undefined
  const source = ofInstrument ? await sourceCondition(db, installedProductId) : sql<SqlBool>`true`
  if (source === null) return undefined
  const narrowsToError = templateId !== undefined && (!ofInstrument || thisErrorOnly)
  const rows = await serviceEvents(db, scope)
    .where(source)
    .$if(narrowsToError, (all) => all.where('e.template_id', '=', templateId ?? ''))
    .$if(before !== undefined, (all) => all.where('e.created_at', '<', before ?? new Date()))
    .orderBy('e.created_at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(limit)
    .select('e.id')
    .execute()
  if (rows.length === 0 && ofInstrument && !(await isKnown(db, { installedProductId, source, scope }))) return undefined
  return readServiceEvents(db, { ids: rows.map(({ id }) => id), scope, viewerId })
}

/**
 * True if the instrument or any event of it is in scope. That includes events of a former customer, and events
 * about a gateway.
 */
async function isKnown(
  db: Db,
  { installedProductId, source, scope }: { installedProductId: string; source: RawBuilder<SqlBool>; scope: DataScope },
): Promise<boolean> {
  if (scope === 'all') return true
  const instrument = instruments(db, scope).where('i.installed_product_id', '=', installedProductId).select('i.id')
  const event = serviceEvents(db, scope).where(source).select('e.id')
  return Boolean((await instrument.executeTakeFirst()) ?? (await event.limit(1).executeTakeFirst()))
}

/**
 * Condition for the events of this installed product ID; null if no such ID exists. The lookup ignores the scope,
 * because a former customer still sees events that were raised while they owned the instrument.
 */
async function sourceCondition(db: Db, installedProductId: string): Promise<RawBuilder<SqlBool> | null> {
  const instrument = await instruments(db, 'all')
    .where('i.installed_product_id', '=', installedProductId)
    .select('i.id')
    .executeTakeFirst()
  if (instrument) return sql`e.instrument_id = ${instrument.id}`
  const gateway = await db
    .selectFrom('gateway')
    .where('installed_product_id', '=', installedProductId)
    .select('id')
    .executeTakeFirst()
  return gateway ? sql`(e.is_edge_issue AND e.gateway_id = ${gateway.id})` : null
}

/**
 * Returns how long an event waited until it was claimed and closed, in whole seconds; undefined if it is outside the
 * scope. Only the first claim counts: reassigning does not change when an event was acknowledged (wire 2).
 */
export async function readServiceResponse(
  db: Db,
  { id, scope }: { id: number; scope: DataScope },
): Promise<ServiceResponse | undefined> {
  const event = await serviceEvents(db, scope)
    .where('e.id', '=', id)
    .select(['e.created_at', 'e.claimed_at', 'e.closed_at'])
    .executeTakeFirst()
  if (!event) return undefined
  return {
    alertToAcknowledgeTime: secondsBetween(event.created_at, event.claimed_at),
    duration: secondsBetween(event.claimed_at, event.closed_at),
    eventReasonClosed: secondsBetween(event.created_at, event.closed_at),
  }
}

/** Never below 0: two server nodes whose clocks differ slightly may have written the two times. */
function secondsBetween(from: Date | null, to: Date | null): number | null {
  if (from === null || to === null) return null
  return Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1000))
}

/**
 * Returns the errors that an instrument in scope raised most often in the 6 months before `now`, each with its newest
 * event, ordered by rank; ties are broken by the most recent event. Undefined if no such instrument is in scope.
 */
export async function readFrequentEvents(
  db: Db,
  { now, ...input }: ReportEventsInput & { now: Date },
): Promise<{ templateId: string; event: ServiceEvent; count: number }[] | undefined> {
  const instrumentId = await findId(db, input)
  if (instrumentId === undefined) return undefined
  const rows = await serviceEvents(db, input.scope)
    .where('e.instrument_id', '=', instrumentId)
    .where(sql<boolean>`e.created_at >= ${now}::timestamptz - interval '6 months'`)
    .groupBy('e.template_id')
    .select([
      'e.template_id',
      sql<number>`count(*)::int`.as('count'),
      sql<number>`(array_agg(e.id ORDER BY e.created_at DESC, e.id DESC))[1]`.as('newest'),
    ])
    .orderBy('count', 'desc')
    .orderBy(sql`max(e.created_at)`, 'desc')
    .orderBy('newest', 'desc')
    .limit(SHOWN)
    .execute()
  const events = await readServiceEvents(db, { ...input, ids: rows.map(({ newest }) => newest) })
  return rows.flatMap(({ template_id, count }, index) => {
    const event = events[index]
    return event ? [{ templateId: template_id, event, count }] : []
  })
}

/**
 * Returns the newest events of an instrument in scope, newest first; undefined if no such instrument is in scope.
 */
export async function readRecentEvents(db: Db, input: ReportEventsInput): Promise<ServiceEvent[] | undefined> {
  const instrumentId = await findId(db, input)
  if (instrumentId === undefined) return undefined
  const rows = await serviceEvents(db, input.scope)
    .where('e.instrument_id', '=', instrumentId)
    .orderBy('e.created_at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(SHOWN)
    .select('e.id')
    .execute()
  return readServiceEvents(db, { ...input, ids: rows.map(({ id }) => id) })
}

async function findId(db: Db, { installedProductId, scope }: ReportEventsInput): Promise<number | undefined> {
  const row = await instruments(db, scope)
    .where('i.installed_product_id', '=', installedProductId)
    .select('i.id')
    .executeTakeFirst()
  return row?.id
}
