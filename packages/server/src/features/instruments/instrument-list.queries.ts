import type { Instrument } from '@benchwatch/contract/instruments'
import { type InstrumentType, instrumentFamilies } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { instruments } from '../../db/scoped.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type InstrumentSelection, matches } from './filters.ts'
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
      const ids = await readPage(trx, { selection, scope, order, rows: { limit, offset, count } })
      const values = await readInstruments(trx, { ids, scope, now })
      return { values, total: { instruments: count } }
    },
    { isSnapshot: true },
  )
}

/**
 * The ids on a page, of which the nearer end is looked for: the last ones in an order are the first ones in the other, and
 * those are found without putting the rest in order (last page of 50,000 texts: 50 ms from the front).
 */
async function readPage(
  trx: Trx,
  {
    rows: { limit, offset, count },
    order,
    ...searched
  }: {
    selection: InstrumentSelection
    scope: DataScope
    order: InstrumentOrder
    rows: { limit: number; offset: number; count: number }
  },
): Promise<number[]> {
  const length = Math.min(limit, count - offset)
  if (length <= 0) return []
  const isNearEnd = offset + length > count / 2
  const direction = isNearEnd === (order.order === 'ASC') ? 'DESC' : 'ASC'
  const rows = await instrumentsInOrder(trx, { ...searched, order: { ...order, order: direction } })
    .limit(length)
    .offset(isNearEnd ? count - offset - length : offset)
    .execute()
  const ids = rows.map(({ id }) => id)
  return isNearEnd ? ids.toReversed() : ids
}

/** The families of which the scope holds an instrument, in the order of the tab strip. */
export async function listFamilies(db: Db, scope: DataScope): Promise<string[]> {
  const rows = await instruments(db, scope).select('i.type').distinct().execute()
  const types = new Set<InstrumentType>(rows.map(({ type }) => type))
  return instrumentFamilies.filter((family) => family.types.some((type) => types.has(type))).map(({ family }) => family)
}
