import type { Order } from '@benchwatch/contract/primitives'
import { type InstrumentOrderBy, orcStatuses } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { instruments, isOpen, serviceEvents } from '../../db/scoped.ts'
import { severityCodes } from '../../db/sql/severity.ts'
import { asPeopleRead } from '../../db/sql/text-order.ts'

/**
 * Order of instruments (wire 3: orderBy). Equal values are ordered by id in the same direction, so the other direction
 * is exactly the reverse; missing values come last ascending and first descending.
 */
export interface InstrumentOrder {
  orderBy: InstrumentOrderBy
  order: Order
}

/**
 * Sorting 50,000 texts by ICU rules takes 100 ms. Most columns hold few distinct texts, which are ranked on their own,
 * so that instruments are sorted by a number; `of` names such texts and their column.
 */
interface SortKey {
  ranks?: { of: RawBuilder<unknown>; on: RawBuilder<SqlBool> }
  key: RawBuilder<unknown>
}

const rank = sql`n.rank`
const ranked = (value: RawBuilder<unknown>, from: RawBuilder<unknown>, on: RawBuilder<SqlBool>): SortKey => ({
  ranks: {
    of: sql`SELECT t.id, dense_rank() OVER (ORDER BY ${value} ${asPeopleRead}) AS rank FROM ${from} t WHERE ${value} IS NOT NULL`,
    on,
  },
  key: rank,
})
const site = (column: 'region' | 'city') => ranked(sql.ref(`t.${column}`), sql`site`, sql<SqlBool>`n.id = i.site_id`)

const sortKeys: Record<Exclude<InstrumentOrderBy, 'eventCount' | 'trouble'>, SortKey> = {
  instrumentProductDescription: { key: sql`i.product_description ${asPeopleRead}` },
  instrumentDefinedSystemName: { key: sql`i.system_name ${asPeopleRead}` },
  instrumentInstalledProductId: { key: sql`i.installed_product_id ${asPeopleRead}` },
  instrumentRegion: site('region'),
  instrumentCity: site('city'),
  instrumentCustomer: ranked(sql.ref('t.name'), sql`customer`, sql<SqlBool>`n.id = i.customer_id`),
  instrumentLastService: { key: sql`i.last_service` },
  instrumentNextService: { key: sql`i.next_service` },
  orcStatus: {
    key: sql`array_position(${[...orcStatuses].sort()}::text[], i.orc_status)`,
  },
}

/** Returns the sort keys that depend on the open events in scope. The first counts them from an index alone. */
function eventKeys(db: Db, scope: DataScope): Record<'eventCount' | 'trouble', SortKey> {
  const open = serviceEvents(db, scope)
    .where(isOpen)
    .where('e.instrument_id', 'is not', null)
    .groupBy('e.instrument_id')
    .select(['e.instrument_id as id', sql<number>`count(*)::int`.as('rank')])
  const on = sql<SqlBool>`n.id = i.id`
  return {
    eventCount: { ranks: { of: sql`${open}`, on }, key: sql`coalesce(n.rank, 0)` },
    trouble: { ranks: { of: sql`${open.where('e.severity', '=', severityCodes.high)}`, on }, key: troubleRank },
  }
}

/**
 * The status of an instrument behind a silent gateway is an old one and does not count; nor does that of an instrument
 * that is still being connected count as a lost connection.
 */
const troubleRank = sql`CASE
  WHEN i.orc_status = 'Disconnected' OR (i.orc_status = 'Connected' AND i.status = 'disconnected') THEN 1
  WHEN i.orc_status = 'Edge Issue' THEN 2
  WHEN i.status = 'alarms and errors' THEN 3
  WHEN n.rank IS NOT NULL THEN 4
  ELSE 5 END`

/** Returns the query for the ids of the instruments in scope that match a condition on `i`, in order. */
export function instrumentsInOrder(
  db: Db,
  {
    matches,
    order: { orderBy, order },
    scope,
  }: { matches: RawBuilder<SqlBool>; order: InstrumentOrder; scope: DataScope },
) {
  const direction = order === 'ASC' ? 'asc' : 'desc'
  const { ranks, key } =
    orderBy === 'eventCount' || orderBy === 'trouble' ? eventKeys(db, scope)[orderBy] : sortKeys[orderBy]
  return instruments(db, scope)
    .$if(ranks !== undefined, (query) =>
      query.leftJoin(sql<{ id: number; rank: number }>`(${ranks?.of})`.as('n'), (join) =>
        join.on(ranks?.on ?? sql<SqlBool>`true`),
      ),
    )
    .where(matches)
    .orderBy(key, direction)
    .orderBy('i.id', direction)
    .select('i.id')
}
