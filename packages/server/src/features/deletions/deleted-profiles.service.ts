import type { UserActor } from '../../db/actor.ts'
import { recordAudit } from '../../db/audit.ts'
import { inTransaction } from '../../db/transaction.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { deleteProfileRow } from './deleted-profiles.store.ts'

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
        ...{ action: 'deleted', property: profile.profile_type },
        oldValue: JSON.stringify({ userId: String(profile.user_id), ...profile.settings }),
      },
    ])
  })
}
