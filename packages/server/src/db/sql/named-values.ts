import { sql } from 'kysely'
import type { DataScope } from '../actor.ts'
import type { Db } from '../connect.ts'
import { inScope } from '../scoped.ts'

/**
 * Returns a test whether a filter names a value; a missing one is never named. Case is compared here and not in the
 * database, because lower() depends on the database's locale.
 */
export function namedBy(values: readonly string[]): (value: string | null) => boolean {
  const names = new Set(values.map((value) => value.toLowerCase()))
  return (value) => value !== null && names.has(value.toLowerCase())
}

/** Returns the values of a closed list that the filter names, spelled as in the list. */
export function chosenOf<T extends string>(closedList: readonly T[], values: readonly string[]): T[] {
  return closedList.filter(namedBy(values))
}

/** Returns the ids of the scope's customers with these names. */
export async function customersNamed(
  db: Db,
  { names, scope }: { names: readonly string[]; scope: DataScope },
): Promise<number[]> {
  const rows = await db
    .selectFrom('customer as c')
    .where(inScope(scope, sql.ref('c.id')))
    .select(['c.id', 'c.name'])
    .execute()
  const isNamed = namedBy(names)
  return rows.filter(({ name }) => isNamed(name)).map(({ id }) => id)
}
