import type { SiteInput } from '@benchwatch/contract/registry'
import type { Trx } from '../../db/connect.ts'
import { fold } from '../../db/fold.ts'
import { problem } from '../../platform/http/problem.ts'
import { refuseOtherCustomer } from './customer-change.store.ts'
import { references } from './references.store.ts'
import { Refusals } from './refusals.ts'
import type { Keyed, Upserted, Writing } from './registry-object.ts'
import { upsertRows } from './upsert.store.ts'

/** Registers or replaces sites. A position is kept to five decimals, about a metre. */
export async function upsertSites(trx: Trx, writing: Writing, sites: readonly Keyed<SiteInput>[]): Promise<Upserted> {
  const customers = await references(trx, { kind: 'customers', keys: sites.map(({ input }) => input.customer) })
  const refusals = new Refusals()
  const rows = refusals.rowsOf(sites, ({ key, input: given }) => {
    if ((given.latitude === null) !== (given.longitude === null)) {
      throw problem('validation-failed', 'A position needs latitude and longitude, or neither.', {
        errors: [{ path: 'body.latitude', message: 'needs longitude beside it' }],
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
