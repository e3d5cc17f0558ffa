import type { UserActor } from '../../db/actor.ts'
import { recordAudit } from '../../db/audit.ts'
import { inTransaction } from '../../db/transaction.ts'
import { rowId } from '../../db/wire-id.ts'
import { problem } from '../../platform/http/problem.ts'
import { refuseAccessChange } from '../administration/account-rules.ts'
import { otherAdministrators } from '../administration/accounts.queries.ts'
import { noSuchUser } from '../administration/accounts.service.ts'
import { lockAdministration } from '../administration/administration.store.ts'
import { voidOldAccess } from '../auth/password.store.ts'
import { endSessions } from '../auth/session.store.ts'
import type { FeatureContext } from '../context.ts'
import { lockUser } from '../users/users.store.ts'
import { mayDelete, stripUser } from './deleted-users.store.ts'

/**
 * Takes a user out for good: sessions end, everything personal goes. What they did stays under their name in the record, and
 * what they owned stays owned, by a deleted user. Throws not-found, own-account, last-administrator.
 */
export async function deleteUser(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { id, caller }: { id: string; caller: UserActor },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockAdministration(trx)
    const userId = rowId(id)
    const user =
      userId !== undefined && (await mayDelete(trx, { caller, userId })) ? await lockUser(trx, userId) : undefined
    if (!user) throw noSuchUser(id)
    if (user.id === caller.id) throw problem('own-account', "You can't delete yourself. Ask another administrator.")
    const refusal = refuseAccessChange({
      before: user,
      after: { role: user.role, disabled: true },
      callerId: caller.id,
      otherAdministrators: await otherAdministrators(trx, user.id),
    })
    if (refusal) throw problem(refusal.code, refusal.sentence)
    const at = clock.now()
    await endSessions(trx, { which: { userId: user.id }, reason: 'deleted', actor: caller, at })
    await voidOldAccess(trx, { account: { userId: user.id, login: user.login }, actor: caller, at })
    await stripUser(trx, { userId: user.id, login: user.login, at })
    await recordAudit(trx, { entityType: 'user', entityId: String(user.id), actor: caller, at }, [
      { action: 'deleted', property: 'name', oldValue: user.name },
    ])
  })
}
