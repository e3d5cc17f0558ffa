import type { LeaderTask } from '../../db/queues/leader.ts'
import type { FeatureContext } from '../context.ts'
import { forgetUsageDays, renewForecasts } from './usage-forecast.store.ts'

/** A year is shown; the rest is for a look at what was forgotten by mistake. */
const KEPT_DAYS = 400
const DAY_MS = 86_400_000
const BATCH = 20_000
/** At most this much in one go, so that other tasks of the leader are not kept waiting after a long pause. */
const MOST_BATCHES = 100

/** Parts of one go, 40 ms: their samples wait for it, and so does whoever this process answers. */
const PARTS_AT_ONCE = 100
/** After midnight those of a whole fleet are due: with rests between, a server that is being stopped waits a second for it. */
const MOST_PARTS = 25 * PARTS_AT_ONCE

/**
 * Makes the forecasts of component usage, and forgets days that nobody is shown any more: a value a day and metric is kept,
 * but not for ever.
 */
export function usageTasks({ db, clock, log }: Pick<FeatureContext, 'db' | 'clock' | 'log'>): LeaderTask[] {
  return [
    {
      // Soon after a sample, and of every part once a day: as days go by, old ones no longer count.
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
      name: 'forget old days of component usage',
      everyMs: 6 * 3_600_000,
      async run() {
        const before = new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS).toISOString().slice(0, 10)
        let forgotten = 0
        for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
          const count = await forgetUsageDays(db, { before, batch: BATCH })
          forgotten += count
          if (count < BATCH) break
        }
        if (forgotten > 0) log.info({ forgotten, before }, 'old days of component usage forgotten')
      },
    },
  ]
}
