import type { Config } from '../../config.ts'
import type { LeaderTask } from '../../db/queues/leader.ts'
import type { FeatureContext } from '../context.ts'
import { forgetLogLines, keepLogPartition } from './log-retention.store.ts'

const DAY_MS = 86_400_000
/** A batch takes about 20 ms, and locks only the deleted rows: readers and writers never wait for it. */
const BATCH = 5000
/** Limit of one run. */
const MOST_BATCHES = 200

/**
 * Makes the next partitions of log lines, and forgets lines that arrived more than LOG_RETENTION_DAYS ago, every hour.
 * They go with their partition; those of the first one, which is older than partitions, go in batches. Each step is
 * committed separately, and the next run continues where a restart interrupted one.
 */
export function logTasks({
  db,
  clock,
  config,
  log,
}: Pick<FeatureContext, 'db' | 'clock' | 'log'> & { config: Pick<Config, 'logRetentionDays'> }): LeaderTask[] {
  return [
    {
      name: 'make and drop partitions of log lines',
      everyMs: 3_600_000,
      async run() {
        const now = clock.now()
        const retentionDays = config.logRetentionDays
        const before = new Date(now.getTime() - retentionDays * DAY_MS)
        for (let step = 0; step < MOST_BATCHES; step += 1) {
          const partition = await keepLogPartition(db, { now, before, retentionDays })
          if (partition === null) break
          log.info({ partition }, 'partition of log lines made or dropped')
        }
        let total = 0
        let after = 0
        for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
          const { forgotten, last, isDone } = await forgetLogLines(db, { before, after, batch: BATCH })
          total += forgotten
          after = last
          if (isDone) break
        }
        if (total > 0) log.info({ forgotten: total, before }, 'old log lines forgotten')
      },
    },
  ]
}
