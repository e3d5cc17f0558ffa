import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openLive } from '../../testing/live-socket.ts'
import { addSamplePerson } from '../../testing/sample-people.ts'
import { TEST_NOW, type TestApp, testApp } from '../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../testing/test-database.ts'
import { authTasks } from './auth.jobs.ts'
import { createLiveToken, createSession } from './session/session.store.ts'

const HOUR = 3_600_000
let database: TestDatabase
let app: TestApp
let person: number

beforeAll(async () => {
  database = await testDatabase()
  app = await testApp(database)
  await app.app.http.listen({ host: '127.0.0.1', port: 0 })
  person = await addSamplePerson(database, { login: 'engineer@benchwatch.example' })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  await database.db.deleteFrom('session').execute()
})

const begin = () => createSession({ db: database.db, clock: app.clock, config: app.config }, { userId: person })
async function run(name: string): Promise<void> {
  const task = authTasks({ db: database.db, clock: app.clock, config: app.config }).find((one) => one.name === name)
  if (!task) throw new Error(`There is no task ${name}.`)
  await task.run()
}
const sessions = () =>
  database.db.selectFrom('session').select(['id', 'end_reason']).orderBy('created_at').orderBy('id').execute()

test('a session that nobody refreshes ends after twice the limit, with its socket and a record', async () => {
  const caller = await app.as(person)
  const socket = await openLive(app, caller)
  await socket.next()
  app.clock.advance(8 * HOUR)
  const { sessionId: younger } = await begin()
  await run('end inactive sessions')
  expect((await sessions()).map(({ end_reason }) => end_reason)).toEqual([null, null])

  app.clock.advance(1)
  await run('end inactive sessions')
  const [older, still] = await sessions()
  expect(older?.end_reason).toBe('inactive')
  expect(still).toEqual({ id: younger, end_reason: null })
  expect(await socket.closed).toBe(1005)
  const record = await database.db
    .selectFrom('audit')
    .select(['actor_name', 'action', 'reason'])
    .where('entity_id', '=', older?.id ?? '')
    .orderBy('entity_seq', 'desc')
    .executeTakeFirst()
  expect(record).toEqual({ actor_name: 'Automatic', action: 'ended', reason: 'inactive' })
})

test('many sessions end at once, each with its record', async () => {
  const begun = await Promise.all(Array.from({ length: 30 }, begin))
  app.clock.advance(9 * HOUR)
  await run('end inactive sessions')
  const { rows } = await sql<{
    entity_id: string
  }>`SELECT entity_id FROM audit WHERE entity_type = 'session' AND action = 'ended'`.execute(database.db)
  const recorded = rows.map(({ entity_id }) => entity_id)
  expect(begun.every(({ sessionId }) => recorded.includes(sessionId))).toBe(true)
})

test('what nobody can use any more is removed, and nothing else', async () => {
  const [living, ended, old] = [await begin(), await begin(), await begin()]
  await createLiveToken(database.db, living.sessionId)
  await createLiveToken(database.db, ended.sessionId)
  await sql`UPDATE live_token SET expires_at = now() - interval '1 s' WHERE session_id = ${ended.sessionId}`.execute(
    database.db,
  )
  await sql`UPDATE session SET ended_at = now() - interval '29 days' WHERE id = ${ended.sessionId}`.execute(database.db)
  await sql`UPDATE session SET ended_at = now() - interval '31 days' WHERE id = ${old.sessionId}`.execute(database.db)
  await sql`INSERT INTO spent_refresh_token VALUES ('\\x01', ${old.sessionId}), ('\\x02', ${living.sessionId})`.execute(
    database.db,
  )
  await run('forget old sessions')
  expect((await sessions()).map(({ id }) => id).sort()).toEqual([living.sessionId, ended.sessionId].sort())
  const tokens = await database.db.selectFrom('live_token').select('session_id').execute()
  expect(tokens).toEqual([{ session_id: living.sessionId }])
  const spent = await database.db.selectFrom('spent_refresh_token').select('session_id').execute()
  expect(spent).toEqual([{ session_id: living.sessionId }])
})

test('what signing in left behind is forgotten once it is worth nothing', async () => {
  const { db } = database
  const at = app.clock.now()
  const ago = (ms: number) => new Date(at.getTime() - ms)
  const expiries = [ago(1), ago(-1)]
  for (const [index, expires_at] of expiries.entries()) {
    const hash = Buffer.of(index)
    const login = 'engineer@benchwatch.example'
    await db
      .insertInto('auth_challenge')
      .values({ token_hash: hash, kind: 'SMS_MFA', login, created_at: at, expires_at })
      .execute()
    await db.insertInto('oidc_start').values({ state_hash: hash, sealed: hash, expires_at }).execute()
    const last_at = index === 0 ? ago(24 * HOUR + 1) : ago(24 * HOUR)
    await db.insertInto('sign_in_failure').values({ login_hash: hash, failures: 5, last_at }).execute()
  }
  const reset = { user_id: person, code_hash: Buffer.of(1), created_at: at, expires_at: ago(24 * HOUR) }
  await db.insertInto('password_reset').values(reset).execute()
  await run('forget what signing in left behind')
  const left = async (table: 'auth_challenge' | 'oidc_start' | 'sign_in_failure' | 'password_reset') =>
    (await db.selectFrom(table).selectAll().execute()).length
  expect(await left('auth_challenge')).toBe(1)
  expect(await left('oidc_start')).toBe(1)
  expect(await left('sign_in_failure')).toBe(1)
  expect(await left('password_reset')).toBe(1)
  app.clock.advance(2)
  await run('forget what signing in left behind')
  expect(await left('auth_challenge')).toBe(0)
  expect(await left('oidc_start')).toBe(0)
  expect(await left('sign_in_failure')).toBe(0)
  expect(await left('password_reset')).toBe(0)
})
