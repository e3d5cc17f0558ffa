import type { Trx } from '../../db/connect.ts'
import { featureIsOnForAnybody } from '../users/users.lookup.ts'
import { storeUsage, type UsageSample } from './usage.store.ts'

/**
 * Keeps samples of component usage while somebody could see them: the flag ASSET_USAGE is on for the deployment or for
 * any user (3-decisions 5). Otherwise they were taken and are let go.
 */
export async function keepUsage(trx: Trx, samples: readonly UsageSample[]): Promise<void> {
  if (samples.length === 0 || !(await featureIsOnForAnybody(trx, 'ASSET_USAGE'))) return
  await storeUsage(trx, samples)
}
