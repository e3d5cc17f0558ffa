import type { LeaderTask } from '../../db/leader.ts'
import type { FeatureContext } from '../context.ts'
import { forgetLogLines } from './log-retention.store.ts'

const DAY_MS = 86_400_000
/** A batch takes some 50 ms; between two of them others have their turn. */
const BATCH = 5000
/** At most this much of a day's work in one go, so that other tasks of the leader are not kept waiting after a long pause. */
const MOST_BATCHES = 200

/** Forgets lines older than LOG_RETENTION_DAYS. */
export function logTasks({
  db,
  clock,
  config,
  log,
}: Pick<FeatureContext, 'db' | 'clock' | 'config' | 'log'>): LeaderTask[] {
  return [
    {
      name: 'forget old log lines',
      everyMs: 3_600_000,
      async run() {
        const before = new Date(clock.now().getTime() - config.logRetentionDays * DAY_MS)
        let forgotten = 0
        for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
          const count = await forgetLogLines(db, { before, batch: BATCH })
          forgotten += count
          if (count < BATCH) break
        }
        if (forgotten > 0) log.info({ forgotten, before }, 'old log lines forgotten')
      },
    },
  ]
}
