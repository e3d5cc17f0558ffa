import type { View } from '@benchwatch/contract/events/views'
import { sql } from 'kysely'
import type { UserActor } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { NO_NAME } from '../users/users.lookup.ts'

type Viewer = Pick<UserActor, 'id' | 'role' | 'scope'>

const byName = new Intl.Collator('en', { numeric: true })

/** Returns the caller's own and shared views of all areas, by name. */
export async function listViews(db: Db, caller: Viewer): Promise<View[]> {
  const rows = await visibleViews(db, caller).execute()
  const views = rows.map((row) => viewOf(row, caller))
  return views.toSorted((a, b) => byName.compare(a.name, b.name) || Number(a.id) - Number(b.id))
}

/** Locks and returns one view; undefined if the caller may not see it. */
export async function lockView(trx: Trx, { id, caller }: { id: number; caller: Viewer }): Promise<View | undefined> {
  const row = await visibleViews(trx, caller).where('v.id', '=', id).forUpdate('v').executeTakeFirst()
  return row && viewOf(row, caller)
}

/**
 * Selects the views that the caller may see: their own, and shared views of users who currently have exactly the same
 * customers and are on the same side (staff or customer). A state may name customers, sites and users, so the caller
 * must also see everything that the owner saw when writing it (`customer_ids`), because the owner's scope may have
 * been different then.
 */
function visibleViews(db: Db, { id, role, scope }: Viewer) {
  const customers = sql<number[]>`${scope === 'all' ? [] : scope.toSorted((a, b) => a - b)}::int[]`
  const sameCustomers = sql<boolean>`
    ARRAY(SELECT c.customer_id FROM user_customer c WHERE c.user_id = o.id ORDER BY c.customer_id) = ${customers}`
  return db
    .selectFrom('saved_view as v')
    .innerJoin('app_user as o', 'o.id', 'v.user_id')
    .where((eb) => {
      const isShared = [eb('v.shared', '=', true), eb('o.disabled_at', 'is', null)]
      const isSameSide = eb('o.role', role === 'customer' ? '=' : '<>', 'customer')
      const isSameScope =
        scope === 'all'
          ? [eb('o.all_customers', '=', true)]
          : [eb('o.all_customers', '=', false), sameCustomers, sql<boolean>`v.customer_ids <@ ${customers}`]
      return eb.or([eb('v.user_id', '=', id), eb.and([...isShared, isSameSide, ...isSameScope])])
    })
    .select(['v.id', 'v.area', 'v.name', 'v.shared', 'v.state', 'v.user_id', 'o.name as owner_name'])
    .select(
      sql<boolean>`EXISTS (SELECT 1 FROM default_view d WHERE d.view_id = v.id AND d.user_id = ${id})`.as('is_default'),
    )
}

type ViewRow = Awaited<ReturnType<ReturnType<typeof visibleViews>['execute']>>[number]

function viewOf(row: ViewRow, { id }: Viewer): View {
  return {
    id: String(row.id),
    area: row.area,
    name: row.name,
    shared: row.shared,
    isDefault: row.is_default,
    // Older states may contain an empty keyword, which meant none.
    state: { ...row.state, keyword: row.state.keyword === '' ? null : row.state.keyword },
    isOwn: row.user_id === id,
    ownerName: row.owner_name ?? NO_NAME,
  }
}
