import type { EdgeGateway } from '@benchwatch/contract/instruments'
import type { InstrumentStatus } from '@benchwatch/contract/vocabulary'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { instruments } from '../../db/scoped.ts'

/** What these instruments do now, by installed product id; those that the scope does not hold are left out. */
export async function readStatuses(
  db: Db,
  { installedProductIds, scope }: { installedProductIds: readonly string[]; scope: DataScope },
): Promise<Record<string, InstrumentStatus>> {
  if (installedProductIds.length === 0) return {}
  const rows = await instruments(db, scope)
    .where('i.installed_product_id', 'in', [...installedProductIds])
    .select(['i.installed_product_id', 'i.status'])
    .execute()
  return Object.fromEntries(rows.map(({ installed_product_id, status }) => [installed_product_id, status]))
}

/**
 * The gateway of an instrument in scope, or a gateway by its own installed product id, with those of its instruments that
 * the scope holds. It is seen by whoever sees its site or one of its instruments; where it stands, by the former alone.
 */
export async function findEdgeGateway(
  db: Db,
  { installedProductId, scope }: { installedProductId: string; scope: DataScope },
): Promise<EdgeGateway | undefined> {
  const ofInstrument = instruments(db, scope)
    .where('i.installed_product_id', '=', installedProductId)
    .select('i.gateway_id')
  const gateway = await db
    .selectFrom('gateway as g')
    .innerJoin('site as s', 's.id', 'g.site_id')
    .where((where) =>
      where.or([where('g.installed_product_id', '=', installedProductId), where('g.id', 'in', ofInstrument)]),
    )
    .select(['g.id', 'g.name', 'g.location', 'g.last_seen_at', 's.customer_id'])
    .executeTakeFirst()
  if (!gateway) return undefined
  const behind = await instruments(db, scope)
    .where('i.gateway_id', '=', gateway.id)
    .orderBy('i.installed_product_id')
    .select('i.installed_product_id')
    .execute()
  const isAtOwnSite = scope === 'all' || scope.includes(gateway.customer_id)
  if (!isAtOwnSite && behind.length === 0) return undefined
  return {
    name: gateway.name,
    instrumentIpids: behind.map(({ installed_product_id }) => installed_product_id),
    location: isAtOwnSite ? gateway.location : null,
    lastSeenAt: gateway.last_seen_at?.toISOString() ?? null,
  }
}
