import type { BulkFailure, BulkProgress, BulkResult } from '@benchwatch/contract/events/bulk-changes'
import type { ServiceEventChange } from '@benchwatch/contract/events/events'
import type { UserActor } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { enqueueJob } from '../../db/queues/jobs.ts'
import { inTransaction } from '../../db/transaction.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { changeServiceEvents, checkChange } from '../events/events.service.ts'
import type { EventSearch } from '../events/search/event-search.ts'
import { findPerson } from '../users/users.lookup.ts'
import {
  insertBulkChange,
  type RequestedSelection,
  readBulkProgress,
  STEP_EVENTS,
  type StepResult,
  selectedEventIds,
} from './bulk-changes.store.ts'

/** The job that processes the rows in bulk_change, for all users. */
export const BULK_CHANGE_JOB = 'change service events'

/** Up to this number a request waits until all are changed; larger changes run as a job (wire 2). */
const EVENTS_AT_ONCE = 500

type Needs = Pick<FeatureContext, 'db' | 'clock' | 'config'>

interface Requested {
  caller: UserActor
  selection: RequestedSelection
  change: ServiceEventChange
}

/**
 * Changes the selected events by the rules of a single change. Up to 500 are changed before it returns; more go to a
 * job. Throws bad-change and unknown-owner if no event could take the change, selection-too-large, and session-expired
 * if the caller is disabled in the meantime; changes made until then remain.
 */
export async function changeSelectedEvents(
  context: Needs & { eventSearch: EventSearch },
  { caller, selection, change }: Requested,
): Promise<BulkResult | { jobId: string }> {
  const { db, clock, config } = context
  await checkChange(db, { caller, change, config })
  const ids = await selectedEventIds(context, { selection, scope: caller.scope, now: clock.now() })
  if (ids.length > EVENTS_AT_ONCE) return { jobId: await leaveToJob(context, { caller, ids, change }) }
  const whole: BulkResult = { changed: 0, failed: [] }
  for (let done = 0; done < ids.length; done += STEP_EVENTS) {
    const eventIds = ids.slice(done, done + STEP_EVENTS)
    const step = await inTransaction(db, (trx) =>
      changeStep(trx, { userId: caller.id, eventIds, change, rules: context }),
    )
    if (step === 'not allowed') throw problem('session-expired', 'Session expired')
    whole.changed += step.changed
    whole.failed.push(...step.failed)
  }
  return whole
}

/** Returns the progress of the caller's own bulk change. Throws not-found for those of other users as well. */
export async function getBulkProgress(
  db: Db,
  { id, caller }: { id: string; caller: Pick<UserActor, 'id'> },
): Promise<BulkProgress> {
  const progress = await readBulkProgress(db, { id, userId: caller.id })
  if (progress) return progress
  throw problem('not-found', 'This change no longer exists or belongs to another user. Reload the events.')
}

async function leaveToJob(
  { db, clock }: Needs,
  { caller, ids, change }: { caller: UserActor; ids: number[]; change: ServiceEventChange },
): Promise<string> {
  return inTransaction(db, async (trx) => {
    const id = await insertBulkChange(trx, { userId: caller.id, eventIds: ids, change, at: clock.now() })
    await enqueueJob(trx, { name: BULK_CHANGE_JOB, payload: {} })
    return id
  })
}

interface Step {
  userId: number
  eventIds: readonly number[]
  change: ServiceEventChange
  rules: Pick<Needs, 'clock' | 'config'>
}

/**
 * Changes the events of one step in the given transaction, with the user's current rights: role and scope may have
 * changed since the last step. Fails with `not allowed` once the user is disabled.
 */
export async function changeStep(
  trx: Trx,
  { userId, eventIds, change, rules }: Step,
): Promise<StepResult | 'not allowed'> {
  const caller = await findPerson(trx, userId)
  if (!caller) return 'not allowed'
  const outcomes = await changeServiceEvents(trx, { ids: eventIds, caller, change, rules })
  return {
    changed: outcomes.filter(({ isChanged }) => isChanged).length,
    failed: outcomes.flatMap(({ id, refusal }): BulkFailure[] => {
      const name = String(id)
      return refusal ? [{ id: name, eventId: name, code: refusal.code, ErrorBody: refusal.sentence }] : []
    }),
  }
}
