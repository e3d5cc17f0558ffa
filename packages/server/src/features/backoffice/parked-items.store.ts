import type { listParkedItems, ParkedItem } from '@benchwatch/contract/administration/backoffice'
import type { RouteTypes } from '@benchwatch/contract/route'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { inScope } from '../../db/scoped.ts'

/** Returns one page of parked items from gateways of sites in scope, newest first. */
export async function readParkedItems(
  db: Db,
  { limit, offset, ...input }: RouteTypes<typeof listParkedItems>['query'] & { scope: DataScope },
): Promise<{ values: ParkedItem[]; total: number }> {
  const all = parkedItems(db, input.scope)
    .where('p.resolved_at', input.state === 'open' ? 'is' : 'is not', null)
    .$if(input.gateway !== undefined, (some) => some.where('g.name', '=', input.gateway ?? ''))
  const { total } = await all.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  const rows = await all
    .select([...columns, sql<string>`left(jsonb_pretty(p.item), ${LONGEST_LISTED})`.as('item')])
    .orderBy('p.received_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { values: rows.map(onWire), total }
}

/** Returns a parked item with the ID of its gateway, or undefined if it is not in scope. */
export async function findParkedItem(
  db: Db,
  { id, scope }: { id: number; scope: DataScope },
): Promise<{ item: ParkedItem; gatewayId: number } | undefined> {
  const row = await parkedItems(db, scope)
    .where('p.id', '=', id)
    .select([...columns, sql<string>`jsonb_pretty(p.item)`.as('item'), 'p.gateway_id'])
    .executeTakeFirst()
  return row && { item: onWire(row), gatewayId: row.gateway_id }
}

export async function resolveParkedItem(trx: Trx, { id, at }: { id: number; at: Date }): Promise<void> {
  await trx.updateTable('parked_item').set({ resolved_at: at }).where('id', '=', id).execute()
}

/** Records why an item still cannot be accepted, or that it was discarded. */
export async function keepParked(
  trx: Trx,
  { id, code, reason }: { id: number; code: string; reason: string },
): Promise<void> {
  await trx.updateTable('parked_item').set({ code, reason }).where('id', '=', id).execute()
}

/**
 * An item can take megabytes, and a page lists a hundred. Items too long to be sent back edited can only be retried
 * unchanged. The database writes the text, so that numbers with more digits than JavaScript can hold stay unchanged.
 */
const LONGEST_LISTED = 200_000

const columns = [
  'p.id',
  'g.name as gateway',
  'p.item_id as itemId',
  'p.code',
  'p.reason',
  'p.received_at as receivedAt',
  'p.resolved_at as resolvedAt',
] as const

function parkedItems(db: Db, scope: DataScope) {
  return db
    .selectFrom('parked_item as p')
    .innerJoin('gateway as g', 'g.id', 'p.gateway_id')
    .innerJoin('site as s', 's.id', 'g.site_id')
    .where(inScope(scope, sql.ref('s.customer_id')))
}

interface Row extends Omit<ParkedItem, 'id' | 'receivedAt' | 'resolvedAt'> {
  id: number
  receivedAt: Date
  resolvedAt: Date | null
}

function onWire({ id, gateway, itemId, code, reason, item, receivedAt, resolvedAt }: Row): ParkedItem {
  return {
    id: String(id),
    gateway,
    itemId,
    code,
    reason,
    item,
    receivedAt: receivedAt.toISOString(),
    resolvedAt: resolvedAt?.toISOString() ?? null,
  }
}
