import type { FeatureFlag } from '@benchwatch/contract/administration/administration'
import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import type { UserActor } from '../../db/actor.ts'
import { announce } from '../../db/queues/outbox.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { FeatureContext } from '../context.ts'
import { signedInUsersWithout, writeFlag } from '../users/feature-flags.store.ts'
import { lockAccount } from './accounts.service.ts'
import { readFeatureFlags } from './administration.queries.ts'
import { lockAdministration } from './administration.store.ts'

interface FlagChange {
  key: FeatureKey
  /** Wire ID; null means the deployment. */
  userId: string | null
  value: 'true' | 'false' | null
  caller: UserActor
}

/**
 * Sets or clears a flag for the deployment or for one user and writes the audit log. Affected users who are signed in
 * are notified at once. Returns the new state of the flag. Throws not-found for an unknown user.
 */
export async function setFlag(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { key, userId, value, caller }: FlagChange,
): Promise<FeatureFlag> {
  return inTransaction(db, async (trx) => {
    await lockAdministration(trx, caller)
    const user = userId === null ? null : await lockAccount(trx, { id: userId, caller })
    const changed = await writeFlag(trx, {
      key,
      userId: user?.id ?? null,
      value: value === null ? null : value === 'true',
      actor: caller,
      at: clock.now(),
    })
    if (changed) {
      const concerned = user ? [user.id] : await signedInUsersWithout(trx, key)
      await announce(
        trx,
        concerned.map((id) => ({
          audience: { userId: id },
          message: { entity: 'user', action: 'update', property: 'features', payload: {} },
        })),
      )
    }
    const [flag] = await readFeatureFlags(trx, { caller, keys: [key] })
    if (!flag) throw new Error(`The flag ${key} could not be read.`)
    return flag
  })
}
