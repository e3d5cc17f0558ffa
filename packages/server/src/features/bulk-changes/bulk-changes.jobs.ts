import { enqueueJob, type JobHandler } from '../../db/queues/jobs.ts'
import type { LeaderTask } from '../../db/queues/leader.ts'
import { inTransaction } from '../../db/transaction.ts'
import { coalesce } from '../../platform/concurrency.ts'
import type { FeatureContext } from '../context.ts'
import { BULK_CHANGE_JOB, changeStep } from './bulk-changes.service.ts'
import {
  deleteBulkChanges,
  hasSilentBulkChange,
  noteStep,
  stopBulkChange,
  stopStandingBulkChanges,
  takeDueStep,
} from './bulk-changes.store.ts'

type Needs = Pick<FeatureContext, 'db' | 'clock' | 'config' | 'log'>

/** A step takes about 50 ms, a statement at most 4 s. */
const SILENT_MS = 15_000
/** A bulk change that made no progress for this long is stopped, because the user no longer expects it. */
const GIVE_UP_MS = 3_600_000
/** Progress is kept only for display; the audit log keeps the changes. */
const KEEP_MS = 7 * 86_400_000

/**
 * Creates the job handler for bulk changes. A job only wakes the handler, which takes all steps that are due, so a
 * lost or repeated job does no harm.
 */
export function bulkChangeJobs(needs: Needs): JobHandler[] {
  const work = coalesce((stop) => workOff(needs, stop))
  return [{ name: BULK_CHANGE_JOB, run: (_payload, stop) => work(stop) }]
}

/** Takes steps until none is due. Failed steps are skipped until the next job and do not hold up others. */
async function workOff(needs: Needs, stop: AbortSignal): Promise<void> {
  const tripped: string[] = []
  let lastError: unknown
  while (!stop.aborted) {
    let id: string | undefined
    try {
      id = await takeStep(needs, { except: tripped, onTaken: (taken) => (id = taken) })
      if (id === undefined) break
    } catch (error) {
      // Without an ID, the database itself has failed.
      if (id === undefined) throw error
      lastError = error
      tripped.push(id)
      needs.log.warn({ err: error, bulkChange: id }, 'a step of a bulk change failed')
    }
  }
  // Makes the job queue retry later.
  if (tripped.length > 0) throw new Error('A step of a bulk change failed.', { cause: lastError })
}

/** Takes the next step of the bulk change that has waited longest. Returns its ID, or undefined if none waits. */
async function takeStep(
  { db, clock, config, log }: Needs,
  { except, onTaken }: { except: readonly string[]; onTaken: (id: string) => void },
): Promise<string | undefined> {
  return inTransaction(db, async (trx) => {
    const step = await takeDueStep(trx, { except })
    if (!step) return undefined
    onTaken(step.id)
    const result = await changeStep(trx, { ...step, rules: { clock, config } })
    if (result === 'not allowed') {
      await stopBulkChange(trx, { id: step.id, at: clock.now() })
      log.info({ bulkChange: step.id, user: step.userId }, 'bulk change stopped: the user is disabled')
    } else {
      await noteStep(trx, { step, result, at: clock.now() })
    }
    return step.id
  })
}

/** Returns the tasks, run by one process, that resume bulk changes of processes that died, and clean up. */
export function bulkChangeTasks({ db, clock, log }: Needs): LeaderTask[] {
  const before = (ms: number) => new Date(clock.now().getTime() - ms)
  return [
    {
      name: 'resume silent bulk changes',
      everyMs: 5000,
      async run() {
        for (const id of await stopStandingBulkChanges(db, before(GIVE_UP_MS))) {
          log.error({ bulkChange: id }, 'bulk change stopped after an hour without progress')
        }
        if (!(await hasSilentBulkChange(db, before(SILENT_MS)))) return
        await enqueueJob(db, { name: BULK_CHANGE_JOB, payload: {} }, { key: 'silent bulk changes' })
      },
    },
    {
      name: 'delete old bulk changes',
      everyMs: 3_600_000,
      run: () => deleteBulkChanges(db, { before: before(KEEP_MS) }),
    },
  ]
}
