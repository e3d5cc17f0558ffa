import type { InstrumentFilter, LinkedClients } from '@benchwatch/contract/instruments'
import { usageFlags } from '@benchwatch/contract/usage'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { instruments, reportedSince } from '../../db/scoped.ts'
import { problem } from '../../platform/http/problem.ts'
import { featureIsOn } from '../users/users.lookup.ts'

/**
 * Throws feature-off for a filter by usage limit if the user must not see component usage: its matches would tell.
 */
export async function checkInstrumentFilter(
  db: Db,
  { userId, filter }: { userId: number; filter: InstrumentFilter },
): Promise<void> {
  if (!filter.usageLimit?.length) return
  for (const key of usageFlags.flags) {
    if (!(await featureIsOn(db, { userId, key })))
      throw problem(
        'feature-off',
        `The filter Usage limit needs the feature ${key}. Remove it, or ask an administrator.`,
      )
  }
}

/** Returns the instrument with this installed product ID, if it is in scope. */
export async function findInstrument(
  db: Db,
  { installedProductId, scope }: { installedProductId: string; scope: DataScope },
): Promise<{ id: number } | undefined> {
  return instruments(db, scope)
    .where('i.installed_product_id', '=', installedProductId)
    .select('i.id')
    .executeTakeFirst()
}

/**
 * Returns the computers that an instrument in scope last reported; undefined if it is outside the scope. Reports from
 * before it came to its customer name another customer's computers, so they are left out.
 */
export async function findLinkedClients(
  db: Db,
  { installedProductId, scope }: { installedProductId: string; scope: DataScope },
): Promise<LinkedClients | undefined> {
  const row = await instruments(db, scope)
    .leftJoin('instrument_software as s', (join) =>
      join.onRef('s.instrument_id', '=', 'i.id').on(reportedSince(scope, sql.ref('s.reported_at'))),
    )
    .where('i.installed_product_id', '=', installedProductId)
    .select(['s.client_pc_names', 's.instrument_server_pc_name'])
    .executeTakeFirst()
  if (!row) return undefined
  return {
    clientPcNames: row.client_pc_names?.toSorted((one, other) => one.localeCompare(other)) ?? [],
    instrumentServerPcName: row.instrument_server_pc_name,
  }
}
