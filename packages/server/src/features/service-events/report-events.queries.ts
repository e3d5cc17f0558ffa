import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { instruments, serviceEvents } from '../../db/scoped.ts'
import { readServiceEvents } from './service-events.queries.ts'

/** Of each kind, on a report (document 2 section 9). */
const SHOWN = 5

interface Wanted {
  installedProductId: string
  scope: DataScope
  viewerId: number
}

/**
 * The errors that an instrument in scope raised most often in the 6 months before `now`, each with its newest event, in order
 * of rank; of equals the one that was raised last comes first. Undefined where the scope holds no such instrument.
 */
export async function readFrequentEvents(
  db: Db,
  { now, ...wanted }: Wanted & { now: Date },
): Promise<{ templateId: string; event: ServiceEvent; count: number }[] | undefined> {
  const instrumentId = await findId(db, wanted)
  if (instrumentId === undefined) return undefined
  const rows = await serviceEvents(db, wanted.scope)
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
  const events = await readServiceEvents(db, { ...wanted, ids: rows.map(({ newest }) => newest) })
  return rows.flatMap(({ template_id, count }, index) => {
    const event = events[index]
    return event ? [{ templateId: template_id, event, count }] : []
  })
}

/** The newest events of an instrument in scope, newest first; undefined where the scope holds no such instrument. */
export async function readRecentEvents(db: Db, wanted: Wanted): Promise<ServiceEvent[] | undefined> {
  const instrumentId = await findId(db, wanted)
  if (instrumentId === undefined) return undefined
  const rows = await serviceEvents(db, wanted.scope)
    .where('e.instrument_id', '=', instrumentId)
    .orderBy('e.created_at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(SHOWN)
    .select('e.id')
    .execute()
  return readServiceEvents(db, { ...wanted, ids: rows.map(({ id }) => id) })
}

async function findId(db: Db, { installedProductId, scope }: Wanted): Promise<number | undefined> {
  const row = await instruments(db, scope)
    .where('i.installed_product_id', '=', installedProductId)
    .select('i.id')
    .executeTakeFirst()
  return row?.id
}
