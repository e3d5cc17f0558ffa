import type { WebhookInput } from '@benchwatch/contract/messages/webhooks'
import type { Role } from '@benchwatch/contract/vocabulary'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DataScope } from '../../db/actor.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { noFilter } from '../profiles/profile-settings.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let people = 0

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
})
afterAll(() => app.close())

async function somebody(role: Role, scope: DataScope): Promise<{ id: number; caller: Caller }> {
  people += 1
  const id = await addSamplePerson(database, { login: `owner-${people}@people.example`, role, scope })
  return { id, caller: await app.as(id) }
}

const filter = { ...noFilter, severity: ['high'] }
const input = (over: Partial<WebhookInput> = {}): WebhookInput => ({
  name: 'Duty',
  url: 'https://hooks.example.com/services/T0/secret',
  format: 'plain',
  routingKey: null,
  occasions: ['event.raised', 'event.closed'],
  filter: filter as WebhookInput['filter'],
  isOn: true,
  ...over,
})
const auditOf = (id: string) =>
  database.db.selectFrom('audit').selectAll().where('entity_type', '=', 'webhook').where('entity_id', '=', id).execute()

describe('creating a webhook', () => {
  it('shows the secret once, and stores address and secret sealed', async () => {
    const { caller } = await somebody('customer', [fleet.customers.helix])
    const { status, body } = await caller.call('createWebhook', { body: input() })
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'Duty', host: 'hooks.example.com', state: 'on', isOwn: true })
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const [listed] = (await caller.call('listWebhooks')).body.values
    expect(listed).toMatchObject({ url: input().url })
    expect(JSON.stringify(listed)).not.toContain(body.secret)
    const { rows } = await database.pool.query('SELECT w::text AS text FROM webhook w WHERE id = $1', [body.id])
    expect(rows[0].text).not.toContain('services/T0')
  })

  it('is audited without the address and the secret', async () => {
    const { caller } = await somebody('support', 'all')
    const { body } = await caller.call('createWebhook', { body: input() })
    await caller.call('updateWebhook', {
      params: { id: body.id },
      body: input({ name: 'Night', url: `${input().url}2` }),
    })
    await caller.call('rotateWebhookSecret', { params: { id: body.id } })
    await caller.call('deleteWebhook', { params: { id: body.id } })
    const entries = await auditOf(body.id)
    expect(entries.map(({ action, property }) => [action, property])).toEqual([
      ['created', null],
      ['update', 'name'],
      ['update', 'url'],
      ['update', 'secret'],
      ['deleted', null],
    ])
    expect(JSON.stringify(entries)).not.toMatch(/services|whsec/)
  })

  it.each<[string, Partial<WebhookInput>, string]>([
    ['no address', { url: 'hooks.example.com' }, 'body.url'],
    ['no TLS', { url: 'http://hooks.example.com/' }, 'body.url'],
    ['a password in the address', { url: 'https://a:b@hooks.example.com/' }, 'body.url'],
    ['a private address', { url: 'https://169.254.169.254/latest' }, 'body.url'],
    ['a private address in disguise', { url: 'https://0x7f.1/' }, 'body.url'],
    ['PagerDuty without a key', { format: 'pagerduty' }, 'body.routingKey'],
  ])('with %s is refused at the field', async (_what, over, path) => {
    const { caller } = await somebody('support', 'all')
    const { status, problem } = await caller.call('createWebhook', { body: input(over) })
    expect({ status, code: problem.code, path: problem.errors?.[0]?.path }).toEqual({
      status: 400,
      code: 'bad-change',
      path,
    })
  })

  it('in a private network says who can allow it, also without TLS', async () => {
    const { caller } = await somebody('support', 'all')
    for (const url of ['https://10.1.2.3/hook', 'http://10.1.2.3/hook']) {
      const { problem } = await caller.call('createWebhook', { body: input({ url }) })
      expect(problem.errors?.[0]?.message).toMatch(
        /private network\. Whoever operates this server can allow it \(WEBHOOK_NETWORKS\)/,
      )
    }
  })

  it('that PagerDuty could not express, or never resolve, is refused', async () => {
    const { caller } = await somebody('support', 'all')
    const pagerduty = { format: 'pagerduty', routingKey: 'routing-key-of-the-duty' } as const
    for (const occasions of [['event.raised'], ['event.raised', 'event.closed', 'event.cleared']] as const) {
      const { problem } = await caller.call('createWebhook', {
        body: input({ ...pagerduty, occasions: [...occasions] }),
      })
      expect(problem).toMatchObject({ code: 'validation-failed', errors: [{ path: 'body.occasions' }] })
    }
    const { body } = await caller.call('createWebhook', { body: input(pagerduty) })
    expect(body).toMatchObject({ hasRoutingKey: true })
    expect(JSON.stringify(body)).not.toContain('routing-key-of-the-duty')
  })

  it('is refused after twenty', async () => {
    const { caller } = await somebody('service', 'all')
    for (let count = 0; count < 20; count += 1) await caller.call('createWebhook', { body: input() })
    expect((await caller.call('createWebhook', { body: input() })).problem.code).toBe('too-many-webhooks')
  })
})

describe('a webhook of another user', () => {
  it('does not exist for users of another customer, nor for colleagues', async () => {
    const { caller: owner } = await somebody('customer', [fleet.customers.helix])
    const { body } = await owner.call('createWebhook', { body: input() })
    const params = { id: body.id }
    for (const { caller } of [await somebody('customer', [fleet.customers.nordic]), await somebody('support', 'all')]) {
      const answers = [
        await caller.call('updateWebhook', { params, body: input() }),
        await caller.call('deleteWebhook', { params }),
        await caller.call('rotateWebhookSecret', { params }),
        await caller.call('testWebhook', { params }),
        await caller.call('listWebhookDeliveries', { params, query: {} }),
        await caller.call('resendWebhookDelivery', { params: { ...params, deliveryId: '1' } }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
      expect((await caller.call('listWebhooks')).body.values).toEqual([])
    }
  })

  it('of a user who sees more customers than an administrator does not exist for them: its filter names customers', async () => {
    const { caller: owner } = await somebody('support', 'all')
    const filter = { ...input().filter, customer: ['Nordic Pharma'] }
    const { body } = await owner.call('createWebhook', { body: input({ filter }) })
    const { caller: admin } = await somebody('admin', [fleet.customers.helix])
    expect((await admin.call('listWebhooks')).body.values.map(({ id }) => id)).not.toContain(body.id)
    expect((await admin.call('deleteWebhook', { params: { id: body.id } })).status).toBe(404)
    expect((await owner.call('deleteWebhook', { params: { id: body.id } })).status).toBe(204)
  })

  it('is seen without its address and deleted by an administrator who manages the owner', async () => {
    const { caller: owner } = await somebody('customer', [fleet.customers.helix])
    const { body } = await owner.call('createWebhook', { body: input({ name: 'Seen' }) })
    const { caller: other } = await somebody('admin', [fleet.customers.nordic])
    const { caller: admin } = await somebody('admin', 'all')
    const seen = async (caller: Caller) =>
      (await caller.call('listWebhooks')).body.values.filter(({ id }) => id === body.id)
    expect(await seen(other)).toEqual([])
    expect(await seen(admin)).toMatchObject([{ name: 'Seen', url: null, isOwn: false, host: 'hooks.example.com' }])
    expect((await other.call('deleteWebhook', { params: { id: body.id } })).status).toBe(404)
    expect((await admin.call('updateWebhook', { params: { id: body.id }, body: input() })).status).toBe(404)
    expect((await admin.call('deleteWebhook', { params: { id: body.id } })).status).toBe(204)
    expect(await seen(owner)).toEqual([])
  })
})

describe('changing a webhook', () => {
  it('keeps the key of PagerDuty unless another one is given', async () => {
    const { caller } = await somebody('support', 'all')
    const body = input({ format: 'pagerduty', routingKey: 'R1' })
    const { id } = (await caller.call('createWebhook', { body })).body
    const kept = await caller.call('updateWebhook', { params: { id }, body: { ...body, routingKey: null } })
    expect(kept.body.hasRoutingKey).toBe(true)
    const plain = await caller.call('updateWebhook', { params: { id }, body: input() })
    expect(plain.body.hasRoutingKey).toBe(false)
  })
})
