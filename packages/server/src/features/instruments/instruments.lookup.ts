import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { instruments } from '../../db/scoped.ts'

/** The instrument with this installed product id, if the scope holds it. */
export async function findInstrument(
  db: Db,
  { installedProductId, scope }: { installedProductId: string; scope: DataScope },
): Promise<{ id: number } | undefined> {
  return instruments(db, scope)
    .where('i.installed_product_id', '=', installedProductId)
    .select('i.id')
    .executeTakeFirst()
}
