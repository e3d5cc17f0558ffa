import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import type { StoredLink } from '../../db/schema/fleet.ts'
import { type Acceptable, isSent } from './batches.ts'

/**
 * Stores the links that the newest heartbeat of each gateway tells. Heartbeats come every 30 seconds, so that an
 * unchanged list is not written. The gateways are locked.
 */
export async function storeLinks(trx: Trx, fresh: readonly Acceptable[]): Promise<void> {
  const newest = new Map<number, StoredLink[]>()
  // In the order of each gateway's sequence; a retried item tells the past.
  for (const { batch, item } of fresh)
    if (item.type === 'benchwatch.heartbeat' && isSent(batch))
      newest.set(
        batch.gateway.id,
        (item.data.links ?? []).map(({ since, reason, lastFault, ...link }) => ({
          ...link,
          since: since.toISOString(),
          reason: reason || null,
          lastFault: lastFault || null,
        })),
      )
  if (newest.size === 0) return
  await sql`
    UPDATE gateway g SET links = n.links
    FROM unnest(${[...newest.keys()]}::int[], ${[...newest.values()].map((links) => JSON.stringify(links))}::jsonb[])
      AS n (id, links)
    WHERE g.id = n.id AND g.links <> n.links`.execute(trx)
}
