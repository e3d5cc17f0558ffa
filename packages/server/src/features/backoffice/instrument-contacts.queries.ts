import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { instruments, toldSince } from '../../db/scoped.ts'

/** Instruments in scope with the addresses of their contacts of today's customer, by installed product id. */
export async function readCustomerEmails(db: Db, scope: DataScope) {
  const rows = await instruments(db, scope)
    .innerJoin('customer as c', 'c.id', 'i.customer_id')
    .orderBy('i.installed_product_id')
    .select([
      'i.installed_product_id as instrumentInstalledProductId',
      'c.name as instrumentCustomer',
      sql<string[]>`ARRAY(SELECT p.key FROM contact p
        WHERE p.id IN (i.contact_id, i.it_contact_id) AND p.customer_id = i.customer_id
        ORDER BY p.id <> i.contact_id)`.as('contactEmails'),
    ])
    .execute()
  return rows
}

/** Client PCs of these instruments, by installed product id; those that the scope does not hold are left out. */
export async function readClientPcNames(
  db: Db,
  { installedProductIds, scope }: { installedProductIds: readonly string[]; scope: DataScope },
): Promise<Record<string, string[]>> {
  if (installedProductIds.length === 0) return {}
  const rows = await instruments(db, scope)
    .leftJoin('instrument_software as s', (join) =>
      join.onRef('s.instrument_id', '=', 'i.id').on(toldSince(scope, sql.ref('s.told_at'))),
    )
    .where('i.installed_product_id', 'in', [...installedProductIds])
    .orderBy('i.installed_product_id')
    .select(['i.installed_product_id', 's.client_pc_names'])
    .execute()
  return Object.fromEntries(
    rows.map(({ installed_product_id, client_pc_names }) => [
      installed_product_id,
      client_pc_names?.toSorted((one, other) => one.localeCompare(other)) ?? [],
    ]),
  )
}
