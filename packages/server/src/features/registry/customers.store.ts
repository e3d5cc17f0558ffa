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
import { upsertRows } from './upsert.store.ts'

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

/** Registers or replaces contracts; open events of their instruments are updated in the same transaction. */
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

/** Registers or replaces sites. Positions are rounded to five decimals, about a metre. */
export async function upsertSites(trx: Trx, writing: Writing, sites: readonly Keyed<SiteInput>[]): Promise<Upserted> {
  const customers = await references(trx, { kind: 'customers', keys: sites.map(({ input }) => input.customer) })
  const refusals = new Refusals()
  const rows = refusals.rowsOf(sites, ({ key, input: given }) => {
    if ((given.latitude === null) !== (given.longitude === null)) {
      throw problem('validation-failed', 'A position requires both latitude and longitude, or neither.', {
        errors: [{ path: 'body.latitude', message: 'requires longitude as well' }],
      })
    }
    const input = { ...given, latitude: fiveDecimals(given.latitude), longitude: fiveDecimals(given.longitude) }
    return {
      key,
      input,
      columns: {
        key,
        customer_id: customers.one('customer', input.customer).id,
        name: input.name,
        street: input.street,
        zip: input.zip,
        city: input.city,
        country: input.country,
        region: input.region,
        sub_region: input.subRegion,
        latitude: input.latitude,
        longitude: input.longitude,
        time_zone: input.timeZone,
        place_folded: fold([input.city, input.country].filter(Boolean).join(' ')),
      },
    }
  })
  const customerOf = new Map(rows.map(({ key, columns }) => [key, columns.customer_id]))
  await refuseOtherCustomer(trx, refusals, { kind: 'sites', customers: customerOf })
  refusals.end()
  return upsertRows(trx, writing, { kind: 'sites', rows })
}

function fiveDecimals(degrees: number | null): number | null {
  return degrees === null ? null : Number(degrees.toFixed(5))
}
