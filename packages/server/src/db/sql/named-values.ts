import { sql } from 'kysely'
import type { DataScope } from '../actor.ts'
import type { Db } from '../connect.ts'
import { inScope } from '../scoped.ts'

/**
 * Returns the values of a filter in lower case; null if the filter category restricts nothing. Case is compared here
 * and not in the database, because lower() depends on the database's locale.
 */
export function wantedNames(values: readonly string[] | undefined): ReadonlySet<string> | null {
  return values === undefined || values.length === 0 ? null : new Set(values.map((value) => value.toLowerCase()))
}

/** Returns true if the filter accepts the value. A missing value passes only a category that restricts nothing. */
export function isWanted(names: ReadonlySet<string> | null, value: string | null): boolean {
  return names === null || (value !== null && names.has(value.toLowerCase()))
}

/**
 * Returns the values of a closed list that the filter names, spelled as in the list; null if the category restricts
 * nothing.
 */
export function chosenOf<T extends string>(
  closedList: readonly T[],
  values: readonly string[] | undefined,
): T[] | null {
  const names = wantedNames(values)
  return names && closedList.filter((word) => isWanted(names, word))
}

/** Returns the ids of the scope's customers with these names; null if no name is given. */
export async function customersNamed(
  db: Db,
  { names, scope }: { names: readonly string[] | undefined; scope: DataScope },
): Promise<number[] | null> {
  const accepted = wantedNames(names)
  if (accepted === null) return null
  const rows = await db
    .selectFrom('customer as c')
    .where(inScope(scope, sql.ref('c.id')))
    .select(['c.id', 'c.name'])
    .execute()
  return rows.filter(({ name }) => isWanted(accepted, name)).map(({ id }) => id)
}
