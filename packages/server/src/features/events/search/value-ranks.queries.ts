import type { EventOrderBy } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { instruments } from '../../../db/scoped.ts'
import { asPeopleRead } from '../../../db/sql/text-order.ts'
import { NO_NAME } from '../../users/users.lookup.ts'

export type RankedTable = 'instrument' | 'gateway' | 'site' | 'customer' | 'app_user'

/** Rank of a row of a small table in the order of a column of the list. */
export interface ValueRank {
  table: RankedTable
  id: number
  /** From 1; equal values share a rank. */
  rank: number
  /** Set for an instrument whose value only its present customer sees; otherwise null. */
  customerNow: number | null
}

/**
 * Returns the ranks of names, which engines other than PostgreSQL do not hold, as a JSON list of ValueRank that the worker
 * of the index parses: thousands of rows would block the server for 7 ms. Rows without a value are left out. The list
 * is empty if the sort needs no ranks.
 */
export async function readValueRanks(db: Db, orderBy: EventOrderBy): Promise<string> {
  const values = valuesOf(db, orderBy)
  if (!values) return '[]'
  const { rows } = await sql<{ ranks: string | null }>`
    SELECT json_agg(r)::text AS ranks FROM (
      SELECT "table", id, customer_now AS "customerNow", dense_rank() OVER (ORDER BY value ${asPeopleRead}) AS rank
      FROM (${values}) AS v ("table", id, customer_now, value) WHERE value IS NOT NULL) AS r`.execute(db)
  return rows[0]?.ranks ?? '[]'
}

function valuesOf(db: Db, orderBy: EventOrderBy): RawBuilder<unknown> | undefined {
  // A rank counts over all rows, so it reveals nothing about rows of other customers.
  const ofInstruments = (value: string, customerNow = sql`NULL::int`) =>
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
        UNION ALL SELECT 'gateway', id, NULL, installed_product_id FROM gateway`
    case 'siteCity':
      return sql`SELECT 'site', id, NULL::int, city FROM site`
    case 'enterpriseName':
      return sql`SELECT 'customer', id, NULL::int, name FROM customer`
    case 'claimedBy':
      return sql`SELECT 'app_user', id, NULL::int, coalesce(name, ${NO_NAME}::text) FROM app_user`
    default:
      return undefined
  }
}
