import type { GatewayInput } from '@benchwatch/contract/registry'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { problem } from '../../platform/http/problem.ts'
import { refuseOtherCustomer } from './customer-change.store.ts'
import { references } from './references.store.ts'
import type { Keyed, Upserted, Writing } from './registry-object.ts'
import { upsertRows } from './upsert.store.ts'

/** Registers or replaces gateways. One without an installed product id of its own goes by its name. */
export async function upsertGateways(
  trx: Db,
  writing: Writing,
  gateways: readonly Keyed<GatewayInput>[],
): Promise<Upserted> {
  const sites = await references(trx, { kind: 'sites', keys: gateways.map(({ input }) => input.site) })
  const owners = new Map<string, number>()
  const rows = gateways.map(({ key, input: given }) => {
    const input = { ...given, installedProductId: given.installedProductId ?? key }
    const site = sites.one('site', input.site)
    owners.set(key, site.customerId)
    return {
      key,
      input,
      columns: {
        name: key,
        site_id: site.id,
        installed_product_id: input.installedProductId,
        location: input.location,
      },
    }
  })
  await refuseTakenIds(trx, new Map(rows.map(({ key, input }) => [input.installedProductId, key])))
  await refuseOtherCustomer(trx, 'gateways', owners)
  return upsertRows(trx, writing, { kind: 'gateways', rows })
}

/** An installed product id names one thing: addresses take that of an instrument and of a gateway alike. */
async function refuseTakenIds(trx: Db, ids: ReadonlyMap<string, string>): Promise<void> {
  const wanted = [...ids.keys()]
  const { rows } = await sql<{ id: string; holder: string }>`
    SELECT installed_product_id AS id, 'the gateway "' || name || '"' AS holder FROM gateway
    WHERE installed_product_id = ANY(${wanted}::text[]) AND name <> ALL(${[...ids.values()]}::text[])
    UNION ALL
    SELECT installed_product_id, 'an instrument' FROM instrument WHERE installed_product_id = ANY(${wanted}::text[])`.execute(
    trx,
  )
  const [taken] = rows
  if (!taken) return
  throw problem(
    'validation-failed',
    `The installed product id "${taken.id}" belongs to ${taken.holder}. Give the gateway "${ids.get(taken.id)}" one of its own.`,
  )
}
