import type { LeaderTask } from '../../db/queues/leader.ts'
import type { FeatureContext } from '../context.ts'
import { finishDeletions } from './deletions.service.ts'
import { INSTRUMENT_DELETED_CHANNEL } from './deletions.store.ts'

/** Returns the task that finishes deletions when notified; the interval covers lost notifications. */
export function deletionTasks(context: Pick<FeatureContext, 'db' | 'clock'>): LeaderTask[] {
  return [
    {
      name: 'take out what is left of deleted instruments',
      everyMs: 30_000,
      onChannel: INSTRUMENT_DELETED_CHANNEL,
      run: () => finishDeletions(context),
    },
  ]
}
