import type { IngestItem } from '@benchwatch/contract/ingest'
import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import type { StoredLink, StoredSource } from '../../db/schema/fleet.ts'
import { type Acceptable, isSent } from './batches.ts'

interface Heartbeat {
  links: StoredLink[]
  sources: StoredSource[]
  version: string | null
  backlog: number | null
}

/**
 * Stores what the newest heartbeat of each gateway reports. Heartbeats come every 30 seconds, so that what is unchanged
 * is not written. The gateways are locked.
 */
export async function storeLinks(trx: Trx, fresh: readonly Acceptable[]): Promise<void> {
  const newest = new Map<number, Heartbeat>()
  // In the order of each gateway's sequence; a retried item reports the past.
  for (const { batch, item } of fresh)
    if (item.type === 'benchwatch.heartbeat' && isSent(batch)) newest.set(batch.gateway.id, heartbeatOf(item.data))
  if (newest.size === 0) return
  const of = <T>(pick: (heartbeat: Heartbeat) => T) => [...newest.values()].map(pick)
  await sql`
    UPDATE gateway g SET links = n.links, sources = n.sources, version = n.version, backlog = n.backlog
    FROM unnest(${[...newest.keys()]}::int[], ${of(({ links }) => JSON.stringify(links))}::jsonb[],
      ${of(({ sources }) => JSON.stringify(sources))}::jsonb[], ${of(({ version }) => version)}::text[],
      ${of(({ backlog }) => backlog)}::bigint[]) AS n (id, links, sources, version, backlog)
    WHERE g.id = n.id AND (g.links, g.sources, g.version, g.backlog)
      IS DISTINCT FROM (n.links, n.sources, n.version, n.backlog)`.execute(trx)
}

function heartbeatOf({
  links = [],
  version,
  backlog,
}: Extract<IngestItem, { type: 'benchwatch.heartbeat' }>['data']): Heartbeat {
  return {
    links: links.map(({ name, kind, state, since, reason, unmatched, faulty, lastFault }) => ({
      name,
      kind,
      state,
      since: since.toISOString(),
      reason: reason || null,
      unmatched,
      faulty,
      lastFault: lastFault || null,
    })),
    sources: links.flatMap(({ name, items, lastItemAt, unmatchedNames = [] }) =>
      items === undefined && unmatchedNames.length === 0
        ? []
        : [
            {
              name,
              items: items ?? null,
              lastItemAt: lastItemAt?.toISOString() ?? null,
              unmatchedNames: unmatchedNames.map((one) => ({ ...one, lastAt: one.lastAt.toISOString() })),
            },
          ],
    ),
    version: version ?? null,
    backlog: backlog ?? null,
  }
}
