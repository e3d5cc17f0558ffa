import type { LeaderTask } from '../../db/leader.ts'
import type { FeatureContext } from '../context.ts'
import { tellLostConnections, watchGateways } from './connections.service.ts'

/** What one process of all does from time to time. */
export function connectionTasks(context: Pick<FeatureContext, 'db' | 'clock' | 'config'>): LeaderTask[] {
  const listeningSince = context.clock.now()
  return [
    { name: 'watch gateways', everyMs: 5000, run: () => watchGateways(context, listeningSince) },
    { name: 'tell of lost connections', everyMs: 15_000, run: () => tellIfWatched(context) },
  ]
}

/** A server that does not watch its gateways has nothing to tell of them. */
async function tellIfWatched(context: Pick<FeatureContext, 'db' | 'clock' | 'config'>): Promise<void> {
  if (context.config.gatewaySilenceSeconds > 0) await tellLostConnections(context)
}
