import { createHmac } from 'node:crypto'
import type { Webhook, WebhookInput } from '@benchwatch/contract/messages/webhooks'
import { Webhook as StandardVerifier } from 'standardwebhooks'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DataScope } from '../../db/actor.ts'
import { Signal } from '../../platform/concurrency.ts'
import type { Log } from '../../platform/log.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/emulators/webhook-receiver.ts'
import { eventually } from '../../testing/eventually.ts'
import { gatewayItems } from '../../testing/gateway-items.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { noFilter } from '../profiles/profile-settings.ts'
import { webhookJobs, webhookTasks } from './webhooks.jobs.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** Verifiers compare the timestamp with the real clock. */
const REAL_NOW = new Date()

let database: TestDatabase
let fleet: SampleFleet
let receiver: WebhookReceiver
let apps: TestApp[] = []
let people = 0
let alarms = 0

beforeAll(async () => {
  database = await testDatabase()
  fleet = await registerSampleFleet(database, TEST_NOW)
})
beforeEach(async () => {
  receiver = await startWebhookReceiver()
  await database.db.deleteFrom('webhook').execute()
})
afterEach(async () => {
  // First, because a server waits for its requests when it ends.
  await receiver.close()
  await Promise.all(apps.map((app) => app.close()))
  apps = []
})

async function start(now = TEST_NOW): Promise<TestApp> {
  const app = await testApp(database, { now, environment: { WEBHOOK_NETWORKS: '127.0.0.0/8' } })
  apps.push(app)
  return app
}

interface Person {
  id: number
  caller: Caller
}

async function person(app: TestApp, scope: DataScope = 'all'): Promise<Person> {
  people += 1
  const id = await addSamplePerson(database, { login: `hook-${people}@benchwatch.example`, scope })
  return { id, caller: await app.as(id) }
}

async function hook({ caller }: Person, over: Partial<WebhookInput> = {}): Promise<Webhook & { secret: string }> {
  const { status, body } = await caller.call('createWebhook', {
    body: {
      name: 'Duty',
      url: receiver.url,
      format: 'plain',
      occasions: ['event.raised', 'event.claimed', 'event.changed', 'event.closed', 'event.cleared'],
      filter: noFilter,
      isOn: true,
      ...over,
    },
  })
  expect(status).toBe(201)
  return body
}

/** Sends an alarm through ingest; returns the id of its event. */
async function raise(
  app: TestApp,
  { of = 'helix', clears = false, ...data }: { of?: 'helix' | 'nordic'; clears?: boolean; severity?: string } = {},
): Promise<string> {
  alarms += 1
  const gateway = fleet.gateways[of]
  const items = gatewayItems(`hook-${alarms}`, app.clock.now(), gateway.name)
  const envelope = of === 'helix' ? {} : { subject: 'IP-30000001' }
  const alertId = `hook-${alarms}`
  const raised = items.raised({ alertId, templateId: `HOOK-${1000 + alarms}`, ...data }, envelope)
  const { status } = await app.withHeaders({ authorization: `Bearer ${gateway.key}` }).call('ingestBatch', {
    params: { gateway: gateway.name },
    body: (clears ? [raised, items.cleared(alertId, envelope)] : [raised]) as never,
  })
  expect(status).toBe(200)
  const { id } = await database.db
    .selectFrom('service_event')
    .where('alert_id', '=', alertId)
    .select('id')
    .executeTakeFirstOrThrow()
  return String(id)
}

async function tellStatus(app: TestApp, status: string): Promise<void> {
  alarms += 1
  const items = gatewayItems(`status-${alarms}`, app.clock.now())
  await app
    .withHeaders({ authorization: `Bearer ${fleet.gateways.helix.key}` })
    .call('ingestBatch', { params: { gateway: fleet.gateways.helix.name }, body: [items.status(status)] as never })
}

async function change({ caller }: Person, webhook: Webhook, over: Partial<WebhookInput>): Promise<void> {
  const { id, name, url, format, occasions, filter, isOn } = webhook
  const body = { name, url: url ?? '', format, occasions, filter, isOn, ...over }
  expect((await caller.call('updateWebhook', { params: { id }, body })).status).toBe(200)
}

/** Waits until this many attempts are recorded; only then may a test move the clock. */
const untilTried = (webhook: Webhook, attempts: number) =>
  eventually(async () => {
    const rows = await database.db
      .selectFrom('webhook_delivery')
      .where('webhook_id', '=', Number(webhook.id))
      .select('attempts')
      .execute()
    expect(rows.flatMap((row) => row.attempts).length).toBe(attempts)
  })

const bodies = () =>
  receiver.requests.map(({ body }) => JSON.parse(body) as { type: string; data: { event?: { eventId: string } } })
const types = () => bodies().map(({ type }) => type)
const deliveries = async ({ caller }: Person, { id }: Webhook) =>
  (await caller.call('listWebhookDeliveries', { params: { id }, query: {} })).body.values
const first = async (owner: Person, webhook: Webhook) => {
  const [delivery] = await deliveries(owner, webhook)
  if (!delivery) throw new Error('There is no delivery.')
  return delivery
}

describe('a webhook', () => {
  it('reports an event that was raised, claimed, closed and corrected', async () => {
    const app = await start()
    const owner = await person(app)
    const webhook = await hook(owner)
    const id = await raise(app)
    const change = (body: object) => owner.caller.call('updateServiceEvent', { params: { id }, body: body as never })
    await change({ claimedBy: String(owner.id) })
    await change({ alertStatus: 'CLOSED', reasonClosed: 'No action required' })
    await change({ alertStatus: 'CLOSED', reasonClosed: 'Duplicate event' })
    const all = ['event.raised', 'event.claimed', 'event.closed', 'event.changed']
    await eventually(() => expect(types()).toEqual(all))
    expect(new Set(bodies().map(({ data }) => data.event?.eventId))).toEqual(new Set([id]))
    await eventually(async () =>
      expect((await deliveries(owner, webhook)).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent', 'sent']),
    )
  })

  it('reports once that an alarm returned to normal, even if it did so before it was stored', async () => {
    const app = await start()
    await hook(await person(app))
    await raise(app, { clears: true })
    await eventually(() => expect(types()).toEqual(['event.raised', 'event.cleared']))
  })

  it('reports an instrument that is lost and back', async () => {
    const app = await start()
    const owner = await person(app)
    await hook(owner, {
      occasions: ['instrument.lost', 'instrument.back'],
      filter: { ...noFilter, severity: ['high'] },
    })
    for (const status of ['disconnected', 'ready']) {
      await tellStatus(app, status)
      app.clock.advance(MINUTE)
    }
    await eventually(() => expect(types()).toEqual(expect.arrayContaining(['instrument.lost', 'instrument.back'])))
  })

  it('sends only what its filter accepts', async () => {
    const app = await start()
    await hook(await person(app), { filter: { ...noFilter, severity: ['high'] } })
    await raise(app, { severity: 'low' })
    const id = await raise(app, { severity: 'high' })
    await eventually(() => expect(bodies().map(({ data }) => data.event?.eventId)).toEqual([id]))
  })

  it('sends nothing of the time when it was off', async () => {
    const app = await start()
    const owner = await person(app)
    const webhook = await hook(owner, { isOn: false })
    await raise(app)
    // The change is published before the webhook is switched on.
    await eventually(async () => expect(await database.db.selectFrom('live_outbox').select('id').execute()).toEqual([]))
    await change(owner, webhook, { isOn: true })
    const later = await raise(app)
    await eventually(() => expect(bodies().map(({ data }) => data.event?.eventId)).toEqual([later]))
  })
})

describe('a signature', () => {
  it('is that of Standard Webhooks, computed by hand and by its verifier, and by no other secret', async () => {
    const app = await start(REAL_NOW)
    const { secret } = await hook(await person(app))
    await raise(app)
    await eventually(() => expect(receiver.requests.length).toBe(1))
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.requests
    const signed = headers as Record<string, string>
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const content = `${signed['webhook-id']}.${signed['webhook-timestamp']}.${body}`
    const hash = createHmac('sha256', key).update(content).digest('base64')
    expect(signed['webhook-signature']).toBe(`v1,${hash}`)
    expect(new StandardVerifier(secret).verify(body, signed)).toEqual(JSON.parse(body))
    expect(() => new StandardVerifier(secret).verify(`${body} `, signed)).toThrow()
    expect(() => new StandardVerifier(`whsec_${'A'.repeat(43)}=`).verify(body, signed)).toThrow()
  })

  it('is also made with the secret before, for a day after a rotation', async () => {
    const app = await start(REAL_NOW)
    const owner = await person(app)
    const { id, secret: before } = await hook(owner)
    const { secret: after } = (await owner.caller.call('rotateWebhookSecret', { params: { id } })).body
    await raise(app)
    await eventually(() => expect(receiver.requests.length).toBe(1))
    const [request] = receiver.requests
    for (const secret of [before, after])
      expect(
        new StandardVerifier(secret).verify(request?.body ?? '', request?.headers as Record<string, string>),
      ).toBeTypeOf('object')
    app.clock.advance(DAY + 1)
    await raise(app)
    await eventually(() => expect(receiver.requests.length).toBe(2))
    expect(String(receiver.requests[1]?.headers['webhook-signature']).split(' ').length).toBe(1)
  })
})

describe('the owner of a webhook', () => {
  it('receives nothing outside the data scope', async () => {
    const app = await start()
    await hook(await person(app, [fleet.customers.nordic]))
    await raise(app, { of: 'helix' })
    const id = await raise(app, { of: 'nordic' })
    await eventually(() => expect(bodies().map(({ data }) => data.event?.eventId)).toEqual([id]))
  })

  it('who lost the customer before it was sent sends nothing, and no longer sees the request', async () => {
    const app = await start()
    const owner = await person(app, [fleet.customers.helix, fleet.customers.nordic])
    const webhook = await hook(owner)
    receiver.answer = { status: 500 }
    await raise(app)
    await untilTried(webhook, 1)
    await database.db
      .deleteFrom('user_customer')
      .where('user_id', '=', owner.id)
      .where('customer_id', '=', fleet.customers.helix)
      .execute()
    expect((await owner.caller.call('listWebhooks')).body.values).toMatchObject([{ waiting: 0, parked: 0 }])
    receiver.answer = { status: 204 }
    app.pass(MINUTE)
    await eventually(async () => expect(await statesOf(webhook)).toEqual(['withdrawn']))
    expect(receiver.requests.length).toBe(1)
    expect(await deliveries(owner, webhook)).toEqual([])
  })

  it('who was disabled sends nothing more', async () => {
    const app = await start()
    const owner = await person(app)
    const webhook = await hook(owner)
    receiver.answer = { status: 500 }
    await raise(app)
    await untilTried(webhook, 1)
    await database.db.updateTable('app_user').set({ disabled_at: TEST_NOW }).where('id', '=', owner.id).execute()
    app.pass(MINUTE)
    await eventually(async () => expect(await statesOf(webhook)).toEqual(['withdrawn']))
    expect(receiver.requests.length).toBe(1)
  })
})

const statesOf = async ({ id }: Webhook) =>
  (await database.db.selectFrom('webhook_delivery').where('webhook_id', '=', Number(id)).select('state').execute()).map(
    ({ state }) => state,
  )

describe('a delivery', () => {
  it('is repeated with the same id until the receiver takes it, and logged with each answer', async () => {
    const app = await start()
    const owner = await person(app)
    const webhook = await hook(owner)
    receiver.answer = { status: 503, body: 'closed for lunch' }
    await raise(app)
    await untilTried(webhook, 1)
    receiver.answer = { status: 200, body: 'thanks' }
    app.pass(MINUTE)
    await eventually(async () => expect(await first(owner, webhook)).toMatchObject({ state: 'sent' }))
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const { body, attempts, messageId } = await first(owner, webhook)
    expect(attempts).toMatchObject([
      { status: 503, answer: 'closed for lunch', error: 'The receiver answered 503.' },
      { status: 200, answer: 'thanks', error: null },
    ])
    expect(receiver.requests[0]).toMatchObject({ body, headers: { 'webhook-id': messageId } })
  })

  it('is parked after a day, and sent again on request', async () => {
    const app = await start()
    const owner = await person(app)
    const webhook = await hook(owner)
    receiver.answer = { status: 500 }
    await raise(app)
    await untilTried(webhook, 1)
    app.pass(DAY + 1)
    // The session has ended as well.
    owner.caller = await app.as(owner.id)
    await eventually(async () => expect(await first(owner, webhook)).toMatchObject({ state: 'parked' }))
    receiver.answer = { status: 204 }
    const { id: deliveryId } = await first(owner, webhook)
    const again = () => owner.caller.call('resendWebhookDelivery', { params: { id: webhook.id, deliveryId } })
    expect((await again()).status).toBe(204)
    await eventually(async () => expect(await first(owner, webhook)).toMatchObject({ state: 'sent' }))
  })

  it.each(['event.raised', 'instrument.lost', 'test'] as const)(
    'that waits when the format changes leaves in the new one: %s',
    async (occasion) => {
      const app = await start()
      const owner = await person(app)
      receiver.answer = { status: 500 }
      const webhook = await hook(owner, { occasions: ['event.raised', 'instrument.lost'] })
      if (occasion === 'event.raised') await raise(app)
      else if (occasion === 'test') await owner.caller.call('testWebhook', { params: { id: webhook.id } })
      else for (const status of ['ready', 'disconnected']) await tellStatus(app, status)
      await untilTried(webhook, 1)
      await change(owner, webhook, { format: 'slack' })
      receiver.answer = { status: 204 }
      const { id: deliveryId } = await first(owner, webhook)
      if (occasion === 'test')
        await owner.caller.call('resendWebhookDelivery', { params: { id: webhook.id, deliveryId } })
      else app.pass(MINUTE)
      await eventually(async () => expect(await first(owner, webhook)).toMatchObject({ state: 'sent' }))
      const [before, after] = receiver.requests.map(({ body }) => JSON.parse(body) as object)
      expect([Object.keys(before ?? {}), Object.keys(after ?? {})]).toEqual([
        ['type', 'timestamp', 'data'],
        ['text', 'blocks'],
      ])
      if (occasion === 'instrument.lost') expect(JSON.stringify(after)).toContain('ORC status: Disconnected')
      expect((await first(owner, webhook)).body).toBe(receiver.requests[1]?.body)
    },
  )

  it('about an event waits for the one before it', async () => {
    const app = await start()
    const owner = await person(app)
    const webhook = await hook(owner)
    receiver.answer = { status: 500 }
    const id = await raise(app)
    await untilTried(webhook, 1)
    await owner.caller.call('updateServiceEvent', { params: { id }, body: { claimedBy: String(owner.id) } })
    const other = await raise(app)
    await eventually(() => expect(bodies().map(({ data }) => data.event?.eventId)).toEqual([id, other]))
    await untilTried(webhook, 2)
    receiver.answer = { status: 204 }
    app.pass(MINUTE)
    await eventually(async () => expect(await statesOf(webhook)).toEqual(['sent', 'sent', 'sent']))
    const told = bodies().filter(({ data }) => data.event?.eventId === id)
    expect(told.map(({ type }) => type)).toEqual(['event.raised', 'event.raised', 'event.claimed'])
  })

  it('is deleted with its event', async () => {
    const app = await start()
    const owner = await person(app)
    const webhook = await hook(owner)
    const id = await raise(app)
    await eventually(async () => expect(await statesOf(webhook)).toEqual(['sent']))
    await database.db.deleteFrom('service_event').where('id', '=', Number(id)).execute()
    expect(await statesOf(webhook)).toEqual([])
  })
})

describe('a receiver', () => {
  it('that answers 410 ends the webhook', async () => {
    const app = await start()
    const owner = await person(app)
    const webhook = await hook(owner)
    receiver.answer = { status: 410 }
    await raise(app)
    await eventually(async () =>
      expect((await owner.caller.call('listWebhooks')).body.values).toMatchObject([{ id: webhook.id, state: 'gone' }]),
    )
    expect(await statesOf(webhook)).toEqual(['parked'])
  })

  it.each([410, 500])('that answers %i after another one was named does not count against that one', async (status) => {
    const app = await start()
    const owner = await person(app)
    const webhook = await hook(owner)
    const other = await startWebhookReceiver()
    receiver.answer = { status }
    receiver.onRequest = () => change(owner, webhook, { url: other.url })
    await raise(app)
    await eventually(async () => expect(await first(owner, webhook)).toMatchObject({ state: 'sent' }))
    expect([receiver.requests.length, other.requests.length]).toEqual([1, 1])
    expect((await owner.caller.call('listWebhooks')).body.values).toMatchObject([{ state: 'on', parked: 0 }])
    await other.close()
  })

  it('that keeps failing is left alone, while another one gets its requests', async () => {
    const app = await start()
    const owner = await person(app)
    receiver.answer = { status: 500 }
    const failing = await hook(owner)
    for (let count = 0; count < 6; count += 1) await raise(app)
    const state = async () =>
      (await owner.caller.call('listWebhooks')).body.values.find(({ id }) => id === failing.id)?.state
    await eventually(async () => expect(await state()).toBe('paused'))
    expect(receiver.requests.length).toBe(5)
    const other = await startWebhookReceiver()
    await hook(owner, { name: 'Other', url: other.url })
    await raise(app)
    await eventually(() => expect(other.requests.length).toBe(1))
    expect(receiver.requests.length).toBe(5)
    receiver.answer = { status: 204 }
    app.pass(MINUTE + 1)
    await eventually(async () => expect(await statesOf(failing)).toEqual(Array.from({ length: 7 }, () => 'sent')))
    expect(await state()).toBe('on')
    await other.close()
  })

  it('that hangs delays no other one', async () => {
    const app = await start()
    const owner = await person(app)
    receiver.answer = 'hang'
    await hook(owner)
    const other = await startWebhookReceiver()
    await hook(owner, { name: 'Other', url: other.url })
    await raise(app)
    await eventually(() => expect([receiver.requests.length, other.requests.length]).toEqual([1, 1]))
    // Also what comes while requests hang, and with more of those than a server has lanes.
    for (const name of ['B', 'C', 'D', 'E']) await hook(owner, { name })
    for (const sent of [2, 3, 4]) {
      await raise(app)
      await eventually(() => expect(other.requests.length).toBe(sent))
    }
    const sent = receiver.requests.map(({ headers }) => headers['webhook-id'])
    expect(sent).toEqual([...new Set(sent)])
    await other.close()
  })
})

describe('two servers', () => {
  it('send each delivery once', async () => {
    const app = await start()
    await start()
    const owner = await person(app)
    const webhook = await hook(owner)
    for (let count = 0; count < 10; count += 1) await raise(app)
    await eventually(async () => expect(await statesOf(webhook)).toEqual(Array.from({ length: 10 }, () => 'sent')))
    expect(receiver.requests.length).toBe(10)
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(10)
  })

  it('decide each occasion once, and send from one webhook one after the other', async () => {
    const app = await start()
    const owner = await person(app)
    const webhook = await hook(owner, { isOn: false })
    await database.db.updateTable('webhook').set({ is_on: true, after_seq: 0 }).execute()
    await database.db.updateTable('webhook_position').set({ seq: 0 }).execute()
    const part = { db: database.db, clock: app.clock, config: app.config, log: app.app.http.log as Log }
    const [decide] = webhookTasks(part, new Signal())
    await Promise.all([decide?.run(), decide?.run()])
    const stop = new AbortController().signal
    const senders = [...webhookJobs(part), ...webhookJobs(part)]
    await Promise.all(senders.map((job) => job.run({}, stop)))
    const stored = await statesOf(webhook)
    expect(stored.length).toBeGreaterThan(10)
    await eventually(async () => expect(new Set(await statesOf(webhook))).toEqual(new Set(['sent'])))
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(stored.length)
    expect(receiver.requests.length).toBe(stored.length)
  })
})

describe('the log of deliveries', () => {
  it('is kept for the configured days', async () => {
    const app = await start()
    const owner = await person(app)
    const webhook = await hook(owner)
    await raise(app)
    await eventually(async () => expect(await statesOf(webhook)).toEqual(['sent']))
    const part = { db: database.db, clock: app.clock, config: app.config, log: app.app.http.log as Log }
    const forget = webhookTasks(part, new Signal()).find(({ name }) => name === 'delete old deliveries of webhooks')
    app.clock.advance(29 * DAY)
    await forget?.run()
    expect(await statesOf(webhook)).toEqual(['sent'])
    app.clock.advance(2 * DAY)
    await forget?.run()
    expect(await statesOf(webhook)).toEqual([])
  })
})
