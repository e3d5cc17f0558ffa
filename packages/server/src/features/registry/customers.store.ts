import type { CustomerInput } from '@benchwatch/contract/registry'
import type { Trx } from '../../db/connect.ts'
import { fold } from '../../db/fold.ts'
import type { Keyed, Upserted, Writing } from './registry-object.ts'
import { upsertRows } from './upsert.store.ts'

/** Registers or replaces customers. */
export async function upsertCustomers(
  trx: Trx,
  writing: Writing,
  customers: readonly Keyed<CustomerInput>[],
): Promise<Upserted> {
  return upsertRows(trx, writing, {
    kind: 'customers',
    rows: customers.map(({ key, input }) => ({
      key,
      input,
      columns: { key, name: input.name, name_folded: fold(input.name) },
    })),
  })
}
