import type { UserActor } from '../../db/actor.ts'
import { recordAudit } from '../../db/audit.ts'
import { inTransaction } from '../../db/transaction.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { deleteLine } from './deleted-log-entries.store.ts'

/** Takes a log line out for good. The record says which one it was, but not what it said. Throws not-found. */
export async function deleteLogEntry(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { id, caller }: { id: string; caller: UserActor },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const line = await deleteLine(trx, { id, scope: caller.scope })
    if (!line) throw problem('not-found', 'There is no such log line. Read the log again.')
    await recordAudit(trx, { entityType: 'log_entry', entityId: id, actor: caller, at: clock.now() }, [
      { action: 'deleted', oldValue: JSON.stringify(line) },
    ])
  })
}
