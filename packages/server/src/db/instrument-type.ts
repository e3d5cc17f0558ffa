import type { InstrumentTypes } from '@benchwatch/contract/instruments/instruments'
import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { namedBy } from './sql/named-values.ts'
import { asPeopleRead } from './sql/text-order.ts'

/** Instrument types and families belong to no customer, so reads of them need no scope. */

const familyOrder = sql`f.position, f.label ${asPeopleRead}, f.key ${asPeopleRead}`

/** Returns every registered type and family: families in the order of the tabs, types in that of their families. */
export async function readInstrumentTypes(db: Db): Promise<InstrumentTypes> {
  const families = await db
    .selectFrom('instrument_family as f')
    .select(['f.key', 'f.label'])
    .orderBy(familyOrder)
    .execute()
  const types = await db
    .selectFrom('instrument_type as t')
    .innerJoin('instrument_family as f', 'f.key', 't.family')
    .select(['t.key', 't.label', 't.family'])
    .orderBy(familyOrder)
    .orderBy(sql`t.label ${asPeopleRead}, t.key ${asPeopleRead}`)
    .execute()
  return { families, types }
}

/** Returns the keys of the types that a filter names, as the registry spells them. */
export async function typesNamed(db: Db, values: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('instrument_type').select('key').execute()
  return rows.map(({ key }) => key).filter(namedBy(values))
}
