import { sql } from 'kysely'
import type { DataScope } from './actor.ts'
import type { Db } from './connect.ts'
import { inScope } from './scoped.ts'

/**
 * How filters name values: without case, which is compared here and not in the database, whose lower() depends on its locale.
 * Null: the category restricts nothing.
 */
export function wantedNames(values: readonly string[] | undefined): ReadonlySet<string> | null {
  return values === undefined || values.length === 0 ? null : new Set(values.map((value) => value.toLowerCase()))
}

/** Whether a value is one of the wanted; what has none is found only where nothing is wanted. */
export function isWanted(names: ReadonlySet<string> | null, value: string | null): boolean {
  return names === null || (value !== null && names.has(value.toLowerCase()))
}

/** Those words of a closed list that are wanted, as the list spells them; null where the category restricts nothing. */
export function chosenOf<T extends string>(
  closedList: readonly T[],
  values: readonly string[] | undefined,
): T[] | null {
  const names = wantedNames(values)
  return names && closedList.filter((word) => isWanted(names, word))
}

/** Ids of the customers of the scope with these names; null where none is named. */
export async function customersNamed(
  db: Db,
  { names, scope }: { names: readonly string[] | undefined; scope: DataScope },
): Promise<number[] | null> {
  const wanted = wantedNames(names)
  if (wanted === null) return null
  const rows = await db
    .selectFrom('customer as c')
    .where(inScope(scope, sql.ref('c.id')))
    .select(['c.id', 'c.name'])
    .execute()
  return rows.filter(({ name }) => isWanted(wanted, name)).map(({ id }) => id)
}
