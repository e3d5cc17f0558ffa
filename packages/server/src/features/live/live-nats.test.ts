import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { announce } from '../../db/queues/outbox.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type NatsServer, startNatsServer } from '../../testing/emulators/nats-server.ts'
import { eventually } from '../../testing/eventually.ts'
import { type LiveSocket, openLive } from '../../testing/live-socket.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

/** Two complete servers with a real NATS server between them, where this machine has one. */
describe.runIf(inject('natsServer') !== null)('two servers and NATS', () => {
  let database: TestDatabase
  let fleet: SampleFleet
  let nats: NatsServer
  let apps: TestApp[] = []

  beforeAll(async () => {
    database = await testDatabase()
    fleet = await registerSampleFleet(database, TEST_NOW)
  })
  afterEach(async () => {
    await Promise.all(apps.map((app) => app.close()))
    apps = []
    await nats.close()
  })

  async function start(): Promise<TestApp> {
    const app = await testApp(database, { environment: { NATS_URL: nats.url, METRICS_TOKEN: 'metrics-of-this-test' } })
    apps.push(app)
    await app.app.http.listen({ host: '127.0.0.1', port: 0 })
    await eventually(async () => expect((await app.call('getReady')).body).toEqual({ status: 'ready', degraded: [] }))
    return app
  }
  const tell = (customer: 'helix' | 'nordic', name: string) =>
    inTransaction(database.db, (trx) =>
      announce(trx, [
        {
          audience: { customerId: fleet.customers[customer] },
          message: {
            entity: 'instrument',
            action: 'update',
            property: 'instrumentStatus',
            payload: { id: '1', instrumentInstalledProductId: name, instrumentStatus: 'ready' },
          },
        },
      ]),
    )
  async function nextName(socket: LiveSocket): Promise<string> {
    const { payload } = await socket.next()
    return 'instrumentInstalledProductId' in payload ? payload.instrumentInstalledProductId : ''
  }
  async function metric(app: TestApp, line: string): Promise<number> {
    const { payload } = await app.app.http.inject({
      url: '/metrics',
      headers: { authorization: 'Bearer metrics-of-this-test' },
    })
    return Number(
      payload
        .split('\n')
        .find((one) => one.startsWith(`${line} `))
        ?.slice(line.length) ?? 0,
    )
  }

  test('a user whose data scope changes gets the messages of the new customer, and no more of the old one', async () => {
    nats = await startNatsServer()
    const [here, there] = [await start(), await start()]
    const id = await addSamplePerson(database, {
      login: 'moves@benchwatch.example',
      role: 'customer',
      scope: [fleet.customers.helix],
    })
    const all = await openLive(
      here,
      await here.as(await addSamplePerson(database, { login: 'all@benchwatch.example' })),
    )
    const before = await openLive(there, await there.as(id))
    await Promise.all([all.next(), before.next()])
    await tell('nordic', 'secret')
    await tell('helix', 'old')
    expect(await nextName(before)).toBe('old')

    await inTransaction(database.db, async (trx) => {
      await trx
        .updateTable('user_customer')
        .set({ customer_id: fleet.customers.nordic })
        .where('user_id', '=', id)
        .execute()
      const message = { entity: 'user', action: 'update', property: 'session', payload: {} } as const
      await announce(trx, [{ audience: { userId: id }, message }])
    })
    expect(await before.closed).toBe(1012)
    const after = await openLive(there, await there.as(id))
    await after.next()
    await tell('helix', 'secret')
    await tell('nordic', 'new')
    expect(await nextName(after)).toBe('new')
    for (const name of ['secret', 'old', 'secret', 'new']) expect(await nextName(all)).toBe(name)
    // A batch comes from the table if that was sooner.
    await eventually(async () => {
      await tell('nordic', 'again')
      expect(await metric(there, 'benchwatch_live_batches_total{from="bus"}')).toBeGreaterThan(0)
    })
    for (const socket of [all, after]) socket.close()
  })

  test('the readiness check and the metrics say that NATS is down, while messages still arrive', async () => {
    nats = await startNatsServer()
    const app = await start()
    const socket = await openLive(
      app,
      await app.as(await addSamplePerson(database, { login: 'away@benchwatch.example' })),
    )
    await socket.next()
    expect(await metric(app, 'benchwatch_live_bus_ready')).toBe(1)
    await nats.kill()
    await eventually(async () =>
      expect((await app.call('getReady')).body).toEqual({ status: 'ready', degraded: ['nats'] }),
    )
    expect(await metric(app, 'benchwatch_live_bus_ready')).toBe(0)
    await tell('helix', 'meanwhile')
    expect(await nextName(socket)).toBe('meanwhile')
    expect(app.logged()).toContain('NATS is down: live messages are read from PostgreSQL')
    socket.close()
  })
})
