import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type LiveSocket, openLive } from '../../testing/live-socket.ts'
import { registerSampleFleet, type SampleFleet } from '../../testing/sample-fleet.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { type Caller, TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { testDatabase } from '../../testing/test-database.ts'

let app: TestApp
let fleet: SampleFleet
let admin: Caller
const sockets: LiveSocket[] = []

beforeAll(async () => {
  const database = await testDatabase()
  app = await testApp(database)
  await app.app.http.listen({ host: '127.0.0.1', port: 0 })
  fleet = await registerSampleFleet(database, TEST_NOW)
  admin = await app.as(await addSamplePerson(database, { login: 'admin@benchwatch.example', role: 'admin' }))
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})
afterAll(() => app.close())

const unchanged = { name: 'lab', role: 'customer' as const, msisdn: null, smsMfa: false, disabled: false }

async function somebody(login: string): Promise<{ id: string; caller: Caller; connect: () => Promise<LiveSocket> }> {
  const scope = [fleet.customers.helix]
  const id = await addSamplePerson(app.database, { login, name: 'lab', role: 'customer', scope })
  const caller = await app.as(id)
  const connect = async () => {
    const socket = await openLive(app, caller)
    sockets.push(socket)
    await socket.next()
    return socket
  }
  return { id: String(id), caller, connect }
}

const update = (id: string, over: object) =>
  admin.call('updateAccount', { params: { id }, body: { ...unchanged, customers: ['helix-biologics'], ...over } })

test.each([
  ['scope', { customers: ['nordic-pharma'] }],
  ['role', { role: 'service' as const }],
])('another %s closes open connections, which reconnect with it', async (what, over) => {
  const { id, connect } = await somebody(`${what}@helixbio.example`)
  const socket = await connect()
  expect((await update(id, over)).status).toBe(200)
  expect(await socket.closed).toBe(1012)
  await connect()
})

test('another name closes nothing', async () => {
  const { id, caller, connect } = await somebody('name@helixbio.example')
  const socket = await connect()
  await update(id, { name: 'Renamed' })
  await admin.call('setUserFeatureFlag', { params: { id, key: 'AUTO_EMAIL' }, body: { value: 'true' } })
  // The first message is about the flag, and only that one closes the socket.
  expect(await socket.next()).toMatchObject({ entity: 'user', property: 'features' })
  expect(await socket.closed).toBe(1012)
  expect((await caller.call('getMe')).body.name).toBe('Renamed')
})

test('disabling closes them as a sign-out does, and they do not reconnect', async () => {
  const { id, caller, connect } = await somebody('disabled@helixbio.example')
  const socket = await connect()
  await update(id, { disabled: true })
  expect(await socket.closed).toBe(1005)
  expect((await caller.call('createLiveToken')).status).toBe(401)
})
