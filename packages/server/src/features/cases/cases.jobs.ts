import { enqueueJob, type JobHandler } from '../../db/queues/jobs.ts'
import type { LeaderTask } from '../../db/queues/leader.ts'
import { inTransaction } from '../../db/transaction.ts'
import { coalesce } from '../../platform/concurrency.ts'
import type { FeatureContext } from '../context.ts'
import { getServiceEvent } from '../events/events.service.ts'
import { lockServiceEvent } from '../events/events.store.ts'
import { type CaseDesk, CaseDeskError, type DeskCase } from './case-desk.ts'
import { announceCase, CREATE_CASES_JOB, closeWithCase, forgetIfClosed } from './cases.service.ts'
import { giveCaseBack, hasDueCase, keepCase, noteFailure, type TakenCase, takeDueCase } from './cases.store.ts'

interface Creating extends Pick<FeatureContext, 'db' | 'clock' | 'config' | 'log'> {
  desk: CaseDesk | null
}

/** Waits after failures: 0.5, 1, 2 … 30 minutes. */
const FIRST_MS = 30_000
const LONGEST_MS = 30 * 60_000

/**
 * Job that creates all cases that are due, including those that other servers wrote. It is only a trigger: lost or
 * repeated jobs do no harm. Without a desk the cases wait.
 */
export function caseJobs({ desk, ...needs }: Creating): JobHandler[] {
  if (desk === null) return []
  const work = coalesce(async (stop) => {
    while (!stop.aborted) {
      const taken = await takeDueCase(needs.db, needs.clock.now())
      // After a failure, the others wait for the next job, so that a desk that is away keeps no worker busy.
      if (!taken || !(await attempt({ ...needs, desk }, taken, stop))) return
    }
  })
  return [{ name: CREATE_CASES_JOB, run: (_payload, stop) => work(stop) }]
}

/** Scheduled task of the leader: retries, cases of a server that died, and those of a restored backup. */
export function caseTasks({ db, clock, desk }: Creating): LeaderTask[] {
  if (desk === null) return []
  return [
    {
      name: 'enqueue due service cases',
      everyMs: 5000,
      async run() {
        if (!(await hasDueCase(db, clock.now()))) return
        await enqueueJob(db, { name: CREATE_CASES_JOB, payload: {} }, { key: 'due service cases' })
      },
    },
  ]
}

/** Returns false if the attempt failed. */
async function attempt(creating: Creating & { desk: CaseDesk }, taken: TakenCase, stop: AbortSignal): Promise<boolean> {
  const { db, clock, log } = creating
  try {
    const made = await makeCase(creating, taken, stop)
    if (made) await closeWithCase(creating, taken, made)
    return true
  } catch (error) {
    if (stop.aborted) {
      await giveCaseBack(db, taken)
      return false
    }
    const about = { err: error, event: taken.eventId, attempts: taken.attempts }
    const isOfDesk = error instanceof CaseDeskError
    // The cause, such as what the desk answered, is part of the error.
    if (isOfDesk) log.warn(about, 'service case not created yet')
    // A bug that concerns one event must not keep the others back.
    else log.error(about, 'service case not created yet')
    const sentence = isOfDesk ? error.message : 'The case could not be created. An administrator must check the log.'
    const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** (taken.attempts - 1))
    await inTransaction(db, async (trx) => {
      const event = await lockServiceEvent(trx, { id: taken.eventId, scope: 'all' })
      const retryAt = new Date(clock.now().getTime() + wait)
      if (event && (await noteFailure(trx, taken, { error: sentence, retryAt }))) await announceCase(trx, event)
    })
    return false
  }
}

/**
 * Returns the case of the event; null if none is wanted any more. Always asks first whether it exists: the answer to an
 * earlier attempt, of this server or another one, may have been lost.
 */
async function makeCase(
  { db, clock, config, log, desk }: Creating & { desk: CaseDesk },
  taken: TakenCase,
  stop: AbortSignal,
): Promise<DeskCase | null> {
  const correlationId = `${desk.prefix}${taken.eventId}`
  const found = await desk.find(correlationId, stop)
  if (found) {
    if (found.correlationId === correlationId) return found
    throw new CaseDeskError(
      `${desk.name} answered another case than was asked for. An administrator must check the case desk.`,
    )
  }
  if (await forgetIfClosed({ db }, taken)) return null
  const event = await getServiceEvent(db, { id: String(taken.eventId), caller: { id: 0, scope: 'all' } })
  // As late as possible: a server that was frozen since it took the case must not create a second one.
  if (!(await keepCase(db, taken, clock.now()))) return null
  const link = `${config.publicUrl}/events/${event.eventId}`
  const made = await desk.create({ event, correlationId, link }, stop)
  if (made.correlationId !== correlationId) {
    log.error(
      { event: taken.eventId },
      'the case desk keeps no number of the event: a lost answer would cause a second case',
    )
  }
  return made
}
