import type { LeaderTask } from '../../db/leader.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { FeatureContext } from '../context.ts'
import { endSessions, forgetOldSessions } from './session.store.ts'
import { renewSigningKeys } from './signing-key.store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** What one process of all does about sessions and keys from time to time. */
export function authTasks({ db, clock, config }: Pick<FeatureContext, 'db' | 'clock' | 'config'>): LeaderTask[] {
  return [
    {
      name: 'end inactive sessions',
      everyMs: MINUTE_MS,
      // Twice the limit: a click just before it, and a laptop that slept until just before it again, still count.
      run: () =>
        inTransaction(db, (trx) => {
          const at = clock.now()
          const inactiveSince = new Date(at.getTime() - 2 * config.inactivityLimitSeconds * 1000)
          return endSessions(trx, { which: { inactiveSince }, reason: 'inactive', actor: { type: 'system' }, at })
        }),
    },
    { name: 'forget old sessions', everyMs: HOUR_MS, run: () => forgetOldSessions(db) },
    { name: 'renew signing keys', everyMs: HOUR_MS, run: () => renewSigningKeys(db) },
  ]
}
