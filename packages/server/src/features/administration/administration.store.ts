import type { ScimActor, UserActor } from '../../db/actor.ts'
import { takeAdvisoryLock } from '../../db/advisory-locks.ts'
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
