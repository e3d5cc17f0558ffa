import { CASE_NUMBER } from '@benchwatch/contract/patterns'
import type { ServiceEvent, ServiceEventChange } from '@benchwatch/contract/service-events'
import { holds, type UserActor } from '../../db/actor.ts'
import { recordAudit } from '../../db/audit.ts'
import type { Db } from '../../db/connect.ts'
import { announce } from '../../db/outbox.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type ProblemError, problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { type AssignableUser, findAssignable } from '../users/users.lookup.ts'
import { auditEntries, type ChangeRecord, liveMessages } from './change-record.ts'
import { isStale } from './if-match.ts'
import { findServiceEvent } from './service-events.queries.ts'
import { type LockedServiceEvent, lockServiceEvent, writeServiceEvent } from './service-events.store.ts'
import { type Decision, decideChange } from './status.ts'

/** The event that a caller asks for; throws the same not-found for a missing one and for another customer's. */
export async function getServiceEvent(
  db: Db,
  { id, caller }: { id: string; caller: Pick<UserActor, 'scope'> },
): Promise<ServiceEvent> {
  const event = await findServiceEvent(db, { id: Number(id), scope: caller.scope })
  if (!event) throw noSuchEvent()
  return event
}

export function noSuchEvent(): ProblemError {
  return problem(
    'not-found',
    'Event could not be found. Check its id; it may belong to a customer that you do not see.',
  )
}

interface Change {
  id: string
  caller: UserActor
  change: ServiceEventChange
  /** The header as it came. */
  ifMatch: string | undefined
}

/**
 * Claims, assigns, moves, closes or corrects one event: decision, write, record and live messages in one transaction
 * that holds the event's row. Returns the event as it stands then. Throws not-found, and what `decideChange` refuses;
 * version-mismatch and status-conflict carry the current event as the member `event`.
 */
export async function changeServiceEvent(
  { db, clock, config }: Pick<FeatureContext, 'db' | 'clock' | 'config'>,
  { id, caller, change, ifMatch }: Change,
): Promise<ServiceEvent> {
  return inTransaction(db, async (trx) => {
    const event = await lockServiceEvent(trx, { id: Number(id), scope: caller.scope })
    if (!event) throw noSuchEvent()
    const owner = await newOwner(trx, { event, change, caller })
    const decision = decideChange({
      event: event.state,
      change,
      actor: caller,
      newOwner: owner?.id ?? null,
      isStale: isStale(ifMatch, event.version),
      caseNumberPattern: config.caseNumberPattern ?? CASE_NUMBER,
      caseUrlHosts: config.caseUrlHosts,
    })
    if (decision.kind === 'change') {
      // Read after the lock: a change that waited must not be dated before the one it waited for.
      const at = clock.now()
      await writeServiceEvent(trx, { event, state: decision.state, at })
      const record: ChangeRecord = {
        before: event.state,
        after: decision.state,
        eventId: event.id,
        installedProductId: event.installedProductId,
        version: event.version + 1,
        ownerName: owner?.name ?? event.ownerName,
      }
      await recordAudit(
        trx,
        { entityType: 'service_event', entityId: String(event.id), actor: caller, at },
        auditEntries(record),
      )
      const audience = { customerId: event.customerId }
      await announce(
        trx,
        liveMessages(record).map((message) => ({ audience, message })),
      )
    }
    const current = await getServiceEvent(trx, { id, caller })
    if (decision.kind === 'refusal') throw refused(decision, current)
    return current
  })
}

/** The user whom the change names as owner, when the caller may assign to them and their scope holds the event. */
async function newOwner(
  trx: Db,
  { event, change, caller }: { event: LockedServiceEvent; change: ServiceEventChange; caller: UserActor },
): Promise<AssignableUser | undefined> {
  if (typeof change.claimedBy !== 'string') return undefined
  const user = await findAssignable(trx, { caller, userId: change.claimedBy })
  return user && holds(user.scope, event.customerId) ? user : undefined
}

function refused({ code, sentence }: Extract<Decision, { kind: 'refusal' }>, event: ServiceEvent): ProblemError {
  const showsEvent = code === 'version-mismatch' || code === 'status-conflict'
  return problem(code, sentence, showsEvent ? { members: { event } } : {})
}
