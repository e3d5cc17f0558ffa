import type { View, ViewInput } from '@benchwatch/contract/events/views'
import type { Role } from '@benchwatch/contract/vocabulary'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DataScope } from '../../db/actor.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

let database: TestDatabase
let app: TestApp
let fleet: SampleFleet
let admin: Caller
let people = 0

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  fleet = await registerSampleFleet(database, TEST_NOW)
  admin = await app.as(await addSamplePerson(database, { login: 'admin@benchwatch.example', role: 'admin' }))
})
// Tests share views with all users of a scope, so each one starts without the views of others.
beforeEach(async () => {
  await database.db.deleteFrom('saved_view').execute()
})
afterAll(() => app.close())

interface Somebody {
  id: number
  caller: Caller
}

async function somebody(role: Role, scope: DataScope): Promise<Somebody> {
  people += 1
  const id = await addSamplePerson(database, { login: `person-${people}@people.example`, role, scope })
  return { id, caller: await app.as(id) }
}
const helix = () => [fleet.customers.helix]
const nordic = () => [fleet.customers.nordic]
const both = () => [fleet.customers.nordic, fleet.customers.helix]

const inputOf = ({ area, name, shared, isDefault, state }: View): ViewInput => ({
  area,
  name,
  shared,
  isDefault,
  state,
})
const put = ({ caller }: Somebody, view: View, over: Partial<ViewInput>) =>
  caller.call('updateView', { params: { id: view.id }, body: { ...inputOf(view), ...over } })

async function share({ caller }: Somebody, name = 'Uppsala'): Promise<View> {
  const body = { area: 'events' as const, name, shared: true, state: { filters: { siteCity: [name] } } }
  return (await caller.call('createView', { body })).body
}
async function sees({ caller }: Somebody, { id }: View): Promise<boolean> {
  return (await caller.call('listViews')).body.some((view) => view.id === id)
}
const account = ({ id }: Somebody, over: { role?: Role; customers?: string[] | null; disabled?: boolean }) =>
  admin.call('updateAccount', {
    params: { id: String(id) },
    body: {
      name: 'Somebody',
      role: 'customer' as const,
      msisdn: null,
      smsMfa: false,
      disabled: false,
      customers: ['helix-biologics'] as string[] | null,
      ...over,
    },
  })

describe('a shared view is shown', () => {
  const all = () => 'all' as const
  test.each<[string, [Role, () => DataScope], [Role, () => DataScope], boolean]>([
    ['between customers of the same customer', ['customer', helix], ['customer', helix], true],
    ['between staff who see everything', ['service', all], ['admin', all], true],
    ['whatever the order of customers', ['support', both], ['service', () => both().toReversed()], true],
    ['not to another customer', ['customer', helix], ['customer', nordic], false],
    ['not to somebody who sees more', ['customer', helix], ['customer', both], false],
    ['not to somebody who sees less', ['customer', both], ['customer', helix], false],
    ['not to everybody-seeing staff from those with a list', ['service', both], ['service', all], false],
    ['not from everybody-seeing staff to those with a list', ['service', all], ['service', both], false],
    ['not by staff to customers', ['service', helix], ['customer', helix], false],
    ['not by customers to staff', ['customer', helix], ['service', helix], false],
    ['not by staff without customers to customers without any', ['service', () => []], ['customer', () => []], false],
  ])('%s', async (_what, [role, scope], [otherRole, otherScope], isShown) => {
    const view = await share(await somebody(role, scope()))
    const other = await somebody(otherRole, otherScope())
    expect(await sees(other, view)).toBe(isShown)
    const answer = await put(other, view, { isDefault: true })
    expect(answer.status).toBe(isShown ? 200 : 404)
    const removal = await other.caller.call('deleteView', { params: { id: view.id } })
    expect(removal.status).toBe(isShown ? 403 : 404)
  })

  test('only while it is shared', async () => {
    const [me, colleague] = [await somebody('customer', helix()), await somebody('customer', helix())]
    const { body: own } = await me.caller.call('createView', { body: { area: 'events', name: 'Own', state: {} } })
    expect(await sees(colleague, own)).toBe(false)
    expect((await put(colleague, own, { isDefault: true })).problem.code).toBe('not-found')
    await put(me, own, { shared: true })
    expect(await sees(colleague, own)).toBe(true)
  })
})

describe('a shared view disappears, also as the default,', () => {
  async function sharedAsDefault() {
    const [me, colleague] = [await somebody('customer', helix()), await somebody('customer', helix())]
    const view = await share(me)
    expect((await put(colleague, view, { isDefault: true })).body.isDefault).toBe(true)
    return { me, colleague, view }
  }

  test('when it is withdrawn, and comes back without being it', async () => {
    const { me, colleague, view } = await sharedAsDefault()
    await put(me, view, { shared: false, isDefault: true })
    expect(await sees(colleague, view)).toBe(false)
    await put(me, view, { shared: true, isDefault: true })
    expect((await colleague.caller.call('listViews')).body).toMatchObject([{ id: view.id, isDefault: false }])
    expect((await me.caller.call('listViews')).body).toMatchObject([{ id: view.id, isDefault: true }])
  })

  test('when it is deleted', async () => {
    const { me, colleague, view } = await sharedAsDefault()
    expect((await me.caller.call('deleteView', { params: { id: view.id } })).status).toBe(204)
    expect(await sees(colleague, view)).toBe(false)
    expect((await put(colleague, view, { isDefault: true })).status).toBe(404)
  })

  test('while its owner is disabled', async () => {
    const { me, colleague, view } = await sharedAsDefault()
    expect((await account(me, { disabled: true })).status).toBe(200)
    expect(await sees(colleague, view)).toBe(false)
    await account(me, { disabled: false })
    expect(await sees(colleague, view)).toBe(true)
  })

  test.each<[string, Parameters<typeof account>[1]]>([
    ['another scope', { customers: ['nordic-pharma'] }],
    ['a wider scope', { customers: ['helix-biologics', 'nordic-pharma'] }],
    ['another side', { role: 'service' }],
  ])('when its owner or its reader is given %s', async (_what, over) => {
    const { me, colleague, view } = await sharedAsDefault()
    await account(me, over)
    expect(await sees(colleague, view)).toBe(false)
    expect((await put(colleague, view, { isDefault: true })).status).toBe(404)
    await account(me, {})
    await account(colleague, over)
    expect(await sees(await again(colleague), view)).toBe(false)
  })
})

/** The change of their account ended their sessions. */
const again = async ({ id }: Somebody): Promise<Somebody> => ({ id, caller: await app.as(id) })

test('a view that was saved under another scope is not shown to users with the new one until it is saved again', async () => {
  const me = await somebody('customer', helix())
  const reader = await somebody('customer', nordic())
  const view = await share(me)
  await account(me, { customers: ['nordic-pharma'] })
  const moved = await again(me)
  expect(await sees(moved, view)).toBe(true)
  expect(await sees(reader, view)).toBe(false)
  await put(moved, view, { name: 'Renamed' })
  expect(await sees(reader, view)).toBe(false)
  await put(moved, view, { state: { ...view.state, filters: { siteCity: ['Oslo'] } } })
  expect(await sees(reader, view)).toBe(true)
})

test('a view that is withdrawn while a colleague makes it their default becomes no one’s default', async () => {
  const [me, colleague] = [await somebody('customer', helix()), await somebody('customer', helix())]
  for (let round = 0; round < 5; round += 1) {
    const view = await share(me, `Round ${round}`)
    const [withdrawn, chosen] = await Promise.all([
      put(me, view, { shared: false }),
      put(colleague, view, { isDefault: true }),
    ])
    expect(withdrawn.status).toBe(200)
    expect([200, 404]).toContain(chosen.status)
    const rows = await database.db
      .selectFrom('default_view')
      .selectAll()
      .where('view_id', '=', Number(view.id))
      .execute()
    expect(rows).toEqual([])
  }
})
