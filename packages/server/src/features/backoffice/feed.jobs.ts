import type { LeaderTask } from '../../db/queues/leader.ts'
import type { FeatureContext } from '../context.ts'
import { followTests, orderWeeklyTests, raiseTests } from './injection/injection.service.ts'
import { forgetFeed } from './injection/injection.store.ts'

const DAY_MS = 86_400_000
/** Counts are kept for as long as key figures look back. */
const KEPT_DAYS = 400

/** Returns the periodic tasks that count and test the data feed. One process of the deployment runs them. */
export function feedTasks(context: Pick<FeatureContext, 'db' | 'intake' | 'clock' | 'log'>): LeaderTask[] {
  return [
    { name: 'order the weekly test of the alarm chain', everyMs: 60_000, run: () => orderWeeklyTests(context) },
    { name: 'raise tests of the alarm chain', everyMs: 1000, run: () => raiseTests(context) },
    { name: 'follow tests of the alarm chain', everyMs: 1000, run: () => followTests(context) },
    {
      name: 'forget old counts of the feed',
      everyMs: 6 * 3_600_000,
      run: () => forgetFeed(context.db, new Date(context.clock.now().getTime() - KEPT_DAYS * DAY_MS)),
    },
  ]
}
