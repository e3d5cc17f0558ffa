import type { View, ViewInput } from '@benchwatch/contract/events/views'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DataScope } from '../../db/actor.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'

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

interface Somebody {
  id: number
  name: string
  caller: Caller
}

async function somebody(role: 'customer' | 'service' | 'support', scope: DataScope): Promise<Somebody> {
  people += 1
  const name = `Person ${people}`
  const id = await addSamplePerson(database, { login: `person-${people}@people.example`, name, role, scope })
  return { id, name, caller: await app.as(id) }
}
/** Returns a user who shares views with no other test of this file: each test has its own customers and side. */
const anybody = () => somebody('service', [])

const state: ViewInput['state'] = {
  filters: { severity: ['high', 'medium'], siteCountry: ['Sweden'] },
  keyword: 'pump',
  range: { kind: 'last', days: 30 },
  order: 'ASC',
  orderBy: 'enterpriseName',
  columns: ['severity', 'eventId'],
  pageSize: 50,
}
const input = (name: string, over: Partial<ViewInput> = {}): ViewInput => ({
  area: 'events',
  name,
  shared: false,
  isDefault: false,
  state,
  ...over,
})

async function saved({ caller }: Somebody, name: string, over: Partial<ViewInput> = {}): Promise<View> {
  const { status, body } = await caller.call('createView', { body: input(name, over) })
  expect(status).toBe(201)
  return body
}
const put = ({ caller }: Somebody, view: View, over: Partial<ViewInput> = {}) => {
  const { area, name, shared, isDefault } = view
  return caller.call('updateView', {
    params: { id: view.id },
    body: { area, name, shared, isDefault, state: view.state, ...over },
  })
}
const listed = async ({ caller }: Somebody) => (await caller.call('listViews')).body
const names = async (who: Somebody) => (await listed(who)).map(({ name }) => name)

describe('a view', () => {
  test('is a name, filters, a keyword, a kind of range, a sort and columns, and comes back as it was stored', async () => {
    const me = await anybody()
    const view = await saved(me, 'High in Sweden')
    expect(view).toEqual({ ...input('High in Sweden'), id: view.id, isOwn: true, ownerName: me.name })
    expect(await listed(me)).toEqual([view])
  })

  test('without a member has the usual list there', async () => {
    const me = await anybody()
    const { body } = await me.caller.call('createView', { body: { area: 'instruments', name: 'Plain', state: {} } })
    expect(body).toMatchObject({ shared: false, isDefault: false, area: 'instruments' })
    expect(body.state).toEqual({
      filters: {},
      keyword: null,
      range: null,
      order: null,
      orderBy: null,
      columns: null,
      pageSize: null,
    })
  })

  test.each(['as it is written', 'as it was stored'])('has no empty keyword, %s', async (when) => {
    const me = await anybody()
    const view = await saved(me, 'No keyword', { state: { ...state, keyword: '' } })
    if (when === 'as it was stored')
      await database.pool.query(`UPDATE saved_view SET state = jsonb_set(state, '{keyword}', '""')`)
    expect(view.state.keyword).toBeNull()
    expect(await listed(me)).toEqual([view])
  })

  test('is replaced and deleted', async () => {
    const me = await anybody()
    const view = await saved(me, 'First')
    const changed = await put(me, view, { name: 'Second', state: { ...state, keyword: 'valve' } })
    expect(changed.body).toEqual({ ...view, name: 'Second', state: { ...state, keyword: 'valve' } })
    expect((await me.caller.call('deleteView', { params: { id: view.id } })).status).toBe(204)
    expect(await listed(me)).toEqual([])
    expect((await put(me, view)).status).toBe(404)
  })

  test('is listed by name, as people count', async () => {
    const me = await anybody()
    for (const name of ['ward 10', 'Ärzte', 'Ward 9', 'azimuth']) await saved(me, name)
    expect(await names(me)).toEqual(['Ärzte', 'azimuth', 'Ward 9', 'ward 10'])
  })

  test('stays in its area', async () => {
    const me = await anybody()
    const { status, problem } = await put(me, await saved(me, 'Here'), { area: 'instruments' })
    expect([status, problem.code]).toEqual([400, 'validation-failed'])
  })

  test.each<[string, object]>([
    ['a name of spaces', { name: '   ' }],
    ['a name of two lines', { name: 'a\nb' }],
    ['a name of 61 characters', { name: 'x'.repeat(61) }],
    ['another area', { area: 'people' }],
    ['a member that no view has', { colour: 'red' }],
    ['a state with another member', { state: { zoom: 1 } }],
    [
      '41 categories',
      { state: { filters: Object.fromEntries(Array.from({ length: 41 }, (_, at) => [`c${at}`, []])) } },
    ],
    ['a category of 41 characters', { state: { filters: { ['c'.repeat(41)]: [] } } }],
    ['201 values', { state: { filters: { owner: Array.from({ length: 201 }, String) } } }],
    ['a NUL in a category', { state: { filters: { 'a\u0000': ['x'] } } }],
    ['a NUL in a column', { state: { columns: ['a\u0000'] } }],
    ['a NUL in a range', { state: { range: { kind: 'a\u0000' } } }],
    ['a range with a list', { state: { range: { kind: ['last'] } } }],
    ['a keyword of 41 characters', { state: { keyword: 'x'.repeat(41) } }],
    [
      'more than 20,000 characters',
      { state: { filters: { owner: Array.from({ length: 190 }, () => 'x'.repeat(120)) } } },
    ],
  ])('with %s is refused', async (_what, over) => {
    const me = await anybody()
    const { status, problem } = await me.caller.call('createView', { body: { ...input('Bad'), ...over } as ViewInput })
    expect([status, problem.code]).toEqual([400, 'validation-failed'])
    expect(await listed(me)).toEqual([])
  })

  test('keeps names in any script, without the spaces around them', async () => {
    const me = await anybody()
    const name = '<b>مراقبة</b> 監視 “x”'
    expect((await saved(me, `  ${name} `)).name).toBe(name)
  })
})

describe('the name of a view', () => {
  test('is there once for a user and an area, whatever its case', async () => {
    const me = await anybody()
    await saved(me, 'Größe')
    const { status, problem } = await me.caller.call('createView', { body: input('gRÖSSE'.replace('SS', 'ß')) })
    expect([status, problem.code]).toEqual([409, 'view-name-taken'])
    expect(problem.errors).toEqual([{ path: 'body.name', message: problem.detail }])
    await saved(me, 'Größe', { area: 'instruments' })
    await saved(await anybody(), 'Größe')
    const other = await saved(me, 'Other')
    expect((await put(me, other, { name: 'GRÖßE' })).problem.code).toBe('view-name-taken')
    expect((await put(me, other, { name: 'OTHER' })).body.name).toBe('OTHER')
  })

  test('is given to one of several requests at the same moment', async () => {
    const me = await anybody()
    const answers = await Promise.all(
      ['Now', 'now', 'NOW', 'noW'].map((name) => me.caller.call('createView', { body: input(name) })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409])
    expect(await listed(me)).toHaveLength(1)
  })
})

test('a user has at most 50 views of an area, also when two are saved at the same moment', async () => {
  const me = await anybody()
  for (let count = 1; count < 50; count += 1) await saved(me, `View ${count}`)
  const answers = await Promise.all([
    me.caller.call('createView', { body: input('Last') }),
    me.caller.call('createView', { body: input('One too many') }),
  ])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  expect(answers.find(({ status }) => status === 409)?.problem.code).toBe('too-many-views')
  expect(await listed(me)).toHaveLength(50)
  await saved(me, 'Elsewhere', { area: 'instruments' })
})

describe('the default', () => {
  test('is one view of an area at most', async () => {
    const me = await anybody()
    const first = await saved(me, 'First', { isDefault: true })
    await saved(me, 'Instruments', { area: 'instruments', isDefault: true })
    const second = await saved(me, 'Second', { isDefault: true })
    const defaults = async () => (await listed(me)).filter(({ isDefault }) => isDefault).map(({ name }) => name)
    expect(await defaults()).toEqual(['Instruments', 'Second'])
    await put(me, first, { isDefault: false })
    expect(await defaults()).toEqual(['Instruments', 'Second'])
    await put(me, second, { isDefault: false })
    expect(await defaults()).toEqual(['Instruments'])
  })

  test('is still one when two are made the default at the same moment', async () => {
    const me = await anybody()
    const views = [await saved(me, 'A'), await saved(me, 'B'), await saved(me, 'C')]
    const answers = await Promise.all(views.map((view) => put(me, view, { isDefault: true })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await listed(me)).filter(({ isDefault }) => isDefault)).toHaveLength(1)
  })

  test('of another user is their own matter', async () => {
    const [me, colleague] = [
      await somebody('support', [fleet.customers.helix]),
      await somebody('support', [fleet.customers.helix]),
    ]
    const view = await saved(me, 'Shared default', { shared: true, isDefault: true })
    expect(await listed(colleague)).toEqual([{ ...view, isDefault: false, isOwn: false }])
    const mine = await put(colleague, { ...view, isDefault: false }, { isDefault: true })
    expect(mine.body).toEqual({ ...view, isDefault: true, isOwn: false })
    await put(me, view, { isDefault: false })
    expect((await listed(colleague))[0]?.isDefault).toBe(true)
  })
})

test('of a colleague’s view nothing but the default is changed, and it is not deleted', async () => {
  const [me, colleague] = [
    await somebody('customer', [fleet.customers.helix]),
    await somebody('customer', [fleet.customers.helix]),
  ]
  const view = await saved(me, 'Ours', { shared: true })
  for (const over of [{ name: 'Mine' }, { shared: false }, { state: { ...state, keyword: '' } }]) {
    const { status, problem } = await put(colleague, view, { ...over, isDefault: true })
    expect([status, problem.code]).toEqual([403, 'not-own-view'])
  }
  expect((await colleague.caller.call('deleteView', { params: { id: view.id } })).problem.code).toBe('not-own-view')
  expect(await listed(colleague)).toEqual([{ ...view, isOwn: false }])
})
