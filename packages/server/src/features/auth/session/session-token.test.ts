import { createHmac, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../../config.ts'
import { connectDatabase } from '../../../db/connect.ts'
import { fixedClock } from '../../../platform/clock.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import { signAccessToken, verifyAccessToken } from './session-token.ts'
import { readSigningKeys, renewSigningKeys } from './signing-key.store.ts'

const now = new Date('2026-11-20T14:00:00.000Z')
const clock = fixedClock(now)
const config = readConfig({})
const subject = { userId: 7, sessionId: randomUUID() }
let database: TestDatabase
let token: string
let kid: string

beforeAll(async () => {
  database = await testDatabase()
  token = await signAccessToken({ db: database.db, clock, config }, subject)
  kid = (await readSigningKeys(database.db)).find(({ purpose }) => purpose === 'access-token')?.kid ?? ''
})

const verify = (candidate: string, at = now) => verifyAccessToken({ db: database.db, clock: fixedClock(at) }, candidate)
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = (changed: JWTPayload = {}): JWTPayload => ({
  iss: 'urn:benchwatch:server',
  aud: 'urn:benchwatch:api',
  sub: '7',
  sid: subject.sessionId,
  iat: now.getTime() / 1000,
  exp: now.getTime() / 1000 + 900,
  ...changed,
})
async function signedWithOurKey(payload: JWTPayload, header = {}): Promise<string> {
  const stored = (await readSigningKeys(database.db)).find((key) => key.kid === kid)
  const key = await importJWK(stored?.jwk as JWK, 'EdDSA')
  return new SignJWT(payload).setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid, ...header }).sign(key)
}

test('a token says which user in which session until its time is over', async () => {
  expect(await verify(token)).toEqual(subject)
  expect(await verify(token, new Date(now.getTime() + 899_000))).toEqual(subject)
  expect(await verify(token, new Date(now.getTime() + 900_000))).toBeUndefined()
})

test('what the tests below change is all that is wrong with their tokens', async () => {
  expect(await verify(await signedWithOurKey(claims()))).toEqual(subject)
})

describe('refused is a token', () => {
  test('without a signature', async () => {
    expect(await verify(`${part({ alg: 'none', typ: 'at+jwt', kid })}.${part(claims())}.`)).toBeUndefined()
  })

  test('signed with the public key as if it were a secret', async () => {
    const stored = (await readSigningKeys(database.db)).find((key) => key.kid === kid)
    const signed = `${part({ alg: 'HS256', typ: 'at+jwt', kid })}.${part(claims())}`
    const signature = createHmac('sha256', Buffer.from(stored?.jwk.x ?? '', 'base64url'))
      .update(signed)
      .digest('base64url')
    expect(await verify(`${signed}.${signature}`)).toBeUndefined()
  })

  test('signed by another key under our name or its own', async () => {
    const { privateKey } = await generateKeyPair('EdDSA', { extractable: true })
    for (const name of [kid, 'another', undefined]) {
      const forged = await new SignJWT(claims())
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', ...(name && { kid: name }) })
        .sign(privateKey)
      expect(await verify(forged)).toBeUndefined()
    }
  })

  test('that brings its own key', async () => {
    const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true })
    const jwk = await exportJWK(publicKey)
    const forged = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid, jwk })
      .sign(privateKey)
    expect(await verify(forged)).toBeUndefined()
  })

  test.each<[string, JWTPayload]>([
    ['for another audience', { aud: 'urn:benchwatch:help' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['without a subject', { sub: undefined }],
    ['of a subject that is no id', { sub: "7' OR 1=1" }],
    ['without a session', { sid: undefined }],
    ['of a session that is no id', { sid: 'all' }],
    ['without an end', { exp: undefined }],
    ['that begins later', { nbf: now.getTime() / 1000 + 60 }],
  ])('%s', async (_what, changed) => {
    expect(await verify(await signedWithOurKey(claims(changed)))).toBeUndefined()
  })

  test('of another type', async () => {
    expect(await verify(await signedWithOurKey(claims(), { typ: 'JWT' }))).toBeUndefined()
  })

  test('whose content was changed', async () => {
    const [header, , signature] = token.split('.')
    expect(await verify(`${header}.${part(claims({ sub: '1' }))}.${signature}`)).toBeUndefined()
  })

  test.each(['', 'x', 'a.b.c', `${'a'.repeat(4000)}.b.c`])('that is none: %.8s', async (garbage) => {
    expect(await verify(garbage)).toBeUndefined()
  })
})

describe('keys', () => {
  test('two nodes that start at once make one of each', async () => {
    await database.db.deleteFrom('signing_key').execute()
    await Promise.all([renewSigningKeys(database.db), renewSigningKeys(database.db), renewSigningKeys(database.db)])
    expect((await readSigningKeys(database.db)).map(({ purpose }) => purpose).sort()).toEqual([
      'access-token',
      'refresh-token',
      'sealing',
    ])
  })

  test('an old one is replaced, and its tokens are good until they run out', async () => {
    const another = () => connectDatabase({ connection: database.owner, poolSize: 2 })
    const before = await another()
    const old = await signAccessToken({ db: before.db, clock, config }, subject)
    await database.db.updateTable('signing_key').set({ created_at: sql<Date>`now() - interval '91 days'` }).execute()
    await renewSigningKeys(database.db)
    const after = await another()
    const fresh = await signAccessToken({ db: after.db, clock, config }, subject)
    const kidOf = (jwt: string) =>
      (JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid
    expect(kidOf(fresh)).not.toBe(kidOf(old))
    expect(await verifyAccessToken({ db: after.db, clock }, old)).toEqual(subject)

    await database.db
      .updateTable('signing_key')
      .set({ retired_at: sql<Date>`now() - interval '3 hours'` })
      .where('kid', '=', kidOf(old))
      .execute()
    const later = await another()
    expect(await verifyAccessToken({ db: later.db, clock }, old)).toBeUndefined()
    expect(await verifyAccessToken({ db: later.db, clock }, fresh)).toEqual(subject)
    await Promise.all([before.close(), after.close(), later.close()])
  })

  test('a database that does not answer is not taken for a bad token', async () => {
    const gone = await connectDatabase({ connection: database.owner, poolSize: 1 })
    await sql`SELECT 1`.execute(gone.db)
    await gone.close()
    await expect(verifyAccessToken({ db: gone.db, clock }, token)).rejects.toThrow()
  })
})
