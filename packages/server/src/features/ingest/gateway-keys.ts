import type { GatewayActor } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { problem } from '../../platform/http/problem.ts'
import { newToken, tokenHash } from '../../platform/secret-token.ts'
import { findKey, revokeOlderKeys } from './gateway-keys.store.ts'

/** The beginning makes keys easy to find in a leaked file. */
const KEY = /^bwgw_[A-Za-z0-9_-]{43}$/

/** Returns a new key and its stored hash. */
export function createGatewayKey(): { key: string; hash: Buffer } {
  const key = `bwgw_${newToken()}`
  return { key, hash: tokenHash(key) }
}

/** How long a verified key is trusted without checking again: a revoked key stops working within this time. */
const TRUSTED_MS = 5000

/** Authenticates keys; throws `bad-gateway-key` (401) or `other-gateway` (403), see `authenticateGateway`. */
export type GatewayAuthenticator = (claim: GatewayClaim) => Promise<GatewayActor>

interface GatewayClaim {
  /** The gateway named in the address. */
  gateway: string
  key: string | undefined
}

/**
 * Creates the authenticator of this process. It caches valid keys for 5 s, because a database query costs a third of
 * storing one alarm. The first use of a newer key removes the older ones at once.
 */
export function createGatewayAuthenticator(db: Db): GatewayAuthenticator {
  const trusted = new Map<string, { actor: GatewayActor; until: number }>()
  return async ({ gateway, key }) => {
    const known = key === undefined ? undefined : trusted.get(key)
    if (known && known.actor.name === gateway && performance.now() < known.until) return known.actor
    const actor = await authenticateGateway(db, { gateway, key })
    for (const [other, { actor: of }] of trusted) if (of.id === actor.id) trusted.delete(other)
    if (key !== undefined) trusted.set(key, { actor, until: performance.now() + TRUSTED_MS })
    return actor
  }
}

/**
 * Returns the gateway that a key authenticates, if it is the one named in the address. Throws `bad-gateway-key` (401)
 * for a key that is missing, malformed, unknown or revoked, and `other-gateway` (403) for a valid key of another
 * gateway.
 *
 * Keys are found by their hash, so timing reveals nothing about how much of a key was right. The first use of a newer
 * key revokes the older ones: until then both work, and a gateway is never locked out by a key that did not reach it.
 */
export async function authenticateGateway(db: Db, { gateway, key }: GatewayClaim): Promise<GatewayActor> {
  const found = key !== undefined && KEY.test(key) ? await findKey(db, tokenHash(key)) : undefined
  if (!found) {
    throw problem(
      'bad-gateway-key',
      'The gateway key is missing, wrong or revoked. Send it as "Authorization: Bearer <key>"; npm run gateway:key -- <gateway> creates a new one.',
    )
  }
  if (found.gateway.name !== gateway) {
    throw problem(
      'other-gateway',
      `This key belongs to another gateway than "${gateway}". Send each batch to the address of its own gateway.`,
    )
  }
  if (found.hasOlder) await revokeOlderKeys(db, found)
  return found.gateway
}
