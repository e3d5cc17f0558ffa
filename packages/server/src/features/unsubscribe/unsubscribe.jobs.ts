import type { LeaderTask } from '../../db/queues/leader.ts'
import type { FeatureContext } from '../context.ts'
import { deleteLinksExpiredBefore } from './unsubscribe.store.ts'

/** Expired links are kept because they show the back office which component a warning concerned. */
const KEPT_DAYS = 30

export function unsubscribeTasks({ db, clock }: Pick<FeatureContext, 'db' | 'clock'>): LeaderTask[] {
  return [
    {
      name: 'delete old unsubscribe links',
      everyMs: 3_600_000,
      run: () => deleteLinksExpiredBefore(db, new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000)),
    },
  ]
}
