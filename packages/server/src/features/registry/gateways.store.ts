import type { GatewayInput } from '@benchwatch/contract/administration/registry'
import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import { fieldProblem } from '../../platform/http/problem.ts'
import { refuseOtherCustomer } from './customer-change.store.ts'
import { references } from './references.store.ts'
import { Refusals } from './refusals.ts'
import type { Keyed, Upserted, Writing } from './registry-object.ts'
import { upsertRows } from './upsert.store.ts'

/** Registers or replaces gateways. A gateway without an installed product id uses its name. */
export async function upsertGateways(
  trx: Trx,
  writing: Writing,
  gateways: readonly Keyed<GatewayInput>[],
): Promise<Upserted> {
  const sites = await references(trx, { kind: 'sites', keys: gateways.map(({ input }) => input.site) })
  const owners = new Map<string, number>()
  const refusals = new Refusals()
  const rows = refusals.rowsOf(gateways, ({ key, input: given }) => {
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
  await refuseTakenIds(
    trx,
    refusals,
    rows.map(({ key, input }) => ({ id: input.installedProductId, key })),
  )
  await refuseOtherCustomer(trx, refusals, { kind: 'gateways', customers: owners })
  refusals.end()
  return upsertRows(trx, writing, { kind: 'gateways', rows })
}

/**
 * Refuses installed product ids that belong to another object, because addresses accept ids of instruments and
 * gateways. The current owner keeps an id, even if the same upsert would give it another one.
 */
async function refuseTakenIds(
  trx: Trx,
  refusals: Refusals,
  requested: readonly { id: string; key: string }[],
): Promise<void> {
  const ids = requested.map(({ id }) => id)
  const { rows } = await sql<{ id: string; gateway: string | null }>`
    SELECT installed_product_id AS id, name AS gateway FROM gateway WHERE installed_product_id = ANY(${ids}::text[])
    UNION ALL
    SELECT installed_product_id, NULL FROM instrument WHERE installed_product_id = ANY(${ids}::text[])`.execute(trx)
  const holders = new Map(rows.map(({ id, gateway }) => [id, gateway]))
  for (const { id, key } of requested) {
    const holder = holders.get(id)
    if (holder === key) continue
    if (holder === undefined) {
      // The next object of this upsert with the same id is refused.
      holders.set(id, key)
      continue
    }
    const words = holder === null ? 'an instrument' : `the gateway "${holder}"`
    const sentence = `The installed product id "${id}" belongs to ${words}. Give the gateway "${key}" one of its own.`
    refusals.refuse(key, fieldProblem('validation-failed', 'body.installedProductId', sentence))
  }
}
