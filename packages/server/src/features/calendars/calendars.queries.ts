import type { Calendar } from '@benchwatch/contract/instruments/calendars'
import { sql } from 'kysely'
import type { UserActor } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { inScope } from '../../db/scoped.ts'

/** Returns the caller's links, newest first; only one if an id is given. Names only customers that the caller sees. */
export async function listCalendars(db: Db, caller: Pick<UserActor, 'id' | 'scope'>, id?: number): Promise<Calendar[]> {
  const own = db
    .selectFrom('calendar as f')
    .where('f.user_id', '=', caller.id)
    .select(['f.id', 'f.name', 'f.contents', 'f.customer_ids', 'f.view', 'f.created_at', 'f.last_used_at'])
    .select(
      sql<string[]>`ARRAY(
        SELECT c.name FROM customer c WHERE c.id = ANY(f.customer_ids) AND ${inScope(caller.scope, sql.ref('c.id'))}
        ORDER BY c.name_folded, c.id)`.as('customers'),
    )
    .orderBy('f.id', 'desc')
  const rows = await (id === undefined ? own : own.where('f.id', '=', id)).execute()
  return rows.map((row) => ({
    id: String(row.id),
    name: row.name,
    contents: row.contents,
    customers: row.customer_ids === null ? null : row.customers,
    viewName: row.view?.name ?? null,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }))
}
