import type { ContractInput } from '@benchwatch/contract/registry'
import type { Trx } from '../../db/connect.ts'
import { problem } from '../../platform/http/problem.ts'
import { refuseOtherCustomer } from './customer-change.store.ts'
import { followContracts } from './full-support.store.ts'
import { references } from './references.store.ts'
import { Refusals } from './refusals.ts'
import type { Keyed, Upserted, Writing } from './registry-object.ts'
import { upsertRows } from './upsert.store.ts'

/** Registers or replaces contracts; open events of their instruments follow in the same transaction. */
export async function upsertContracts(
  trx: Trx,
  writing: Writing,
  contracts: readonly Keyed<ContractInput>[],
): Promise<Upserted> {
  const customers = await references(trx, { kind: 'customers', keys: contracts.map(({ input }) => input.customer) })
  const refusals = new Refusals()
  const rows = refusals.rowsOf(contracts, ({ key, input }) => {
    if (input.startDate !== null && input.endDate !== null && input.endDate < input.startDate) {
      throw problem('validation-failed', 'A contract cannot end before it starts.', {
        errors: [{ path: 'body.endDate', message: 'is before startDate' }],
      })
    }
    return {
      key,
      input,
      columns: {
        key,
        customer_id: customers.one('customer', input.customer).id,
        type: input.type,
        sla_term: input.slaTerm,
        tier_one: input.tierOne,
        start_date: input.startDate,
        end_date: input.endDate,
      },
    }
  })
  const customerOf = new Map(rows.map(({ key, columns }) => [key, columns.customer_id]))
  await refuseOtherCustomer(trx, refusals, { kind: 'contracts', customers: customerOf })
  refusals.end()
  const upserted = await upsertRows(trx, writing, { kind: 'contracts', rows })
  await followContracts(trx, writing, { contracts: [...upserted.changed] })
  return upserted
}
