import type { ConnectionEventKind } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { inScope, instruments } from '../../db/scoped.ts'

/** What an event could be about: its gateway, and the instrument behind it where it is about one. */
export interface ExampleOfLost {
  gatewayName: string
  installedProductId: string
  instrument: { name: string } | null
}

/** The first registered one of each kind that the scope holds; undefined where there is none yet. */
export async function readExamples(
  db: Db,
  scope: DataScope,
): Promise<Record<ConnectionEventKind, ExampleOfLost | undefined>> {
  const gateway = await db
    .selectFrom('gateway as g')
    .innerJoin('site as s', 's.id', 'g.site_id')
    .where(scope === 'all' ? sql<boolean>`true` : inScope(scope, sql.ref('s.customer_id')))
    .orderBy('g.id')
    .select(['g.name as gatewayName', 'g.installed_product_id as installedProductId'])
    .executeTakeFirst()
  const behind = await instruments(db, scope)
    .innerJoin('gateway as g', 'g.id', 'i.gateway_id')
    .orderBy('i.id')
    .select(['g.name as gatewayName', 'i.installed_product_id as installedProductId', 'i.product_description as name'])
    .executeTakeFirst()
  return {
    EDGE_ISSUE: gateway && { ...gateway, instrument: null },
    OFFLINE: behind && { ...behind, instrument: { name: behind.name } },
  }
}
