import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { connectDatabase } from '../../../db/connect.ts'
import { type TestDatabase, testDatabase } from '../../../testing/test-database.ts'
import { keyedHash, seal, unseal } from './sealed-secret.ts'
import { renewSigningKeys } from './signing-key.store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})

const use = 'totp-secret/7'

test('a secret is read again, and its sealed form shows nothing of it and is another one each time', async () => {
  const one = await seal(database.db, { text: 'GEZDGNBV Ünïcode', use })
  const two = await seal(database.db, { text: 'GEZDGNBV Ünïcode', use })
  expect(await unseal(database.db, { sealed: one, use })).toBe('GEZDGNBV Ünïcode')
  expect(one.equals(two)).toBe(false)
  expect(one.toString('latin1')).not.toContain('GEZDGNBV')
})

test('it opens for nothing else, and not when anything of it was changed', async () => {
  const sealed = await seal(database.db, { text: 'secret', use })
  await expect(unseal(database.db, { sealed, use: 'totp-secret/8' })).rejects.toThrow()
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed)
    changed[index] = (changed[index] ?? 0) ^ 1
    await expect(unseal(database.db, { sealed: changed, use })).rejects.toThrow()
  }
  for (const length of [0, 1, 40, sealed.length - 1]) {
    await expect(unseal(database.db, { sealed: sealed.subarray(0, length), use })).rejects.toThrow()
  }
})

test('with a token it opens with that token alone', async () => {
  const sealed = await seal(database.db, { text: 'secret', use, token: 'a' })
  expect(await unseal(database.db, { sealed, use, token: 'a' })).toBe('secret')
  await expect(unseal(database.db, { sealed, use, token: 'b' })).rejects.toThrow()
  await expect(unseal(database.db, { sealed, use })).rejects.toThrow()
})

test('it opens after its key was replaced, also years later, and hashes stay the same', async () => {
  const sealed = await seal(database.db, { text: 'secret', use })
  const hash = await keyedHash(database.db, { text: 'name', use: 'login' })
  await database.db.updateTable('signing_key').set({ created_at: sql<Date>`now() - interval '3 years'` }).execute()
  await renewSigningKeys(database.db)
  await database.db
    .updateTable('signing_key')
    .set({ retired_at: sql<Date>`now() - interval '2 years'` })
    .where('retired_at', 'is not', null)
    .execute()
  const later = await connectDatabase({ connection: database.owner, poolSize: 2 })
  const again = await seal(later.db, { text: 'secret', use })
  expect(again.subarray(1, 13).equals(sealed.subarray(1, 13))).toBe(false)
  expect(await unseal(later.db, { sealed, use })).toBe('secret')
  // The other node has not read the new key yet.
  expect(await unseal(database.db, { sealed: again, use })).toBe('secret')
  expect((await keyedHash(later.db, { text: 'name', use: 'login' })).equals(hash)).toBe(true)
  await later.close()
})

test('a keyed hash differs by text and by use', async () => {
  const hash = async (text: string, what: string) => (await keyedHash(database.db, { text, use: what })).toString('hex')
  expect(new Set([await hash('a', 'x'), await hash('b', 'x'), await hash('a', 'y')]).size).toBe(3)
})
