import type { InstrumentInput } from '@benchwatch/contract/administration/registry'
import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import { fold } from '../../db/fold.ts'
import { problem } from '../../platform/http/problem.ts'
import { endMaintenancesOf } from '../maintenance/maintenance.store.ts'
import { followContracts } from './full-support.store.ts'
import { references } from './references.store.ts'
import { Refusals } from './refusals.ts'
import type { Keyed, Upserted, Writing } from './registry-object.ts'
import { upsertRows } from './upsert.store.ts'

/**
 * Registers or replaces instruments. An instrument belongs to the customer of its site; its contract, contacts and
 * gateway must belong to the same customer. Events raised before a move stay with the former customer.
 */
export async function upsertInstruments(
  trx: Trx,
  writing: Writing,
  instruments: readonly Keyed<InstrumentInput>[],
): Promise<Upserted> {
  const of = (pick: (input: InstrumentInput) => string | null) => instruments.map(({ input }) => pick(input))
  const sites = await references(trx, { kind: 'sites', keys: of(({ site }) => site) })
  const types = await references(trx, { kind: 'instrument-types', keys: of(({ type }) => type) })
  const gateways = await references(trx, { kind: 'gateways', keys: of(({ gateway }) => gateway) })
  const contracts = await references(trx, { kind: 'contracts', keys: of(({ contract }) => contract) })
  const contacts = await references(trx, {
    kind: 'contacts',
    keys: [...of(({ contact }) => contact), ...of(({ itContact }) => itContact)],
  })
  const refusals = new Refusals()
  const rows = refusals.rowsOf(instruments, ({ key, input }) => {
    const site = sites.one('site', input.site)
    types.one('type', input.type)
    const customer = { id: site.customerId, key: input.site }
    return {
      key,
      input,
      columns: {
        installed_product_id: key,
        type: input.type,
        product_description: input.productDescription,
        system_name: input.systemName,
        qualified_system: input.qualifiedSystem,
        customer_id: site.customerId,
        site_id: site.id,
        gateway_id: gateways.optional('gateway', input.gateway, customer)?.id ?? null,
        contract_id: contracts.optional('contract', input.contract, customer)?.id ?? null,
        contact_id: contacts.optional('contact', input.contact, customer)?.id ?? null,
        it_contact_id: contacts.optional('itContact', input.itContact, customer)?.id ?? null,
        building: input.building,
        room: input.room,
        installation_date: input.installationDate,
        last_service: input.lastService,
        next_service: input.nextService,
        last_maintenance: input.lastMaintenance,
        search_folded: fold([input.productDescription, input.systemName, key].filter(Boolean).join(' ')),
      },
    }
  })
  await refuseGatewayIds(
    trx,
    refusals,
    rows.map(({ key }) => key),
  )
  refusals.end()
  if (!writing.isTrial) await noteMoves(trx, rows, writing.at)
  const upserted = await upsertRows(trx, writing, { kind: 'instruments', rows })
  if (writing.isTrial) return upserted
  const changedIn = (name: 'gateway' | 'contract' | 'site') =>
    [...upserted.changed].filter((key) => upserted.differences.get(key)?.some(({ property }) => property === name))
  await restartOrders(trx, changedIn('gateway'))
  await followContracts(trx, writing, { instruments: [...new Set([...changedIn('contract'), ...changedIn('site')])] })
  return upserted
}

/**
 * Restarts the order of reports for instruments that changed their gateway. Each gateway has its own sequence, so the
 * first report of the new one overrides the last report of the former one.
 */
async function restartOrders(trx: Trx, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await sql`UPDATE instrument SET status_epoch = 0, status_sequence = -1
    WHERE installed_product_id = ANY(${[...keys]}::text[])`.execute(trx)
  for (const table of ['component_usage', 'component_usage_day', 'runtime_day', 'instrument_software']) {
    await sql`UPDATE ${sql.table(table)} t SET epoch = 0, sequence = -1
      FROM instrument i WHERE i.installed_product_id = ANY(${[...keys]}::text[]) AND t.instrument_id = i.id`.execute(
      trx,
    )
  }
}

/**
 * Stores since when an instrument belongs to its new customer, who sees nothing older, and whose it was. The reason of
 * its status is a sentence that the former customer's gateway wrote. A lost connection is lost anew, so that it gets an
 * event of the new customer.
 */
async function noteMoves(
  trx: Trx,
  rows: readonly { key: string; columns: { customer_id: number } }[],
  at: Date,
): Promise<void> {
  const { rows: moved } = await sql<{ id: number }>`
    WITH moved AS (
      UPDATE instrument i SET customer_since = ${at}, status_reason = NULL,
        unknown_at = CASE WHEN unknown_at IS NOT NULL THEN ${at}::timestamptz END
      FROM unnest(${rows.map(({ key }) => key)}::text[], ${rows.map(({ columns }) => columns.customer_id)}::int[])
        AS n (key, customer_id)
      WHERE i.installed_product_id = n.key AND i.customer_id <> n.customer_id
      RETURNING i.id, i.customer_id, i.site_id
    )
    INSERT INTO instrument_move (instrument_id, moved_at, customer_id, site_id)
    SELECT id, ${at}, customer_id, site_id FROM moved
    RETURNING instrument_id AS id`.execute(trx)
  const ids = moved.map(({ id }) => id)
  await endMaintenancesOf(trx, ids, at)
  // The clock of the former customer's gateway may be ahead.
  const before = new Date(at.getTime() - 1)
  for (const [table, column] of [
    ['instrument_software', 'reported_at'],
    ['component_usage', 'sampled_at'],
  ] as const) {
    await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${before}
      WHERE instrument_id = ANY(${ids}::int[]) AND ${sql.ref(column)} >= ${at}`.execute(trx)
  }
}

async function refuseGatewayIds(trx: Trx, refusals: Refusals, keys: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT installed_product_id AS id, name FROM gateway WHERE installed_product_id = ANY(${[...keys]}::text[])`.execute(
    trx,
  )
  for (const { id, name } of rows) {
    const sentence = `The installed product id "${id}" belongs to the gateway "${name}". Give the instrument its own.`
    refusals.refuse(id, problem('validation-failed', sentence))
  }
}
