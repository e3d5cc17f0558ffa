import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { inScope } from '../../db/scoped.ts'

/** Names of the customers in scope, each once, in the order in which people look for them. */
export async function readCustomerNames(db: Db, scope: DataScope): Promise<string[]> {
  const rows = await db
    .selectFrom('customer as c')
    .where(inScope(scope, sql.ref('c.id')))
    .select('c.name')
    .groupBy('c.name')
    .orderBy(sql`c.name COLLATE "und-x-icu"`)
    .execute()
  return rows.map(({ name }) => name)
}

/** The part of a scope that these customers are; other names find nothing. */
export async function narrowScope(db: Db, { scope, names }: { scope: DataScope; names: string[] }): Promise<DataScope> {
  const rows = await db
    .selectFrom('customer as c')
    .where(inScope(scope, sql.ref('c.id')))
    .where(sql<boolean>`c.name = ANY(${names}::text[])`)
    .select('c.id')
    .execute()
  return rows.map(({ id }) => id)
}
