import type { LeaderTask } from '../../db/queues/leader.ts'
import type { FeatureContext } from '../context.ts'
import { planRecurringMaintenance } from './maintenance.service.ts'

/** What one process of all does from time to time. */
export function maintenanceTasks(context: Pick<FeatureContext, 'db' | 'clock'>): LeaderTask[] {
  return [{ name: 'plan recurring maintenance', everyMs: 30_000, run: () => planRecurringMaintenance(context) }]
}
