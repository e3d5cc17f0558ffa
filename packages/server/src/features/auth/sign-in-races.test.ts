import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Trx } from '../../db/connect.ts'
import { addSamplePerson, SAMPLE_PASSWORD } from '../../testing/sample-people.ts'
import { forgetAttempts, tokensOf } from '../../testing/signed-in.ts'
import { type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { waitingFor } from '../../testing/waiting-for-lock.ts'
import { hashPassword } from './credentials/password-hash.ts'
import { endSessions } from './session/session.store.ts'

/** A change that takes an account away from a user must not be outrun by one of the user's requests in flight. */

const OTHER_PASSWORD = 'Quiet-Pipette-71'
let database: TestDatabase
let app: TestApp
let people = 0

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
})
afterAll(() => app.close())
beforeEach(() => forgetAttempts(database.db))

async function somebody() {
  people += 1
  const login = `racer${people}@benchwatch.example`
  return { id: await addSamplePerson(database, { login, name: 'Ines Berg' }), login }
}

const signIn = (userId: string, password = SAMPLE_PASSWORD) => app.call('signIn', { body: { userId, password } })
const otherPassword = hashPassword(OTHER_PASSWORD)

/**
 * Changes a user's account and ends all sessions in a transaction that commits only once the request waits for the
 * account: the request has checked the input against the earlier state.
 */
async function overtaken<T>(id: number, change: (trx: Trx) => Promise<unknown>, request: () => Promise<T>): Promise<T> {
  return database.db
    .transaction()
    .execute(async (trx) => {
      await change(trx)
      const answer = request()
      await waitingFor(trx)
      await endSessions(trx, {
        which: { userId: id },
        reason: 'disabled',
        actor: { type: 'system' },
        at: app.clock.now(),
      })
      return { answer }
    })
    .then(({ answer }) => answer)
}

const setPassword = (id: number) => async (trx: Trx) =>
  trx
    .updateTable('app_user')
    .set({ password_hash: await otherPassword })
    .where('id', '=', id)
    .execute()

const openSessions = (id: number) =>
  database.db.selectFrom('session').select('id').where('user_id', '=', id).where('ended_at', 'is', null).execute()

describe('a sign-in that is under way', () => {
  test('begins no session for a user who is disabled meanwhile', async () => {
    const { id, login } = await somebody()
    const disable = (trx: Trx) =>
      trx.updateTable('app_user').set({ disabled_at: app.clock.now() }).where('id', '=', id).execute()
    expect((await overtaken(id, disable, () => signIn(login))).problem).toMatchObject({ code: 'bad-credentials' })
    expect(await openSessions(id)).toEqual([])
  })

  test('begins none with a password that is another one meanwhile', async () => {
    const { id, login } = await somebody()
    expect((await overtaken(id, setPassword(id), () => signIn(login))).problem).toMatchObject({
      code: 'bad-credentials',
    })
    expect(await openSessions(id)).toEqual([])
    expect((await signIn(login, OTHER_PASSWORD)).status).toBe(200)
  })
})

test('a change of password that is under way does not undo another one', async () => {
  const { id, login } = await somebody()
  const { accessToken } = tokensOf((await signIn(login)).body)
  const answer = await overtaken(id, setPassword(id), () =>
    app.call('changePassword', {
      headers: { authorization: `Bearer ${accessToken}` },
      body: { currentPassword: SAMPLE_PASSWORD, newPassword: 'Brisk-Centrifuge-44' },
    }),
  )
  expect(answer.problem).toMatchObject({ code: 'bad-credentials' })
  expect((await signIn(login, 'Brisk-Centrifuge-44')).status).toBe(401)
  expect((await signIn(login, OTHER_PASSWORD)).status).toBe(200)
})
