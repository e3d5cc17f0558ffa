import {
  aContact,
  aContract,
  aCustomer,
  aGateway,
  anEventTemplate,
  anInstrument,
  aSite,
} from '@benchwatch/samples/registry-objects'
import type { DatabaseHandle } from '../db/connect.ts'
import { inTransaction } from '../db/transaction.ts'
import { addGatewayKeys } from '../features/ingest/gateway-keys.store.ts'
import { createGatewayKey } from '../features/ingest/gateway-keys.ts'
import { upsertContacts, upsertContracts, upsertCustomers, upsertSites } from '../features/registry/customers.store.ts'
import { upsertEventTemplates } from '../features/registry/event-templates.store.ts'
import { upsertGateways } from '../features/registry/gateways.store.ts'
import { upsertInstruments } from '../features/registry/instruments.store.ts'

/** Ids and keys that `registerSampleFleet` created. */
export interface SampleFleet {
  /** Helix Biologics and Nordic Pharma. */
  customers: { helix: number; nordic: number }
  gateways: { helix: { id: number; name: string; key: string }; nordic: { id: number; name: string; key: string } }
  /** `IP-20431187` and `IP-20431188` of Helix behind GW-UPP-01, `IP-30000001` of Nordic behind GW-OSL-01. */
  instruments: { first: number; second: number; nordic: number }
}

/**
 * Registers two customers, each with a site, a gateway with a key, and instruments; Helix has a 24-hour contract, a
 * contact and an event template. Everything is created through the registry's own stores.
 */
export async function registerSampleFleet({ db }: Pick<DatabaseHandle, 'db'>, at: Date): Promise<SampleFleet> {
  const actor = { type: 'command', name: 'test' } as const
  const writing = { actor, at }
  const keys = { helix: createGatewayKey(), nordic: createGatewayKey() }
  await inTransaction(db, async (trx) => {
    await upsertCustomers(trx, writing, [aCustomer(), aCustomer({ key: 'nordic-pharma', name: 'Nordic Pharma' })])
    await upsertSites(trx, writing, [
      aSite(),
      aSite({
        key: 'nordic-pharma-oslo',
        customer: 'nordic-pharma',
        name: 'Nordic Pharma Oslo',
        street: 'Forskningsveien 1',
        zip: '0373',
        city: 'Oslo',
        country: 'Norway',
        latitude: 59.94,
        longitude: 10.72,
        timeZone: 'Europe/Oslo',
      }),
    ])
    await upsertContracts(trx, writing, [aContract()])
    await upsertContacts(trx, writing, [aContact()])
    await upsertGateways(trx, writing, [
      aGateway(),
      aGateway({ key: 'GW-OSL-01', site: 'nordic-pharma-oslo', installedProductId: 'IP-29000002' }),
    ])
    await upsertEventTemplates(trx, writing, [anEventTemplate()])
    await upsertInstruments(trx, writing, [
      anInstrument(),
      anInstrument({ key: 'IP-20431188', systemName: 'PILOT-UPP-03', contract: null, contact: null }),
      anInstrument({
        key: 'IP-30000001',
        systemName: 'PILOT-OSL-01',
        site: 'nordic-pharma-oslo',
        gateway: 'GW-OSL-01',
        contract: null,
        contact: null,
      }),
    ])
    await addGatewayKeys(trx, {
      keys: [
        { gateway: 'GW-UPP-01', hash: keys.helix.hash },
        { gateway: 'GW-OSL-01', hash: keys.nordic.hash },
      ],
      actor,
      at,
    })
  })
  const ids = async (table: 'customer' | 'gateway' | 'instrument') => {
    const name = { customer: 'key', gateway: 'name', instrument: 'installed_product_id' } as const
    const rows = await db
      .selectFrom(table)
      .select(['id', `${name[table]} as name`])
      .execute()
    return (wanted: string) => {
      const row = (rows as { id: number; name: string }[]).find((one) => one.name === wanted)
      if (!row) throw new Error(`There is no ${table} ${wanted}.`)
      return row.id
    }
  }
  const [customer, gateway, instrument] = [await ids('customer'), await ids('gateway'), await ids('instrument')]
  return {
    customers: { helix: customer('helix-biologics'), nordic: customer('nordic-pharma') },
    gateways: {
      helix: { id: gateway('GW-UPP-01'), name: 'GW-UPP-01', key: keys.helix.key },
      nordic: { id: gateway('GW-OSL-01'), name: 'GW-OSL-01', key: keys.nordic.key },
    },
    instruments: {
      first: instrument('IP-20431187'),
      second: instrument('IP-20431188'),
      nordic: instrument('IP-30000001'),
    },
  }
}
