import type { LeaderTask } from '../../db/queues/leader.ts'
import type { FeatureContext } from '../context.ts'
import { finishDeletions } from './deletions.service.ts'

/** Returns the task that finishes deletions. */
export function deletionTasks(context: Pick<FeatureContext, 'db' | 'clock'>): LeaderTask[] {
  return [
    {
      name: 'take out what is left of deleted instruments',
      everyMs: 1000,
      run: () => finishDeletions(context),
    },
  ]
}
