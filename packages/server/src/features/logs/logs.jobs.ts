import type { Config } from '../../config.ts'
import type { LeaderTask } from '../../db/queues/leader.ts'
import type { FeatureContext } from '../context.ts'
import { forgetLogLines } from './log-retention.store.ts'

const DAY_MS = 86_400_000
/** A batch takes about 20 ms, and locks only the deleted rows: readers and writers never wait for it. */
const BATCH = 5000
/** Limit of one run, so that the leader's other tasks do not wait after a long pause. */
const MOST_BATCHES = 200

/**
 * Deletes lines that arrived more than LOG_RETENTION_DAYS ago, every hour, oldest first. Each batch is committed
 * separately; if a restart interrupts a run, the next one continues with the oldest line left.
 */
export function logTasks({
  db,
  clock,
  config,
  log,
}: Pick<FeatureContext, 'db' | 'clock' | 'log'> & { config: Pick<Config, 'logRetentionDays'> }): LeaderTask[] {
  return [
    {
      name: 'forget old log lines',
      everyMs: 3_600_000,
      async run() {
        const before = new Date(clock.now().getTime() - config.logRetentionDays * DAY_MS)
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
