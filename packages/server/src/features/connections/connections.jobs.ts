import type { LeaderTask } from '../../db/leader.ts'
import type { FeatureContext } from '../context.ts'
import { tellLostConnections, watchGateways } from './connections.service.ts'

/** What one process of all does from time to time. */
export function connectionTasks(context: Pick<FeatureContext, 'db' | 'clock' | 'config'>): LeaderTask[] {
  const listeningSince = context.clock.now()
  return [
    { name: 'watch gateways', everyMs: 5000, run: () => watchGateways(context, listeningSince) },
    { name: 'tell of lost connections', everyMs: 15_000, run: () => tellLostConnections(context, listeningSince) },
  ]
}
