import type {
  ContactInput,
  ContractInput,
  CustomerInput,
  SiteInput,
} from '@benchwatch/contract/administration/registry'
import type { Trx } from '../../db/connect.ts'
import { fold } from '../../db/fold.ts'
import { problem } from '../../platform/http/problem.ts'
import { refuseOtherCustomer } from './customer-change.store.ts'
import { followContracts } from './full-support.store.ts'
import { references } from './references.store.ts'
import { Refusals } from './refusals.ts'
import type { Keyed, Upserted, Writing } from './registry-object.ts'
import { type Row, upsertRows } from './upsert.store.ts'

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

export async function upsertContacts(
  trx: Trx,
  writing: Writing,
  contacts: readonly Keyed<ContactInput>[],
): Promise<Upserted> {
  return upsertOwned(trx, writing, {
    kind: 'contacts',
    objects: contacts,
    columnsOf: ({ name, phone, mobile }) => ({ name, phone, mobile }),
  })
}

/** Registers or replaces contracts; open events of their instruments are updated in the same transaction. */
export async function upsertContracts(
  trx: Trx,
  writing: Writing,
  contracts: readonly Keyed<ContractInput>[],
): Promise<Upserted> {
  const upserted = await upsertOwned(trx, writing, {
    kind: 'contracts',
    objects: contracts,
    columnsOf({ type, slaTerm, tierOne, startDate, endDate }) {
      if (startDate !== null && endDate !== null && endDate < startDate) {
        throw problem('validation-failed', 'A contract cannot end before it starts.', {
          errors: [{ path: 'body.endDate', message: 'is before startDate' }],
        })
      }
      return { type, sla_term: slaTerm, tier_one: tierOne, start_date: startDate, end_date: endDate }
    },
  })
  await followContracts(trx, writing, { contracts: [...upserted.changed] })
  return upserted
}

/** Registers or replaces sites. Positions are rounded to five decimals, about a metre. */
export async function upsertSites(trx: Trx, writing: Writing, sites: readonly Keyed<SiteInput>[]): Promise<Upserted> {
  return upsertOwned(trx, writing, {
    kind: 'sites',
    objects: sites.map(({ key, input }) => ({
      key,
      input: { ...input, latitude: fiveDecimals(input.latitude), longitude: fiveDecimals(input.longitude) },
    })),
    columnsOf({ name, street, zip, city, country, region, subRegion, latitude, longitude, timeZone }) {
      if ((latitude === null) !== (longitude === null)) {
        throw problem('validation-failed', 'A position requires both latitude and longitude, or neither.', {
          errors: [{ path: 'body.latitude', message: 'requires longitude as well' }],
        })
      }
      return {
        ...{ name, street, zip, city, country, region, sub_region: subRegion, latitude, longitude },
        time_zone: timeZone,
        place_folded: fold([city, country].filter(Boolean).join(' ')),
      }
    },
  })
}

/** Upserts objects that name their customer. One that is in use cannot move to another customer. */
async function upsertOwned<Input extends { customer: string }>(
  trx: Trx,
  writing: Writing,
  {
    kind,
    objects,
    columnsOf,
  }: {
    kind: 'contacts' | 'contracts' | 'sites'
    objects: readonly Keyed<Input>[]
    columnsOf: (input: Input) => Row<Input>['columns']
  },
): Promise<Upserted> {
  const customers = await references(trx, { kind: 'customers', keys: objects.map(({ input }) => input.customer) })
  const refusals = new Refusals()
  const customerOf = new Map<string, number>()
  const rows = refusals.rowsOf(objects, ({ key, input }) => {
    const columns = columnsOf(input)
    const { id } = customers.one('customer', input.customer)
    customerOf.set(key, id)
    return { key, input, columns: { key, customer_id: id, ...columns } }
  })
  await refuseOtherCustomer(trx, refusals, { kind, customers: customerOf })
  refusals.end()
  return upsertRows(trx, writing, { kind, rows })
}

function fiveDecimals(degrees: number | null): number | null {
  return degrees === null ? null : Number(degrees.toFixed(5))
}
