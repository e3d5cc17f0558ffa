import type { LeaderTask } from '../../db/queues/leader.ts'
import type { FeatureContext } from '../context.ts'
import { foldInbox } from './inbox.store.ts'

/** A batch takes about 0.1 s. */
const BATCH = 10_000
/** Limit of one run, which a stop of the server waits for. */
const MOST_BATCHES = 10

/** Returns the task that makes ranges of the items that earlier releases took. It has nothing to do once they are gone. */
export function ingestTasks({ db }: Pick<FeatureContext, 'db'>): LeaderTask[] {
  return [
    {
      name: 'make ranges of items taken by earlier releases',
      everyMs: 10_000,
      async run() {
        for (let batch = 0; batch < MOST_BATCHES; batch += 1) if ((await foldInbox(db, BATCH)) < BATCH) break
      },
    },
  ]
}
