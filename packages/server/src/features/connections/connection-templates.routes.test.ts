import type { ConnectionTemplateInput } from '@benchwatch/contract/instruments/connections'
import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { registerSampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { builtInTemplates } from './connection-rules.ts'

let server: TestApp
let admin: Caller

const input: ConnectionTemplateInput = {
  severity: 'high',
  description: '{instrument} has been silent for {minutes} minutes',
  userMessage: 'Call the laboratory behind {gateway}.',
}

beforeAll(async () => {
  const database = await testDatabase()
  server = await testApp(database)
  const person = { login: 'ada@benchwatch.example', name: 'Ada', role: 'admin' as const }
  admin = await server.as(await addSamplePerson(database, person))
})
afterAll(() => server.close())
beforeEach(async () => {
  const { db } = server.database
  await db.deleteFrom('connection_template').execute()
  await db.deleteFrom('feature_flag').execute()
})

const list = async () => (await admin.call('listConnectionTemplates')).body
const put = (over: Partial<ConnectionTemplateInput> = {}, kind: 'EDGE_ISSUE' | 'OFFLINE' = 'OFFLINE') =>
  admin.call('putConnectionTemplate', { params: { kind }, body: { ...input, ...over } })
const reset = () => admin.call('deleteConnectionTemplate', { params: { kind: 'OFFLINE' } })
const record = async () => {
  const { rows } = await server.database.pool.query(
    "SELECT entity_id, action, property, old_value, new_value, actor_name FROM audit WHERE entity_type = 'connection_template' ORDER BY id",
  )
  return rows
}

it('each kind has its built-in texts, and examples are invented while nothing is registered', async () => {
  expect(await list()).toEqual({
    used: false,
    values: [
      {
        kind: 'EDGE_ISSUE',
        ...builtInTemplates.EDGE_ISSUE,
        builtIn: true,
        etag: expect.any(String),
        updatedAt: null,
        updatedBy: null,
        raised: false,
        placeholders: ['gateway', 'minutes'],
        example: { values: { gateway: 'Example gateway', minutes: '10' }, invented: true },
      },
      {
        kind: 'OFFLINE',
        ...builtInTemplates.OFFLINE,
        builtIn: true,
        etag: expect.any(String),
        updatedAt: null,
        updatedBy: null,
        raised: false,
        placeholders: ['instrument', 'gateway', 'minutes'],
        example: {
          values: {
            gateway: 'Example gateway',
            minutes: '10',
            instrument: 'Example instrument (IP-00000000)',
          },
          invented: true,
        },
      },
    ],
  })
})

it('tells which flags are on', async () => {
  const flags: FeatureKey[] = ['INSTRUMENT_STATUS_TEMPLATE', 'INSTRUMENT_OFFLINE_EVENT_CREATION']
  const rows = flags.map((key) => ({ key, user_id: null, value: true }))
  await server.database.db.insertInto('feature_flag').values(rows).execute()
  expect(await list()).toMatchObject({
    used: true,
    values: [
      { kind: 'EDGE_ISSUE', raised: false },
      { kind: 'OFFLINE', raised: true },
    ],
  })
})

describe('texts', () => {
  it('are replaced and put back by an administrator, each with its record', async () => {
    expect((await put()).body).toMatchObject({
      kind: 'OFFLINE',
      ...input,
      builtIn: false,
      updatedAt: TEST_NOW.toISOString(),
      updatedBy: 'Ada',
    })
    // Saving the same texts is not a change.
    expect((await put()).status).toBe(200)
    await put({ userMessage: null })
    expect((await list()).values).toMatchObject([{ builtIn: true }, { userMessage: null, builtIn: false }])
    expect((await reset()).status).toBe(204)
    expect((await reset()).status).toBe(204)
    expect((await list()).values[1]).toMatchObject({ ...builtInTemplates.OFFLINE, builtIn: true, updatedBy: null })
    const built = builtInTemplates.OFFLINE
    expect(await record()).toMatchObject([
      { entity_id: 'OFFLINE', property: 'severity', old_value: 'medium', new_value: 'high', actor_name: 'Ada' },
      { property: 'description', old_value: built.description, new_value: input.description },
      { property: 'userMessage', old_value: built.userMessage, new_value: input.userMessage },
      { property: 'userMessage', old_value: input.userMessage, new_value: null },
      { action: 'deleted', old_value: JSON.stringify({ ...input, userMessage: null }) },
    ])
  })

  it('that another administrator has changed since they were read are not overwritten', async () => {
    const [, read] = (await list()).values
    await put({ userMessage: 'Call Uppsala.' })
    const late = (etag = '') =>
      admin.call('putConnectionTemplate', { params: { kind: 'OFFLINE' }, body: input, headers: { 'if-match': etag } })
    expect((await late(read?.etag)).problem).toMatchObject({ status: 412, code: 'version-mismatch' })
    expect((await list()).values[1]).toMatchObject({ userMessage: 'Call Uppsala.' })
    expect((await late((await list()).values[1]?.etag)).body).toMatchObject(input)
  })

  it('that say what the built-in ones say are those', async () => {
    expect((await put(builtInTemplates.OFFLINE)).body).toMatchObject({ builtIn: true, updatedAt: null })
  })

  it.each([
    ['a slip', 'OFFLINE', { description: '{Gateway} is off' }, 'description', '{Gateway}'],
    ['an instrument where there is none', 'EDGE_ISSUE', { userMessage: '{instrument}' }, 'userMessage', '{instrument}'],
  ] as const)('may not name an unknown placeholder: %s', async (_what, kind, over, field, named) => {
    const plain = { description: 'Silent', userMessage: null, ...over }
    const { status, problem } = await put(plain, kind)
    expect([status, problem.code]).toEqual([400, 'unknown-placeholder'])
    expect(problem.detail).toContain(`Unknown placeholder: ${named}. Use one of`)
    expect(problem.errors).toEqual([{ path: `body.${field}`, message: problem.detail }])
    expect((await list()).values.map(({ builtIn }) => builtIn)).toEqual([true, true])
  })

  it.each([
    ['no description', { description: '  ' }],
    ['a description of two lines', { description: 'One\nTwo' }],
    ['a description of 501 characters', { description: 'x'.repeat(501) }],
    ['a message of 2001 characters', { userMessage: 'x'.repeat(2001) }],
    ['an empty message', { userMessage: ' ' }],
    ['an unknown severity', { severity: 'worst' as never }],
  ])('are refused with %s', async (_what, over) => {
    expect((await put(over)).problem).toMatchObject({ status: 400, code: 'validation-failed' })
  })

  it('are there for the two kinds alone', async () => {
    expect((await put({}, 'TEST' as never)).problem.code).toBe('validation-failed')
  })

  it.each(['customer', 'service', 'support'] as const)('are not for the role %s', async (role) => {
    const login = `${role}@benchwatch.example`
    const caller = await server.as(await addSamplePerson(server.database, { login, role }))
    const params = { kind: 'OFFLINE' } as const
    for (const answer of [
      await caller.call('listConnectionTemplates'),
      await caller.call('putConnectionTemplate', { params, body: input }),
      await caller.call('deleteConnectionTemplate', { params }),
    ])
      expect(answer).toMatchObject({ status: 403, problem: { code: 'wrong-role' } })
  })
})

describe('the example', () => {
  it('is a gateway and an instrument that the administrator sees', async () => {
    const fleet = await registerSampleFleet(server.database, TEST_NOW)
    const examples = async (caller: Caller) =>
      (await caller.call('listConnectionTemplates')).body.values.map(({ example }) => example)
    expect(await examples(admin)).toEqual([
      { values: { gateway: 'GW-UPP-01', minutes: '10' }, invented: false },
      {
        values: { gateway: 'GW-UPP-01', minutes: '10', instrument: 'ÄKTA pilot 600 (IP-20431187)' },
        invented: false,
      },
    ])
    const other = { login: 'olga@benchwatch.example', role: 'admin' as const, scope: [fleet.customers.nordic] }
    expect(await examples(await server.as(await addSamplePerson(server.database, other)))).toMatchObject([
      { values: { gateway: 'GW-OSL-01' } },
      { values: { gateway: 'GW-OSL-01', instrument: expect.stringContaining('IP-30000001') } },
    ])
  })
})
