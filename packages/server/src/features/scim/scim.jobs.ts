import type { LeaderTask } from '../../db/queues/leader.ts'
import type { FeatureContext } from '../context.ts'
import { settleAll } from './scim.service.ts'

/** Runs at the start, after which SCIM_GROUPS may be another one, and hourly for customers registered since. */
export function scimTasks({ config, ...context }: FeatureContext): LeaderTask[] {
  const { scim } = config
  if (scim === null) return []
  return [{ name: 'apply SCIM groups', everyMs: 3_600_000, run: () => settleAll({ ...context, groups: scim.groups }) }]
}
