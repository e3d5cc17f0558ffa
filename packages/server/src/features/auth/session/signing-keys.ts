import { type CryptoKey, importJWK } from 'jose'
import type { Db } from '../../../db/connect.ts'
import { keyPurposes, readSigningKeys, renewSigningKeys, type StoredKey } from './signing-key.store.ts'

/** The keys of one database, ready for use. */
export interface SigningKeys {
  /** Returns the key that currently signs access tokens. */
  signingKey(): Promise<{ kid: string; key: CryptoKey }>
  /** Returns the public half of a key, including recently retired ones, or undefined for an unknown ID. */
  verificationKey(kid: string): Promise<CryptoKey | undefined>
  /** Returns the secrets from which refresh tokens are derived, the current one first. */
  refreshSecrets(): Promise<Buffer[]>
  /** Returns the current key for sealing secrets (`sealed-secret.ts`), 32 bytes. */
  sealingKey(): Promise<{ kid: string; key: Buffer }>
  /** Returns a past or current sealing key, or undefined for an unknown ID. */
  openingKey(kid: string): Promise<Buffer | undefined>
  /** Returns the first sealing key. It never changes, so that hashes made with it can be found again. */
  hashingSecret(): Promise<Buffer>
}

interface Loaded {
  at: number
  signing: { kid: string; key: CryptoKey }
  verification: Map<string, CryptoKey>
  refreshSecrets: Buffer[]
  sealing: { kid: string; key: Buffer }
  opening: Map<string, Buffer>
  hashing: Buffer
}

/** Maximum delay before another node's key rotation is noticed. Retired keys stay valid for longer. */
const RELOAD_MS = 5 * 60_000
/** An unknown ID may be a key created a moment ago; forged IDs must not cause a query each. */
const RELOAD_UNKNOWN_MS = 5000

const perDatabase = new WeakMap<Db, SigningKeys>()

/** Returns the keys of a database, cached in memory. The first use creates them. */
export function signingKeysOf(db: Db): SigningKeys {
  const known = perDatabase.get(db)
  if (known) return known
  const keys = cachedKeys(() => load(db))
  perDatabase.set(db, keys)
  return keys
}

function cachedKeys(read: () => Promise<Loaded>): SigningKeys {
  let current: Promise<Loaded> | undefined
  async function loaded(maxAgeMs: number): Promise<Loaded> {
    const before = current
    const keys = await before
    if (keys && performance.now() - keys.at < maxAgeMs) return keys
    // The first caller reads; the others wait for the same result.
    if (current === before) {
      const reading = read()
      current = reading
      reading.catch(() => {
        if (current === reading) current = undefined
      })
    }
    return current ?? loaded(maxAgeMs)
  }
  return {
    signingKey: async () => (await loaded(RELOAD_MS)).signing,
    refreshSecrets: async () => (await loaded(RELOAD_MS)).refreshSecrets,
    async verificationKey(kid) {
      const key = (await loaded(RELOAD_MS)).verification.get(kid)
      return key ?? (await loaded(RELOAD_UNKNOWN_MS)).verification.get(kid)
    },
    sealingKey: async () => (await loaded(RELOAD_MS)).sealing,
    async openingKey(kid) {
      const key = (await loaded(RELOAD_MS)).opening.get(kid)
      // Sealed data comes from the database, so IDs are not forged here: read again at once.
      return key ?? (await loaded(0)).opening.get(kid)
    },
    hashingSecret: async () => (await loaded(RELOAD_MS)).hashing,
  }
}

async function load(db: Db): Promise<Loaded> {
  const at = performance.now()
  let stored = await readSigningKeys(db)
  if (keyPurposes.some((purpose) => !inForce(stored, purpose))) {
    await renewSigningKeys(db)
    stored = await readSigningKeys(db)
  }
  const signing = inForce(stored, 'access-token')
  const sealing = inForce(stored, 'sealing')
  const first = stored.findLast(({ purpose }) => purpose === 'sealing')
  if (!signing || !sealing || !first)
    throw new Error('There is no signing or sealing key, although one was just created.')
  const verification = new Map<string, CryptoKey>()
  for (const { kid, purpose, jwk } of stored) {
    if (purpose !== 'access-token') continue
    const { d: _private, ...publicHalf } = jwk
    verification.set(kid, (await importJWK(publicHalf, 'EdDSA')) as CryptoKey)
  }
  return {
    at,
    signing: { kid: signing.kid, key: (await importJWK(signing.jwk, 'EdDSA')) as CryptoKey },
    verification,
    refreshSecrets: stored.filter(({ purpose }) => purpose === 'refresh-token').map(bytesOf),
    sealing: { kid: sealing.kid, key: bytesOf(sealing) },
    opening: new Map(stored.filter(({ purpose }) => purpose === 'sealing').map((key) => [key.kid, bytesOf(key)])),
    hashing: bytesOf(first),
  }
}

function bytesOf({ jwk }: StoredKey): Buffer {
  return Buffer.from(jwk.k ?? '', 'base64url')
}

/** Current keys come first in `stored` if the nodes' clocks agree. Retired keys never sign. */
function inForce(stored: readonly StoredKey[], purpose: StoredKey['purpose']): StoredKey | undefined {
  return stored.find((key) => key.purpose === purpose && !key.retired)
}
