import type { ContactInput } from '@benchwatch/contract/registry'
import type { Trx } from '../../db/connect.ts'
import { refuseOtherCustomer } from './customer-change.store.ts'
import { references } from './references.store.ts'
import { Refusals } from './refusals.ts'
import type { Keyed, Upserted, Writing } from './registry-object.ts'
import { upsertRows } from './upsert.store.ts'

/** Registers or replaces contacts. */
export async function upsertContacts(
  trx: Trx,
  writing: Writing,
  contacts: readonly Keyed<ContactInput>[],
): Promise<Upserted> {
  const customers = await references(trx, { kind: 'customers', keys: contacts.map(({ input }) => input.customer) })
  const refusals = new Refusals()
  const rows = refusals.rowsOf(contacts, ({ key, input }) => ({
    key,
    input,
    columns: {
      key,
      customer_id: customers.one('customer', input.customer).id,
      name: input.name,
      phone: input.phone,
      mobile: input.mobile,
    },
  }))
  const customerOf = new Map(rows.map(({ key, columns }) => [key, columns.customer_id]))
  await refuseOtherCustomer(trx, refusals, { kind: 'contacts', customers: customerOf })
  refusals.end()
  return upsertRows(trx, writing, { kind: 'contacts', rows })
}
