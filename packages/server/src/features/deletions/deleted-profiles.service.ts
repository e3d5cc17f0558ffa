import type { Profile } from '@benchwatch/contract/profiles'
import type { UserActor } from '../../db/actor.ts'
import { recordAudit } from '../../db/audit.ts'
import { inTransaction } from '../../db/transaction.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { listProfiles } from '../profiles/profiles.queries.ts'
import { deleteProfileRow, findKnownUser } from './deleted-profiles.store.ts'

/**
 * Takes out a profile of somebody whom the caller may know, as if it had never been set: its owner gets one with the
 * settings of the beginning when they next ask. Throws not-found.
 */
export async function deleteProfile(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { id, caller }: { id: string; caller: UserActor },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const profile = await deleteProfileRow(trx, { id, caller })
    if (!profile) throw problem('not-found', `There is no profile ${id} of anybody whom you may see.`)
    await recordAudit(trx, { entityType: 'profile', entityId: String(profile.id), actor: caller, at: clock.now() }, [
      {
        action: 'deleted',
        property: profile.profile_type,
        oldValue: JSON.stringify({ userId: String(profile.user_id), ...profile.settings }),
      },
    ])
  })
}

/** What somebody whom the caller may know has set; profiles that they never asked for are missing. Throws not-found. */
export async function profilesOf(
  { db }: Pick<FeatureContext, 'db'>,
  { userId, caller }: { userId: string; caller: UserActor },
): Promise<Profile[]> {
  const user = await findKnownUser(db, { id: userId, caller })
  if (!user) throw problem('not-found', `There is no user ${userId} whom you may see.`)
  return listProfiles(db, user.id)
}
