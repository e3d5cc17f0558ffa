import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import { fieldProblem } from '../../platform/http/problem.ts'
import { type RegistryKind, registryNouns } from './registry-object.ts'

/** An object that another object refers to by key. */
export interface Referenced {
  id: number
  customerId: number
}

type ReferencedKind = Exclude<RegistryKind, 'instruments' | 'event-templates'>

/** Selects `key` and `customer_id` of each kind; a gateway belongs to the customer of its site. */
const sources: Record<ReferencedKind, ReturnType<typeof sql>> = {
  customers: sql`SELECT id, key, id AS customer_id FROM customer`,
  sites: sql`SELECT id, key, customer_id FROM site`,
  contracts: sql`SELECT id, key, customer_id FROM contract`,
  contacts: sql`SELECT id, key, customer_id FROM contact`,
  // Types and families belong to no customer.
  'instrument-families': sql`SELECT 0 AS id, key, 0 AS customer_id FROM instrument_family`,
  'instrument-types': sql`SELECT 0 AS id, key, 0 AS customer_id FROM instrument_type`,
  gateways: sql`SELECT g.id, g.name AS key, s.customer_id FROM gateway g JOIN site s ON s.id = g.site_id`,
}

export interface References {
  /** Returns the object with this key, or null for null. Throws `unknown-reference` if it is not registered. */
  one(property: string, key: string): Referenced
  optional(property: string, key: string | null, customer: { id: number; key: string }): Referenced | null
}

/** Looks up all referenced objects of a kind in one query. */
export async function references(
  trx: Trx,
  { kind, keys }: { kind: ReferencedKind; keys: readonly (string | null)[] },
): Promise<References> {
  const distinctKeys = [...new Set(keys.filter((key) => key !== null))]
  const { rows } = distinctKeys.length
    ? await sql<{ id: number; key: string; customer_id: number }>`
        SELECT * FROM (${sources[kind]}) AS o WHERE o.key = ANY(${distinctKeys}::text[])`.execute(trx)
    : { rows: [] }
  const found = new Map(rows.map((row) => [row.key, { id: row.id, customerId: row.customer_id }]))
  const noun = registryNouns[kind]
  const one = (property: string, key: string) => {
    const object = found.get(key)
    if (object) return object
    throw badReference(
      property,
      `There is no ${noun} "${key}". Register it first: PUT /api/registry/v1/${kind}/${encodeURIComponent(key)}.`,
    )
  }
  return {
    one,
    optional(property, key, customer) {
      if (key === null) return null
      const object = one(property, key)
      if (object.customerId === customer.id) return object
      throw badReference(
        property,
        `The ${noun} "${key}" does not belong to the customer of the site "${customer.key}". Choose one of the same customer.`,
      )
    },
  }
}

function badReference(property: string, sentence: string) {
  return fieldProblem('unknown-reference', `body.${property}`, sentence)
}
