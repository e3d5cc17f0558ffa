import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { instruments, serviceEvents } from '../../db/scoped.ts'
import { readServiceEvents } from './service-events.queries.ts'

/** At least one of `installedProductId` and `templateId`. */
interface Likeness {
  installedProductId: string | undefined
  templateId: string | undefined
  /** Narrows an instrument's events to `templateId`, which says nothing about them otherwise. */
  thisErrorOnly: boolean
  /** Exclusive. */
  before: Date | undefined
  limit: number
}

/**
 * The newest events of one instrument (or about one gateway), with one error, or both: 3-decisions 4, similar events. Each
 * is a walk along one index, by instrument or by template, that ends with the last row wanted. Undefined where the scope
 * holds neither what has the installed product id nor any event of it.
 */
export async function readSimilarEvents(
  db: Db,
  { likeness, scope, viewerId }: { likeness: Likeness; scope: DataScope; viewerId: number },
): Promise<ServiceEvent[] | undefined> {
  const { installedProductId, templateId, thisErrorOnly, before, limit } = likeness
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

/** Whether the scope holds the instrument, or some event of it: also a former customer's, and one about a gateway. */
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
 * Events of whatever has this installed product id; null when nothing has. It is looked up without a scope, for a former
 * customer still sees what an instrument raised while it was theirs.
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
