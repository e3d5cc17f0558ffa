import type { LeaderTask } from '../../db/queues/leader.ts'
import type { FeatureContext } from '../context.ts'
import { raiseLostConnections, watchGateways } from './connections.service.ts'
import { forgetSilences } from './connections.store.ts'

/** Key figures cover 400 days. */
const SILENCES_KEPT_DAYS = 430

/** Periodic tasks of the leader. */
export function connectionTasks(context: Pick<FeatureContext, 'db' | 'clock' | 'config'>): LeaderTask[] {
  const listeningSince = context.clock.now()
  return [
    { name: 'watch gateways', everyMs: 5000, run: () => watchGateways(context, listeningSince) },
    { name: 'report lost connections', everyMs: 15_000, run: () => raiseLostConnections(context, listeningSince) },
    {
      name: 'forget old silences of gateways',
      everyMs: 6 * 3_600_000,
      run: () => forgetSilences(context.db, new Date(context.clock.now().getTime() - SILENCES_KEPT_DAYS * 86_400_000)),
    },
  ]
}
