import type { LeaderTask } from '../../db/queues/leader.ts'
import type { FeatureContext } from '../context.ts'
import { planRecurringMaintenance } from './maintenance.service.ts'

/** Returns the scheduled tasks of the leader process. */
export function maintenanceTasks(context: Pick<FeatureContext, 'db' | 'clock'>): LeaderTask[] {
  return [{ name: 'plan recurring maintenance', everyMs: 30_000, run: () => planRecurringMaintenance(context) }]
}
