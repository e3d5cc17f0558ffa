import type { Db } from '../../db/connect.ts'

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
