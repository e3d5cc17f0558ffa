import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addSamplePerson, SAMPLE_PASSWORD } from '../../../testing/sample-people.ts'
import { forgetAttempts } from '../../../testing/signed-in.ts'
import { TEST_NOW, type TestApp, testApp } from '../../../testing/test-app.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import { addressOf } from './attempts.ts'
import { lockMs } from './sign-in-failure.store.ts'

const KNOWN = 'engineer@benchwatch.example'
const UNKNOWN = 'nobody@benchwatch.example'
const LOCKED = { status: 429, code: 'attempts-exceeded', ErrorBody: 'Password attempts exceeded.' }

let database: TestDatabase
let app: TestApp

beforeAll(async () => {
  database = await testDatabase()
  // Tests of one account need more failures than one address is allowed.
  app = await testApp(database, { environment: { SIGN_IN_FAILURES_PER_ADDRESS: '1000', TRUST_PROXY: '127.0.0.1' } })
  await addSamplePerson(database, { login: KNOWN })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  await forgetAttempts(database.db)
})

const signIn = (userId: string, password = SAMPLE_PASSWORD, from = app) =>
  from.call('signIn', { body: { userId, password } })
async function fail(userId: string, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    expect((await signIn(userId, 'wrong')).problem.code).toBe('bad-credentials')
  }
}
const minutes = (count: number) => app.clock.advance(count * 60_000)

test('locks last 1, 2, 4, 8, 15, 15 … minutes', () => {
  expect([1, 4, 5, 6, 7, 8, 9, 10, 99].map((failures) => lockMs(failures, 5) / 60_000)).toEqual([
    0, 0, 1, 2, 4, 8, 15, 15, 15,
  ])
})

describe.each([
  ['an account', KNOWN],
  ['a name that nobody has', UNKNOWN],
])('%s', (_what, userId) => {
  test('is locked by 5 failures in a row, whatever is typed then', async () => {
    await fail(userId, 5)
    const answer = await signIn(userId)
    expect(answer.problem).toMatchObject(LOCKED)
    expect(answer.headers['retry-after']).toBe('60')
    expect((await signIn(` ${userId.toUpperCase()} `, 'wrong')).problem).toMatchObject(LOCKED)
  })

  test('is locked for longer by each failure after a lock; what is tried while it is locked does not count', async () => {
    await fail(userId, 5)
    for (const lock of [1, 2, 4, 8, 15, 15]) {
      minutes(lock)
      app.clock.advance(-1)
      expect((await signIn(userId, 'wrong')).problem).toMatchObject(LOCKED)
      app.clock.advance(1)
      await fail(userId, 1)
    }
  })

  test('guessed a hundred times at once is checked 5 times', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => signIn(userId, 'wrong')))
    expect(answers.filter(({ problem }) => problem.code === 'bad-credentials')).toHaveLength(5)
    expect(answers.filter(({ problem }) => problem.code === 'attempts-exceeded')).toHaveLength(95)
  })
})

test('guesses on two servers at once get at most one try more', async () => {
  const other = await testApp(database, { environment: { SIGN_IN_FAILURES_PER_ADDRESS: '1000' } })
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => signIn(KNOWN, 'wrong', index % 2 === 0 ? app : other)),
  )
  expect(answers.filter(({ problem }) => problem.code === 'bad-credentials').length).toBeLessThanOrEqual(6)
  await other.close()
})

test('a success forgets the failures before it', async () => {
  await fail(KNOWN, 4)
  expect((await signIn(KNOWN)).status).toBe(200)
  await fail(KNOWN, 4)
  expect((await signIn(KNOWN)).status).toBe(200)
})

test('right sign-ins of one account at the same time all succeed', async () => {
  // More than one address may check at once, yet few enough that the last is answered in time on a busy machine.
  const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(KNOWN)))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
})

test('names are not kept, only keyed hashes', async () => {
  await fail('my-password-by-mistake', 1)
  const rows = await database.db.selectFrom('sign_in_failure').select('login_hash').execute()
  expect(rows).toHaveLength(1)
  expect(rows[0]?.login_hash.toString('latin1')).not.toContain('password')
  const { createHash } = await import('node:crypto')
  expect(rows[0]?.login_hash.equals(createHash('sha256').update('my-password-by-mistake').digest())).toBe(false)
})

describe('an address', () => {
  let strict: TestApp
  const from = (address: string) => strict.withHeaders({ 'x-forwarded-for': address })
  const tryOne = (address: string, userId: string, password = SAMPLE_PASSWORD) =>
    from(address).call('signIn', { body: { userId, password } })

  beforeAll(async () => {
    strict = await testApp(database, {
      environment: { SIGN_IN_FAILURES_PER_ADDRESS: '6', TRUST_PROXY: '127.0.0.1' },
    })
  })
  afterAll(() => strict.close())
  beforeEach(() => strict.clock.set(TEST_NOW))

  test('is refused until the failures of a minute are few enough again, whosever', async () => {
    for (let count = 0; count < 6; count += 1) {
      expect((await tryOne('203.0.113.7', `somebody${count}`)).problem.code).toBe('bad-credentials')
    }
    const answer = await tryOne('203.0.113.7', KNOWN)
    expect(answer.problem).toMatchObject({
      status: 429,
      code: 'too-many-requests',
      ErrorBody: 'Too many requests, please try again later.',
    })
    expect(answer.headers['retry-after']).toBe('60')
    const reset = await from('203.0.113.7').call('forgotPassword', { body: { email: KNOWN } })
    expect(reset.problem.code).toBe('too-many-requests')
    expect((await tryOne('203.0.113.8', KNOWN)).status).toBe(200)
    strict.clock.advance(60_000)
    expect((await tryOne('203.0.113.7', KNOWN)).status).toBe(200)
  })

  test('gets hardly more tries for guesses sent side by side', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => tryOne('203.0.113.11', `one${index}`)))
    // Sixteen run at once: checks in flight when the limit is reached still complete.
    const judged = answers.filter(({ problem }) => problem.code === 'bad-credentials')
    expect(judged.length).toBeLessThanOrEqual(6 + 15)
    expect(answers.filter(({ problem }) => problem.code === 'too-many-requests')).toHaveLength(100 - judged.length)
  })

  test('may wish for so many codes in a minute, for whomever', async () => {
    const demo = await testApp(database, { environment: { DEMO: 'on', SIGN_IN_FAILURES_PER_ADDRESS: '2' } })
    const wishes = []
    for (const name of ['a', 'b', 'c']) {
      wishes.push(await demo.call('forgotPassword', { body: { email: `${name}@benchwatch.example` } }))
    }
    expect(wishes.map(({ status }) => status)).toEqual([200, 200, 429])
    await demo.close()
  })

  test('is not refused for successes', async () => {
    for (let count = 0; count < 8; count += 1) expect((await tryOne('203.0.113.9', KNOWN)).status).toBe(200)
  })

  test('of IPv6 counts with its network', async () => {
    for (let count = 0; count < 6; count += 1) await tryOne(`2001:db8:0:7::${count + 1}`, `somebody${count}`)
    expect((await tryOne('2001:db8:0:7:ffff::1', KNOWN)).problem.code).toBe('too-many-requests')
    expect((await tryOne('2001:db8:0:8::1', KNOWN)).status).toBe(200)
  })
})

test('the limits are those of the configuration', async () => {
  const other = await testApp(database, { environment: { SIGN_IN_FAILURES_PER_ACCOUNT: '2' } })
  await signIn(UNKNOWN, 'wrong', other)
  await signIn(UNKNOWN, 'wrong', other)
  expect((await signIn(UNKNOWN, 'wrong', other)).problem).toMatchObject(LOCKED)
  await other.close()
})

test('what went wrong, and the lock, stand in the record of the account', async () => {
  const id = await addSamplePerson(database, { login: 'recorded@benchwatch.example' })
  await fail('recorded@benchwatch.example', 5)
  const record = () =>
    database.db
      .selectFrom('audit')
      .select(['actor_type', 'action', 'new_value', 'reason'])
      .where('entity_type', '=', 'user')
      .where('entity_id', '=', String(id))
      .where('action', 'in', ['attempt-refused', 'locked'])
      .orderBy('entity_seq')
      .execute()
  const refused = { actor_type: 'system', action: 'attempt-refused', new_value: null, reason: 'bad-credentials' }
  const locked = { actor_type: 'system', action: 'locked', new_value: '2026-11-20T14:01:00.000Z', reason: null }
  // Written after the response, so that the response time reveals nothing.
  await expect.poll(record).toEqual([...Array<unknown>(5).fill(refused), locked])
})

test('what went wrong is logged, without what was typed', async () => {
  const before = app.logged().length
  await fail('canary-name@benchwatch.example', 5)
  await signIn('canary-name@benchwatch.example', 'canary-password')
  const logged = app.logged().slice(before)
  expect(logged).toContain('attempt refused: account is now locked')
  expect(logged).toContain('attempt refused: account locked"')
  expect(logged).not.toContain('canary')
})

describe('origin', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s counts as %s', (address, counted) => {
    expect(addressOf({ address })).toBe(counted)
  })
})
