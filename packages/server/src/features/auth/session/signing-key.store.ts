import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { takeAdvisoryLock } from '../../../db/advisory-locks.ts'
import type { Database } from '../../../db/schema/database.ts'
import type { SigningKeyTable } from '../../../db/schema/people.ts'
import { inTransaction } from '../../../db/transaction.ts'

export type KeyPurpose = SigningKeyTable['purpose']
export const keyPurposes = ['access-token', 'refresh-token', 'sealing'] as const satisfies KeyPurpose[]

export interface StoredKey {
  kid: string
  purpose: KeyPurpose
  jwk: JWK
  retired: boolean
}

/** Days for which a key signs before the next one replaces it. */
const KEY_DAYS = 90

/**
 * Returns the current signing keys, those retired so recently that a token may still be valid (at most 1 h), newest
 * first, and all sealing keys, because sealed data stays under its key until it is written again.
 */
export async function readSigningKeys(db: Kysely<Database>): Promise<StoredKey[]> {
  const rows = await db
    .selectFrom('signing_key')
    .select(['kid', 'purpose', 'jwk', 'retired_at'])
    .where((eb) =>
      eb.or([
        eb('retired_at', 'is', null),
        sql<boolean>`retired_at > now() - interval '2 hours'`,
        eb('purpose', '=', 'sealing'),
      ]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('kid')
    .execute()
  return rows.map(({ kid, purpose, jwk, retired_at }) => ({
    kid,
    purpose,
    jwk: jwk as JWK,
    retired: retired_at !== null,
  }))
}

/**
 * Creates keys that are missing or older than 90 days and retires the ones they replace. Safe to run on all nodes at
 * any time.
 */
export async function renewSigningKeys(db: Kysely<Database>): Promise<void> {
  await inTransaction(db, async (trx) => {
    await takeAdvisoryLock(trx, 'signingKeys')
    for (const purpose of keyPurposes) {
      const inForce = await trx
        .selectFrom('signing_key')
        .select('kid')
        .where('purpose', '=', purpose)
        .where('retired_at', 'is', null)
        .where(sql<boolean>`created_at > now() - make_interval(days => ${KEY_DAYS})`)
        .executeTakeFirst()
      if (inForce) continue
      await trx
        .updateTable('signing_key')
        .set({ retired_at: sql<Date>`now()` })
        .where('purpose', '=', purpose)
        .where('retired_at', 'is', null)
        .execute()
      await trx
        .insertInto('signing_key')
        .values({ kid: randomBytes(12).toString('base64url'), purpose, jwk: JSON.stringify(await makeKey(purpose)) })
        .execute()
    }
  })
}

async function makeKey(purpose: KeyPurpose): Promise<JWK> {
  if (purpose !== 'access-token') return { kty: 'oct', k: randomBytes(32).toString('base64url') }
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true })
  return exportJWK(privateKey)
}
