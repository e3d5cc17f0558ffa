import type { EventOrderBy } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { instruments } from '../../../db/scoped.ts'
import { asPeopleRead } from '../../../db/sql/text-order.ts'
import { NO_NAME } from '../../users/users.lookup.ts'

export type RankedTable = 'instrument' | 'gateway' | 'site' | 'customer' | 'app_user'

/** Ranks of the rows of a small table in the order of a column of the list. The three lists belong together. */
export interface ValueRanks {
  table: RankedTable
  ids: readonly number[]
  /** From 1; equal values share a rank. */
  ranks: readonly number[]
  /** The present customer of an instrument whose value nobody else sees; otherwise 0. */
  customersNow: readonly number[]
}

/**
 * Returns the ranks of names, which engines other than PostgreSQL do not hold, as a JSON list of ValueRanks that the worker
 * of the index parses: thousands of rows would block the server for 7 ms. Rows without a value are left out. The list
 * is empty if the sort needs no ranks.
 */
export async function readValueRanks(db: Db, orderBy: EventOrderBy): Promise<string> {
  const values = valuesOf(db, orderBy)
  if (!values) return '[]'
  const { rows } = await sql<{ ranks: string | null }>`
    SELECT json_agg(t)::text AS ranks FROM (
      SELECT "table", array_agg(id) AS ids, array_agg(rank) AS ranks, array_agg(customer_now) AS "customersNow" FROM (
        SELECT "table", id, customer_now, dense_rank() OVER (ORDER BY value ${asPeopleRead}) AS rank
        FROM (${values}) AS v ("table", id, customer_now, value) WHERE value IS NOT NULL) AS ranked
      GROUP BY "table") AS t`.execute(db)
  return rows[0]?.ranks ?? '[]'
}

function valuesOf(db: Db, orderBy: EventOrderBy): RawBuilder<unknown> | undefined {
  // A rank counts over all rows, so it reveals nothing about rows of other customers.
  const ofInstruments = (value: string, customerNow = sql`0`) =>
    sql`${instruments(db, 'all').select([
      sql`'instrument'`.as('table'),
      'i.id',
      customerNow.as('customer_now'),
      sql.ref<string>(value).as('value'),
    ])}`
  switch (orderBy) {
    case 'instrumentStatus':
      return ofInstruments('i.status', sql`i.customer_id`)
    case 'instrumentProductDescription':
      return ofInstruments('i.product_description')
    case 'instrumentInstalledProductId':
      return sql`${ofInstruments('i.installed_product_id')}
        UNION ALL SELECT 'gateway', id, 0, installed_product_id FROM gateway`
    case 'siteCity':
      return sql`SELECT 'site', id, 0, city FROM site`
    case 'enterpriseName':
      return sql`SELECT 'customer', id, 0, name FROM customer`
    case 'claimedBy':
      return sql`SELECT 'app_user', id, 0, coalesce(name, ${NO_NAME}::text) FROM app_user`
    default:
      return undefined
  }
}
