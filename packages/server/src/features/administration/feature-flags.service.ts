import type { FeatureFlag } from '@benchwatch/contract/administration'
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
  /** Wire id; null for the deployment. */
  userId: string | null
  value: 'true' | 'false' | null
  caller: UserActor
}

/**
 * Sets or clears a flag for the deployment or one user, with its record; whoever is concerned and signed in is told at
 * once. Returns the flag as it stands then. Throws not-found for a user who is none.
 */
export async function setFlag(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { key, userId, value, caller }: FlagChange,
): Promise<FeatureFlag> {
  return inTransaction(db, async (trx) => {
    await lockAdministration(trx)
    const user = userId === null ? null : await lockAccount(trx, userId)
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
    const [flag] = await readFeatureFlags(trx, [key])
    if (!flag) throw new Error(`The flag ${key} could not be read.`)
    return flag
  })
}
