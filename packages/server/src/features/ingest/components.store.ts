import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import { fold } from '../../db/fold.ts'
import { componentTypeOf } from './component-type.ts'
import { KnownIds } from './known-ids.ts'

/** Id of each component by its name; names that are new are added. Components are never changed or removed. */
export async function componentIds(
  trx: Trx,
  names: readonly string[],
  knownIds = new KnownIds(),
): Promise<Map<string, number>> {
  const wanted = [...new Set(names)].sort()
  const known = await knownIds.find(wanted, (unknown) => readIds(trx, unknown))
  const unknown = wanted.filter((name) => !known.has(name))
  if (unknown.length === 0) return known
  // Another transaction may add the same name meanwhile: then it is waited for and found by the read after.
  await sql`
    INSERT INTO component (name, type, name_folded)
    SELECT * FROM unnest(${unknown}::text[], ${unknown.map(componentTypeOf)}::text[], ${unknown.map(fold)}::text[])
    ON CONFLICT (name) DO NOTHING`.execute(trx)
  return readIds(trx, wanted)
}

async function readIds(trx: Trx, names: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT id, name FROM component WHERE name = ANY(${[...names]}::text[])`.execute(trx)
  return new Map(rows.map(({ id, name }) => [name, id]))
}
