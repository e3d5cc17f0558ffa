import type { LeaderTask } from '../../db/queues/leader.ts'
import type { FeatureContext } from '../context.ts'
import { forgetUsageDays, renewForecasts } from './usage-forecast.store.ts'

/** Screens show a year; the rest is a margin against premature deletion. */
const KEPT_DAYS = 400
const DAY_MS = 86_400_000
const BATCH = 20_000
/** Limits one run, so that other tasks of the leader do not wait too long after a long pause. */
const MOST_BATCHES = 100

/** Parts per transaction, 40 ms: samples of these parts wait for it, and so do requests to this process. */
const PARTS_AT_ONCE = 100
/** After midnight the whole fleet is due. Pauses in between let a stopping server finish within a second. */
const MOST_PARTS = 25 * PARTS_AT_ONCE

/**
 * Renews forecasts of component usage, and deletes days that no screen shows any more, because daily values of each
 * metric are not kept forever.
 */
export function usageTasks({ db, clock, log }: Pick<FeatureContext, 'db' | 'clock' | 'log'>): LeaderTask[] {
  return [
    {
      // Runs soon after a sample, and once a day for every part, because old days drop out over time.
      name: 'renew forecasts of component usage',
      everyMs: 2000,
      async run() {
        for (let renewed = 0; renewed < MOST_PARTS; renewed += PARTS_AT_ONCE) {
          const count = await renewForecasts(db, { now: clock.now(), parts: PARTS_AT_ONCE })
          if (count < PARTS_AT_ONCE) break
        }
      },
    },
    {
      name: 'delete old component usage',
      everyMs: 6 * 3_600_000,
      async run() {
        const before = new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS).toISOString().slice(0, 10)
        let forgotten = 0
        for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
          const count = await forgetUsageDays(db, { before, batch: BATCH })
          forgotten += count
          if (count < BATCH) break
        }
        if (forgotten > 0) log.info({ forgotten, before }, 'old component usage deleted')
      },
    },
  ]
}
