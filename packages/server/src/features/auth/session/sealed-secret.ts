import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Db } from '../../../db/connect.ts'
import { signingKeysOf } from './signing-keys.ts'

/**
 * Encrypts secrets that must be readable again, such as those of authenticator apps, with AES-256-GCM and a key from
 * the database's key table. Single rows, in a statement log or a partial copy, reveal nothing. A copy of the whole
 * database includes the keys and must be protected like one.
 *
 * Layout: 1 byte version, 12 bytes key ID, 12 bytes nonce, 16 bytes tag, ciphertext.
 */
const VERSION = 1
const KEY_ID_BYTES = 12
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES

/**
 * Purpose and owner of a sealed text, such as `totp-secret/17`. A text moved to another purpose or owner cannot be
 * opened. With `token`, of which the database contains only the hash, not even a copy of the whole database opens it.
 */
interface Seal {
  use: string
  token?: string
}

export async function seal(db: Db, { text, use, token }: Seal & { text: string }): Promise<Buffer> {
  const { kid, key: ours } = await signingKeysOf(db).sealingKey()
  const key = keyWith(ours, token)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(use))
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(VERSION), Buffer.from(kid, 'base64url'), nonce, cipher.getAuthTag(), hidden])
}

/** Returns the plain text. Throws if the value was not sealed here for this use. */
export async function unseal(db: Db, { sealed, use, token }: Seal & { sealed: Buffer }): Promise<string> {
  const kid = sealed.subarray(1, 1 + KEY_ID_BYTES).toString('base64url')
  const ours = sealed.length >= HEAD_BYTES && sealed[0] === VERSION && (await signingKeysOf(db).openingKey(kid))
  if (!ours) throw new Error(`A sealed secret for ${use} has no key here: was the database put together from two?`)
  const nonce = sealed.subarray(1 + KEY_ID_BYTES, 1 + KEY_ID_BYTES + NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', keyWith(ours, token), nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(use))
    .setAuthTag(sealed.subarray(HEAD_BYTES - TAG_BYTES, HEAD_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8')
}

function keyWith(ours: Buffer, token: string | undefined): Buffer {
  if (token === undefined) return ours
  return Buffer.from(hkdfSync('sha256', ours, token, 'sealed-with-token', 32))
}

/**
 * Returns a keyed hash of a guessable text, such as a name or a six-digit code. Without the key it reveals nothing.
 * The hash of a text stays the same for the life of the database.
 */
export async function keyedHash(db: Db, { text, use }: { text: string; use: string }): Promise<Buffer> {
  const key = hkdfSync('sha256', await signingKeysOf(db).hashingSecret(), Buffer.alloc(0), `keyed-hash/${use}`, 32)
  return createHmac('sha256', Buffer.from(key)).update(text).digest()
}
