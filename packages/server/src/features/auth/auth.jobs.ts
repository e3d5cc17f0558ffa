import type { LeaderTask } from '../../db/queues/leader.ts'
import { forgetOldTurns } from '../../db/rate-limit.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { FeatureContext } from '../context.ts'
import { forgetOldChallenges } from './credentials/challenge.store.ts'
import { forgetOldResets } from './credentials/password.store.ts'
import { forgetOldFailures } from './credentials/sign-in-failure.store.ts'
import { forgetOldWays } from './providers/redirect.store.ts'
import { endSessions, forgetOldSessions } from './session/session.store.ts'
import { renewSigningKeys } from './session/signing-key.store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Returns the periodic tasks for sessions and keys. One process of the deployment runs them. */
export function authTasks({ db, clock, config }: Pick<FeatureContext, 'db' | 'clock' | 'config'>): LeaderTask[] {
  return [
    {
      name: 'end inactive sessions',
      everyMs: MINUTE_MS,
      // Twice the limit: a click just before it expires, followed by a laptop that sleeps until just before it expires
      // again, still counts.
      run: () =>
        inTransaction(db, (trx) => {
          const at = clock.now()
          const inactiveSince = new Date(at.getTime() - 2 * config.inactivityLimitSeconds * 1000)
          return endSessions(trx, { which: { inactiveSince }, reason: 'inactive', actor: { type: 'system' }, at })
        }),
    },
    { name: 'forget old sessions', everyMs: HOUR_MS, run: () => forgetOldSessions(db) },
    {
      name: 'forget what signing in left behind',
      everyMs: 10 * MINUTE_MS,
      run: async () => {
        const at = clock.now()
        await forgetOldChallenges(db, at)
        await forgetOldResets(db, at)
        await forgetOldFailures(db, at)
        await forgetOldWays(db, at)
        await forgetOldTurns(db, at)
      },
    },
    { name: 'renew signing keys', everyMs: HOUR_MS, run: () => renewSigningKeys(db) },
  ]
}
