import type { Instrument } from '@benchwatch/contract/instruments'
import { type InstrumentType, instrumentFamilies } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { instruments } from '../../db/scoped.ts'
import { inTransaction } from '../../db/transaction.ts'
import { matches } from './filters.ts'
import { type InstrumentOrder, instrumentsInOrder } from './instrument-order.queries.ts'
import { readInstruments } from './instrument-rows.queries.ts'
import { type InstrumentSearch, resolveSelection } from './selection.queries.ts'

interface Wanted {
  search: InstrumentSearch
  scope: DataScope
  page: InstrumentOrder & { limit: number; offset: number }
  now: Date
}

/** One page of the instruments that a search finds, with how many there are in all; both of one moment. */
export async function listInstruments(
  db: Db,
  { search, scope, page: { limit, offset, ...order }, now }: Wanted,
): Promise<{ values: Instrument[]; total: { instruments: number } }> {
  return inTransaction(
    db,
    async (trx) => {
      const selection = await resolveSelection(trx, { search, scope, now })
      const { count } = await instruments(trx, selection.scope)
        .where(matches(selection))
        .select(sql<number>`count(*)::int`.as('count'))
        .executeTakeFirstOrThrow()
      const rows =
        offset < count
          ? await instrumentsInOrder(trx, { selection, order, scope }).limit(limit).offset(offset).execute()
          : []
      const values = await readInstruments(trx, { ids: rows.map(({ id }) => id), scope, now })
      return { values, total: { instruments: count } }
    },
    { isSnapshot: true },
  )
}

/** The families of which the scope holds an instrument, in the order of the tab strip. */
export async function listFamilies(db: Db, scope: DataScope): Promise<string[]> {
  const rows = await instruments(db, scope).select('i.type').distinct().execute()
  const types = new Set<InstrumentType>(rows.map(({ type }) => type))
  return instrumentFamilies.filter((family) => family.types.some((type) => types.has(type))).map(({ family }) => family)
}
