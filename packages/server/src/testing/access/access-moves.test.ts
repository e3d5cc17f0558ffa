import { paths, type RouteName } from '@benchwatch/contract/paths'
import type { Route } from '@benchwatch/contract/route'
import { routes } from '@benchwatch/contract/routes'
import { type FeatureKey, kpiMeasures, type Role } from '@benchwatch/contract/vocabulary'
import { anInstrument } from '@benchwatch/samples/registry-objects'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { createSession } from '../../features/auth/session/session.store.ts'
import { newUnsubscribeLinks } from '../../features/unsubscribe/unsubscribe-link.ts'
import { gatewayItems } from '../gateway-items.ts'
import { switchFlag } from '../switched-flags.ts'
import { type TestApp, testApp } from '../test-app.ts'
import { testDatabase } from '../test-database.ts'
import { type AccessCaller, addPerson, ask } from './access-callers.ts'
import { type AccessCustomer, type AccessFixture, buildAccessFixture, tellsOf } from './access-fixture.ts'
import { requestOf } from './access-requests.ts'

/**
 * An instrument moves from customer A to B, and both fill it with everything that an instrument has. Then people of both
 * ask for everything that can be read.
 */

const KEY = 'IP-MOVES-1'
const HOUR = 3_600_000

let app: TestApp
let fixture: AccessFixture
/** An event of the instrument under each customer, by mark. */
const events = new Map<string, string>()

beforeAll(async () => {
  app = await testApp(await testDatabase())
  const flags: FeatureKey[] = ['ASSET_USAGE', 'AUTO_EMAIL', 'BACKOFFICE']
  for (const key of [...flags, 'FETCH_INSTRUMENT_COMPONENTS', 'FETCH_INSTRUMENT_DAILY_RUNTIMES'] as FeatureKey[])
    await switchFlag(app.database, key, { value: true })
  fixture = await buildAccessFixture(app)
  await register(fixture.a)
  await fill(fixture.a)
  await fill(fixture.a, 3 * HOUR)
  const [token = ''] = await inTransaction(app.database.db, async (trx) => {
    const { id } = await trx
      .selectFrom('instrument')
      .where('installed_product_id', '=', KEY)
      .select('id')
      .executeTakeFirstOrThrow()
    const contactEmail = fixture.a.registered.contact.key
    const link = { eventId: 1, contactEmail, instrumentId: id, templateId: 'P9B-1042', componentName: 'Pump' }
    return newUnsubscribeLinks(trx, { at: app.clock.now(), links: [link] })
  })
  app.clock.advance(HOUR)
  await register(fixture.b)
  app.clock.advance(HOUR)
  await fill(fixture.b)
  expect((await app.call('unsubscribe', { body: { token, unsubscribeDays: null } })).status).toBe(200)
  app.clock.advance(HOUR)
})
afterAll(() => app.close())

async function register({ mark, registered, gateway }: AccessCustomer): Promise<void> {
  const { input } = anInstrument({
    ...registered.instrument.input,
    type: 'AKTAPilot600',
    productDescription: 'Neutral system',
    systemName: `${mark} name`,
    gateway: gateway.name,
  })
  const admin = await callerOf('admin', null)
  const { status } = await app
    .withHeaders(admin.headers)
    .call('putInstrument', { params: { key: KEY }, body: input as never })
  expect(status).toBeLessThan(300)
}

/** Reports everything that a gateway can report about the instrument, and plans a maintenance. */
async function fill({ mark, id, gateway, user }: AccessCustomer, ahead = 0): Promise<void> {
  const now = new Date(app.clock.now().getTime() + ahead)
  const items = gatewayItems(`moves-${mark}-${ahead}`, now, gateway.name)
  const of = { subject: KEY }
  const at = now.toISOString()
  const name = `${mark} pump ${ahead} (${mark.toUpperCase()})`
  const texts = { description: `${mark}: pressure`, userMessage: `${mark}: look at the pump` }
  const line = { timestamp: at, message: `${mark} line`, module: mark, userName: mark }
  const values = { metric: `${mark} seal`, unit: mark, value: 900 }
  const usage = { ...values, thresholdRule: 'MAXIMUM_USAGE', thresholdValues: [1000] }
  const status = items.status('method run', of, `${mark} run`)
  const batch = [
    { ...status, data: { ...(status['data'] as object), reason: `${mark} reason` } },
    items.log([line], of),
    items.log([{ ...line, hostname: `${mark}-pc` }], of),
    items.usage([{ componentName: name, usage: [usage], info: [{ ...values, value: mark }], details: [] }], of),
    items.runtime(at.slice(0, 10), 7777, of),
    items.raised({ componentName: name, logGeneratedAt: at, ...texts }, of),
  ]
  // Only the newest are kept, so B does not report theirs.
  if (mark === fixture.a.mark)
    batch.push(items.clients({ clientPcNames: [`${mark}-pc`], unicornVersion: mark, unicornPcName: `${mark}-pc` }, of))
  const { body } = await app
    .withHeaders({ authorization: `Bearer ${gateway.key}` })
    .call('ingestBatch', { params: { gateway: gateway.name }, body: batch })
  expect(body).toMatchObject({ accepted: batch.length, rejected: [] })
  const event = await app.database.db
    .selectFrom('service_event as e')
    .innerJoin('instrument as i', 'i.id', 'e.instrument_id')
    .where('i.installed_product_id', '=', KEY)
    .where('e.customer_id', '=', id)
    .select('e.id')
    .executeTakeFirstOrThrow()
  events.set(mark, String(event.id))
  const { accessToken } = await createSession(
    { db: app.database.db, clock: app.clock, config: app.config },
    { userId: user.id },
  )
  const start = app.clock.now().toISOString()
  const { status: set } = await app
    .withHeaders({ authorization: `Bearer ${accessToken}` })
    .call('setMaintenance', { query: { instrumentId: KEY }, body: { start, reason: `${mark} works` } as never })
  expect(set).toBe(200)
}

async function callerOf(role: Role, customer: AccessCustomer | null): Promise<AccessCaller> {
  const { id } = await addPerson(app, { role, scope: customer === null ? 'all' : [customer.id] })
  const { accessToken } = await createSession(
    { db: app.database.db, clock: app.clock, config: app.config },
    { userId: id },
  )
  return { name: 'service', userId: id, headers: { authorization: `Bearer ${accessToken}` } }
}

/** Types belong to no customer; administrators read the whole registry; the link in a mail is sufficient. */
const others = new Set<RouteName>(['listInstrumentTypes', 'getUnsubscribeInformation'])
const reading = (Object.keys(paths) as RouteName[]).filter((name) => {
  const { access } = routes[name] as Route
  return /^(?:get|list|read|search|count|preview|explain)/.test(name) && access.kind !== 'registry' && !others.has(name)
})

test.each(['a', 'b'] as const)(
  'people of customer %s learn nothing of the other one from the instrument',
  async (which) => {
    const own = fixture[which]
    const other = which === 'a' ? fixture.b : fixture.a
    const asOwn: AccessFixture = {
      ...fixture,
      a: {
        ...own,
        registered: { ...own.registered, instrument: { ...own.registered.instrument, key: KEY } },
        raise: async () => events.get(own.mark) ?? '',
      },
    }
    const told: [Role, string, string[]][] = []
    const note = (role: Role, what: string, bytes: string) => {
      const tells = tellsOf(other, bytes)
      if (tells.length > 0) told.push([role, what, tells])
    }
    for (const role of ['customer', 'service', 'support', 'admin'] as const) {
      const caller = await callerOf(role, own)
      for (const name of reading) {
        const request = await requestOf(name, { app, fixture: asOwn, caller })
        const { bytes } = await ask(app, name, { ...request, headers: { ...caller.headers, ...request.headers } })
        note(role, name, bytes)
        if (name !== 'getKpiTable') continue
        for (const measure of kpiMeasures) {
          const table = { ...request, params: { measure } }
          note(role, measure, (await ask(app, name, table as never)).bytes)
        }
      }
      for (const type of ['event', 'instrument'] as const) {
        const body = { ids: [], mode: 'exclude', type, details: 'FULL' } as const
        const made = await app.withHeaders(caller.headers).call('createExport', { query: {}, body: body as never })
        const file = await app.app.http.inject({ url: made.body.url })
        expect([made.status, file.statusCode]).toEqual([200, 200])
        note(role, `export of ${type}s`, file.body)
      }
    }
    expect(told).toEqual([])
  },
)
