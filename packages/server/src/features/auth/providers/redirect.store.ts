import type { Db } from '../../../db/connect.ts'
import { seal, unseal } from '../session/sealed-secret.ts'
import { tokenHash } from '../session/session-refresh.ts'

/** How long somebody may take at the provider's own screen. */
export const REDIRECT_MINUTES = 15

/** What is kept of a way to a provider with a screen of its own. */
export interface Way {
  /** What the provider judges the way back by. */
  secret: string
  /** Path of the console to go on to. */
  returnTo: string
  /** What the browser must bring as a cookie, so that a way begun in one is not finished in another. */
  browser: string
}

export async function keepWay(db: Db, { state, way, at }: { state: string; way: Way; at: Date }): Promise<void> {
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

/** The way with this state, taken out of use; undefined when it is unknown, used or past its end. */
export async function takeWay(db: Db, { state, at }: { state: string; at: Date }): Promise<Way | undefined> {
  const hash = tokenHash(state)
  const row = await db
    .deleteFrom('oidc_start')
    .where('state_hash', '=', hash)
    .returning(['sealed', 'expires_at'])
    .executeTakeFirst()
  if (!row || row.expires_at <= at) return undefined
  return JSON.parse(await unseal(db, { sealed: row.sealed, use: sealUse(hash) })) as Way
}

export async function forgetOldWays(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('oidc_start').where('expires_at', '<', at).execute()
}

function sealUse(hash: Buffer): string {
  return `redirect/${hash.toString('hex')}`
}

/** What an identity provider gave to be asked with again, sealed, with its session. */

/**
 * The session of a refresh token whose provider was not asked since `due`, claimed for asking: of many requests one gets
 * it. Undefined where there is nothing to ask.
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
