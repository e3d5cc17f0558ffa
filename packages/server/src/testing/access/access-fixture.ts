import {
  aContact,
  aContract,
  aCustomer,
  aGateway,
  anEventTemplate,
  anInstrument,
  aSite,
} from '@benchwatch/samples/registry-objects'
import { inTransaction } from '../../db/transaction.ts'
import { addGatewayKeys } from '../../features/ingest/gateway-keys.store.ts'
import { createGatewayKey } from '../../features/ingest/gateway-keys.ts'
import {
  upsertContacts,
  upsertContracts,
  upsertCustomers,
  upsertSites,
} from '../../features/registry/customers.store.ts'
import { upsertEventTemplates } from '../../features/registry/event-templates.store.ts'
import { upsertGateways } from '../../features/registry/gateways.store.ts'
import { upsertInstruments } from '../../features/registry/instruments.store.ts'
import { type GatewayItems, gatewayItems } from '../gateway-items.ts'
import { addSamplePerson } from '../sample-people.ts'
import type { TestApp } from '../test-app.ts'

/**
 * Two customers who must not learn anything about each other. Every text of customer A contains a mark that occurs
 * nowhere else, and its numbers are unique too, so that each leaked byte can be recognised.
 */
export interface AccessFixture {
  a: AccessCustomer
  b: AccessCustomer
}

export interface AccessCustomer {
  /** In every text, in lower case here and in any case there. */
  mark: string
  id: number
  /** A user with an open session, in addition to those that tests create. */
  user: { id: number; name: string }
  gateway: { name: string; key: string }
  registered: Registered
  /** Values that identify the customer in addition to the mark. */
  values: { country: string; instrumentType: string; position: [number, number]; msisdn: string }
  /** Raises an event through ingest, as the gateway does; resolves with its id. */
  raise(): Promise<string>
  /** Changes an instrument's status through ingest. */
  report(): Promise<void>
}

type Registered = ReturnType<typeof objectsOf>

export async function buildAccessFixture(app: TestApp): Promise<AccessFixture> {
  await inTransaction(app.database.db, (trx) => upsertEventTemplates(trx, writing(app), [anEventTemplate()]))
  const a = await addCustomer(app, {
    mark: 'canarya7',
    values: {
      country: 'Canarya7 Land',
      instrumentType: 'UniFlux',
      position: [59.77177, 17.77177],
      msisdn: '+46700770077',
    },
  })
  const b = await addCustomer(app, {
    mark: 'bystander',
    values: { country: 'Bystander Land', instrumentType: 'AKTAGo', position: [48.1, 11.5], msisdn: '+491700880088' },
  })
  return { a, b }
}

/** Returns the parts of the bytes that can only come from this customer. */
export function tellsOf({ mark, values }: AccessCustomer, bytes: string): string[] {
  const words = [mark, values.instrumentType, values.msisdn.slice(1), ...values.position.map(String)]
  return words.filter((word) => bytes.toLowerCase().includes(word.toLowerCase()))
}

const writing = (app: TestApp) => ({ actor: { type: 'command', name: 'test' } as const, at: app.clock.now() })

type Described = Pick<AccessCustomer, 'mark' | 'values'>

function objectsOf({ mark, values }: Described) {
  const title = `${mark[0]?.toUpperCase()}${mark.slice(1)}`
  const upper = mark.toUpperCase()
  const [latitude, longitude] = values.position
  const customer = { customer: `${mark}-labs` }
  return {
    customer: aCustomer({ key: customer.customer, name: `${title} Labs` }),
    site: aSite({
      key: `${mark}-site`,
      ...customer,
      name: `${title} Site`,
      street: `${title} Street 7`,
      zip: upper,
      city: `${title} City`,
      country: values.country,
      region: `${title} Region`,
      subRegion: `${title} North`,
      latitude,
      longitude,
    }),
    contract: aContract({ key: `SC-${upper}`, ...customer, type: `${title} Care`, slaTerm: `${title} 24h` }),
    contact: aContact({
      key: `${mark}@contact.example`,
      ...customer,
      name: `${title} Contact`,
      phone: `+46 ${upper}`,
      mobile: `+47 ${upper}`,
    }),
    gateway: aGateway({
      key: `GW-${upper}`,
      site: `${mark}-site`,
      installedProductId: `IP-GW-${upper}`,
      location: `${title} Room`,
    }),
    instrument: anInstrument({
      key: `IP-${upper}-1`,
      type: values.instrumentType,
      productDescription: `${title} System`,
      systemName: `${upper}-01`,
      site: `${mark}-site`,
      gateway: `GW-${upper}`,
      contract: `SC-${upper}`,
      contact: `${mark}@contact.example`,
      itContact: `${mark}@contact.example`,
      building: `${title} House`,
      room: `${title} Hall`,
    }),
  }
}

async function addCustomer(app: TestApp, described: Described): Promise<AccessCustomer> {
  const { mark, values } = described
  const registered = objectsOf(described)
  const { key, hash } = createGatewayKey()
  const gateway = registered.gateway.key
  await inTransaction(app.database.db, async (trx) => {
    await upsertCustomers(trx, writing(app), [registered.customer])
    await upsertSites(trx, writing(app), [registered.site])
    await upsertContracts(trx, writing(app), [registered.contract])
    await upsertContacts(trx, writing(app), [registered.contact])
    await upsertGateways(trx, writing(app), [registered.gateway])
    await upsertInstruments(trx, writing(app), [registered.instrument])
    await addGatewayKeys(trx, { keys: [{ gateway, hash }], ...writing(app) })
  })
  const { id } = await app.database.db
    .selectFrom('customer')
    .select('id')
    .where('key', '=', registered.customer.key)
    .executeTakeFirstOrThrow()
  const name = `${mark} person`
  const userId = await addSamplePerson(app.database, {
    login: `${mark}.person@people.example`,
    name,
    role: 'customer',
    scope: [id],
    msisdn: values.msisdn,
  })
  const items = gatewayItems(`epoch-${mark}`, app.clock.now(), gateway)
  const envelope = { subject: registered.instrument.key }
  const send = (item: ReturnType<GatewayItems['heartbeat']>) => deliver(app, { gateway, key, item })
  return {
    mark,
    id,
    registered,
    values,
    user: { id: userId, name },
    gateway: { name: gateway, key },
    async raise() {
      await send(
        items.raised(
          {
            componentName: `${mark} pump (${mark.toUpperCase()})`,
            description: `${mark}: pressure above limit`,
            userMessage: `${mark}: look at the pump`,
          },
          envelope,
        ),
      )
      const raised = await app.database.db
        .selectFrom('service_event')
        .select('id')
        .where('customer_id', '=', id)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      // Cleared, so that the next raise creates a new event.
      await app.database.db
        .updateTable('service_event')
        .set({ cleared_at: app.clock.now() })
        .where('id', '=', raised.id)
        .execute()
      return String(raised.id)
    },
    report: () => send(items.status('method run', envelope)),
  }
}

async function deliver(
  app: TestApp,
  { gateway, key, item }: { gateway: string; key: string; item: Record<string, unknown> },
): Promise<void> {
  const { status, body } = await app
    .withHeaders({ authorization: `Bearer ${key}` })
    .call('ingestBatch', { params: { gateway }, body: [item] })
  if (status !== 200 || body.accepted !== 1) throw new Error(`Ingest refused: ${JSON.stringify(body)}`)
}
