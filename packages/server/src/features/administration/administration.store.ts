import type { FeatureKey } from '@benchwatch/contract/vocabulary'
import type { ScimActor, UserActor } from '../../db/actor.ts'
import { takeAdvisoryLock } from '../../db/advisory-locks.ts'
import { type AuditActor, recordAudit } from '../../db/audit.ts'
import type { Trx } from '../../db/connect.ts'
import { problem } from '../../platform/http/problem.ts'
import { findCaller } from '../auth/session/session.store.ts'
import { manages } from '../users/users.lookup.ts'

/**
 * Locks changes to accounts and flags until the transaction ends, so that only one runs at a time. Such changes are
 * rare. The lock stops two administrators from disabling each other at the same moment, and covers flags that have no
 * row to lock yet. An administrator whose rights have changed while waiting for it has to begin again.
 */
export async function lockAdministration(trx: Trx, caller: UserActor | ScimActor): Promise<void> {
  await takeAdvisoryLock(trx, 'administration')
  if (caller.type === 'scim') return
  const { id: userId, sessionId, role, scope } = caller
  const now = await findCaller(trx, { userId, sessionId })
  if (!now) throw problem('session-expired', 'Session expired')
  if (now.role !== role || !manages(now, { scope }))
    throw problem('wrong-role', 'Your rights have just been changed. Reload the page.')
}

interface FlagChange {
  key: FeatureKey
  /** Null for the deployment's own value. */
  userId: number | null
  /** Null removes the value. */
  value: boolean | null
  actor: AuditActor
  at: Date
}

/**
 * Sets or removes a flag and writes the audit log; returns whether anything changed. The caller must hold a lock that
 * serialises flag changes, because there may be no row to lock.
 */
export async function writeFlag(trx: Trx, { key, userId, value, actor, at }: FlagChange): Promise<boolean> {
  const old = await trx
    .selectFrom('feature_flag')
    .select('value')
    .where('key', '=', key)
    .where('user_id', 'is not distinct from', userId)
    .executeTakeFirst()
  const oldValue = old?.value ?? null
  if (oldValue === value) return false
  if (value === null) {
    await trx
      .deleteFrom('feature_flag')
      .where('key', '=', key)
      .where('user_id', 'is not distinct from', userId)
      .execute()
  } else {
    await trx
      .insertInto('feature_flag')
      .values({ key, user_id: userId, value })
      .onConflict((conflict) => conflict.columns(['key', 'user_id']).doUpdateSet({ value }))
      .execute()
  }
  const entityId = userId === null ? key : `${key}/${userId}`
  await recordAudit(trx, { entityType: 'feature_flag', entityId, actor, at }, [
    { action: 'update', property: key, oldValue: oldValue?.toString() ?? null, newValue: value?.toString() ?? null },
  ])
  return true
}

/** Returns the users that a deployment flag affects: signed in somewhere, and without a value of their own. */
export async function signedInUsersWithout(trx: Trx, key: FeatureKey): Promise<number[]> {
  const rows = await trx
    .selectFrom('session as s')
    .select('s.user_id')
    .distinct()
    .where('s.ended_at', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('feature_flag as f')
            .select('f.key')
            .where('f.key', '=', key)
            .whereRef('f.user_id', '=', 's.user_id'),
        ),
      ),
    )
    .execute()
  return rows.map(({ user_id }) => user_id)
}
