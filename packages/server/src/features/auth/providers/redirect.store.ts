import type { Db } from '../../../db/connect.ts'
import { tokenHash } from '../../../platform/secret-token.ts'
import { seal, unseal } from '../session/sealed-secret.ts'

/** Time for a user to finish at the provider's own screen, in minutes. */
export const REDIRECT_MINUTES = 15

/** A sign-in that is in progress at a provider with its own screen. */
export interface PendingRedirect {
  /** The provider's expected values for the return. */
  secret: string
  /** Path of the console to continue with. */
  returnTo: string
  /** Value of the browser's cookie, so that a sign-in started in one browser cannot be finished in another. */
  browser: string
}

export async function storeRedirect(
  db: Db,
  { state, way, at }: { state: string; way: PendingRedirect; at: Date },
): Promise<void> {
  const hash = tokenHash(state)
  await db
    .insertInto('oidc_start')
    .values({
      state_hash: hash,
      sealed: await seal(db, { text: JSON.stringify(way), use: sealUse(hash) }),
      expires_at: new Date(at.getTime() + REDIRECT_MINUTES * 60_000),
    })
    .execute()
}

/** Redeems the sign-in with this state, or returns undefined if it is unknown, used or expired. */
export async function redeemRedirect(
  db: Db,
  { state, at }: { state: string; at: Date },
): Promise<PendingRedirect | undefined> {
  const hash = tokenHash(state)
  const row = await db
    .deleteFrom('oidc_start')
    .where('state_hash', '=', hash)
    .returning(['sealed', 'expires_at'])
    .executeTakeFirst()
  if (!row || row.expires_at <= at) return undefined
  return JSON.parse(await unseal(db, { sealed: row.sealed, use: sealUse(hash) })) as PendingRedirect
}

export async function forgetOldWays(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('oidc_start').where('expires_at', '<', at).execute()
}

function sealUse(hash: Buffer): string {
  return `redirect/${hash.toString('hex')}`
}

/**
 * Claims the session of a refresh token if the provider was last asked before `due`. Of many parallel requests, one
 * succeeds; the others get undefined.
 */
export async function claimRecheck(
  db: Db,
  { refreshHash, due, at }: { refreshHash: Buffer; due: Date; at: Date },
): Promise<{ id: string; handle: Buffer } | undefined> {
  const row = await db
    .updateTable('session')
    .set({ provider_checked_at: at })
    .where((eb) => eb.or([eb('refresh_hash', '=', refreshHash), eb('previous_hash', '=', refreshHash)]))
    .where('ended_at', 'is', null)
    .where('provider_handle', 'is not', null)
    .where('provider_checked_at', '<=', due)
    .returning(['id', 'provider_handle'])
    .executeTakeFirst()
  return row?.provider_handle ? { id: row.id, handle: row.provider_handle } : undefined
}

export async function keepHandle(db: Db, { sessionId, handle }: { sessionId: string; handle: Buffer }): Promise<void> {
  await db.updateTable('session').set({ provider_handle: handle }).where('id', '=', sessionId).execute()
}
