import type { View } from '@benchwatch/contract/views'
import { sql } from 'kysely'
import type { UserActor } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { NO_NAME } from '../users/users.lookup.ts'

type Viewer = Pick<UserActor, 'id' | 'role' | 'scope'>

const byName = new Intl.Collator('en', { numeric: true })

/** The caller's views and those that are shared with them, of all areas, by name. */
export async function listViews(db: Db, caller: Viewer): Promise<View[]> {
  const rows = await visibleViews(db, caller).execute()
  const views = rows.map((row) => viewOf(row, caller))
  return views.toSorted((a, b) => byName.compare(a.name, b.name) || Number(a.id) - Number(b.id))
}

/** One of them; undefined where the caller may not know of it. In a transaction it is locked until its end. */
export async function lockView(trx: Trx, { id, caller }: { id: number; caller: Viewer }): Promise<View | undefined> {
  const row = await visibleViews(trx, caller).where('v.id', '=', id).forUpdate('v').executeTakeFirst()
  return row && viewOf(row, caller)
}

/**
 * Views that the caller may know of: their own, and shared ones of somebody who sees exactly the same customers now and
 * stands on the same side. A state may name customers, sites and people, so it is kept from whoever does not see all that
 * its owner saw as it was written, too (`customer_ids`): a scope may have been another one then.
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
    // An empty keyword stands in states that were written while it stood for none.
    state: { ...row.state, keyword: row.state.keyword === '' ? null : row.state.keyword },
    isOwn: row.user_id === id,
    ownerName: row.owner_name ?? NO_NAME,
  }
}
