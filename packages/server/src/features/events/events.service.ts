import type { ErrorCode } from '@benchwatch/contract/errors'
import type { ServiceEvent, ServiceEventChange } from '@benchwatch/contract/events/events'
import { CASE_NUMBER } from '@benchwatch/contract/patterns'
import { SYSTEM_OWNER_LABEL, type SystemCloseReason } from '@benchwatch/contract/vocabulary'
import { holds, type PersonActor } from '../../db/actor.ts'
import { type AuditActor, recordAudits } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { announce } from '../../db/queues/outbox.ts'
import { inTransaction } from '../../db/transaction.ts'
import { namesTag } from '../../platform/http/etag.ts'
import { type ProblemError, problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { type AssignableUser, findAssignable } from '../users/users.lookup.ts'
import { auditEntries, type ChangeRecord, liveMessages } from './change-record.ts'
import { SYSTEM_USER_ID } from './event-codes.ts'
import { findClaimsToUndo, findServiceEvent } from './events.queries.ts'
import { type LockedServiceEvent, lockServiceEvents, noteAssignments, writeServiceEvents } from './events.store.ts'
import { type Decision, decideChange, type RequestedChange, type ServiceEventState } from './status.ts'

type Refusal = Extract<Decision, { kind: 'refusal' }>

/** Matches no requested value: texts of a change are trimmed. */
const OTHER_TEXT = ' '

/** Returns the event. Throws the same not-found for a missing event and for one of another customer. */
export async function getServiceEvent(
  db: Db,
  { id, caller }: { id: string; caller: Pick<PersonActor, 'id' | 'scope'> },
): Promise<ServiceEvent> {
  const event = await findServiceEvent(db, { id: Number(id), scope: caller.scope, viewerId: caller.id })
  if (!event) throw noSuchEvent()
  return event
}

const notFound = {
  code: 'not-found',
  sentence: 'Event could not be found. Check the ID; the event may belong to a customer you cannot see.',
} as const

export function noSuchEvent(): ProblemError {
  return problem(notFound.code, notFound.sentence)
}

interface Change {
  caller: PersonActor
  change: ServiceEventChange
  /** The If-Match header as received; without a header no request is stale. */
  ifMatch?: string | undefined
  /**
   * Checks the change as if the owner had requested it, but records the caller: the back office creates events that
   * another user has closed.
   */
  asOwner?: boolean
}

/** Everything but the event that decides whether a change is allowed. */
type Rules = Pick<FeatureContext, 'clock' | 'config'>

/**
 * Claims, assigns, moves, closes or corrects one event in a transaction that locks its row, and returns the event
 * after the change. Throws not-found and the refusals of `decideChange`; version-mismatch and status-conflict carry
 * the current event as the member `event`.
 */
export async function changeServiceEvent(
  { db, ...rules }: Rules & { db: Db },
  { id, ...request }: Change & { id: string },
): Promise<ServiceEvent> {
  const { caller } = request
  return inTransaction(db, async (trx) => {
    const [outcome] = await changeServiceEvents(trx, { ids: [Number(id)], ...request, rules })
    if (!outcome?.refusal) return getServiceEvent(trx, { id, caller })
    const { code, sentence } = outcome.refusal
    const showsEvent = code === 'version-mismatch' || code === 'status-conflict'
    throw problem(code, sentence, showsEvent ? { members: { event: await getServiceEvent(trx, { id, caller }) } } : {})
  })
}

/** Outcome for one event. Neither changed nor refused if the event already had the requested values. */
export interface ChangeOutcome {
  id: number
  isChanged: boolean
  refusal?: { code: ErrorCode; sentence: string }
}

/**
 * Applies the same change to several events, each decided independently by `decideChange`. Decisions, writes, audit
 * entries and live messages run in the given transaction, which locks the rows until it ends. Returns one outcome per
 * id, in order of ids; an id outside the scope is refused as not-found. `ids` holds no duplicates.
 */
export async function changeServiceEvents(
  trx: Trx,
  { ids, rules: { clock, config }, ...request }: Change & { ids: readonly number[]; rules: Rules },
): Promise<ChangeOutcome[]> {
  const { caller, change, ifMatch, asOwner = false } = request
  const events = new Map(
    (await lockServiceEvents(trx, { ids, scope: caller.scope })).map((event) => [event.id, event] as const),
  )
  const owner = await newOwner(trx, request)
  // Read after the lock: a change that waited must not be dated before the change it waited for.
  const at = clock.now()
  const claims = change.undo ? await findClaimsToUndo(trx, { ids, userId: caller.id, now: at }) : null
  const records: ChangeRecord[] = []
  const outcomes = ids
    .toSorted((a, b) => a - b)
    .map((id): ChangeOutcome => {
      const event = events.get(id)
      if (!event) return { id, isChanged: false, refusal: notFound }
      const decision = decideChange({
        event: event.state,
        change,
        actor: asOwner ? { ...caller, id: event.state.claimedBy ?? caller.id } : caller,
        newOwner: owner && holds(owner.scope, event.customerId) ? owner.id : null,
        beforeClaim: claims?.get(id)?.before ?? null,
        isStale: isStale(ifMatch, event.version),
        ...caseRules(config),
      })
      if (decision.kind === 'change') {
        const record = recordOf(event, { after: decision.state, owner })
        records.push(claims === null ? record : { ...record, ownerName: claims.get(id)?.ownerName ?? null })
      }
      return {
        id,
        isChanged: decision.kind === 'change',
        ...(decision.kind === 'refusal' && { refusal: { code: decision.code, sentence: decision.sentence } }),
      }
    })
  await writeServiceEvents(trx, { changes: records.map(({ eventId, after }) => ({ id: eventId, state: after })), at })
  await recordAndAnnounce(trx, { records, actor: caller, at })
  // Nothing is new to an owner who gets an event back.
  const assigned = change.undo ? [] : records
  await noteAssignments(trx, { assignments: assigned.flatMap((record) => assignmentBy(caller.id, record)), at })
  return outcomes
}

/** Writes audit entries and live messages for changes that were stored. */
async function recordAndAnnounce(
  trx: Trx,
  { records, actor, at }: { records: readonly ChangeRecord[]; actor: AuditActor; at: Date },
): Promise<void> {
  await recordAudits(
    trx,
    records.map((record) => ({
      subject: { entityType: 'service_event', entityId: String(record.eventId), actor, at },
      entries: auditEntries(record),
    })),
  )
  await announce(trx, records.flatMap(liveMessages))
}

/** Returns the assignment to notify about: the event got a new owner who is not the person who made the change. */
function assignmentBy(actorId: number, { eventId, before, after, version }: ChangeRecord) {
  const userId = after.claimedBy
  return userId === null || userId === before.claimedBy || userId === actorId ? [] : [{ eventId, userId, version }]
}

/**
 * Closes unclaimed events as the system user (3-decisions 7). Events that a person works on are theirs to close. The
 * reason is a system reason; only the product's own test events get one of the reasons for people.
 */
export async function closeBySystem(
  trx: Trx,
  { ids, reason, at }: { ids: readonly number[]; reason: SystemCloseReason | 'No action required'; at: Date },
): Promise<void> {
  const events = (await lockServiceEvents(trx, { ids, scope: 'all' })).filter(
    ({ state }) => state.alertStatus === '1_NEW' && state.claimedBy === null,
  )
  const records = events.map((event) => ({
    ...recordOf(event, {
      after: { ...event.state, alertStatus: '3_CLOSED', claimedBy: SYSTEM_USER_ID, reasonClosed: reason },
      owner: undefined,
    }),
    ownerName: SYSTEM_OWNER_LABEL,
  }))
  await writeServiceEvents(trx, { changes: records.map(({ eventId, after }) => ({ id: eventId, state: after })), at })
  await recordAndAnnounce(trx, { records, actor: { type: 'system' }, at })
}

/** Throws bad-change or unknown-owner for a change that is invalid for every event. */
export async function checkChange(
  db: Db,
  { caller, change, config }: Pick<Change, 'caller' | 'change'> & Pick<FeatureContext, 'config'>,
): Promise<void> {
  const owner = await newOwner(db, { caller, change })
  const refusal = refusalForEveryEvent({ change, actor: caller, newOwner: owner?.id ?? null, ...caseRules(config) })
  if (refusal) throw problem(refusal.code, refusal.sentence)
}

/** Returns the user that the change names as owner, if the caller may assign to them. */
async function newOwner(
  db: Db,
  { caller, change }: Pick<Change, 'caller' | 'change'>,
): Promise<AssignableUser | undefined> {
  if (typeof change.claimedBy !== 'string') return undefined
  return findAssignable(db, { caller, userId: change.claimedBy })
}

function caseRules(config: FeatureContext['config']) {
  return { caseNumberPattern: config.caseNumberPattern ?? CASE_NUMBER, caseUrlHosts: config.caseUrlHosts }
}

function recordOf(
  event: LockedServiceEvent,
  { after, owner }: { after: ServiceEventState; owner: AssignableUser | undefined },
): ChangeRecord {
  return {
    before: event.state,
    after,
    eventId: event.id,
    customerId: event.customerId,
    installedProductId: event.installedProductId,
    version: event.version + 1,
    ownerName: owner?.name ?? event.ownerName,
  }
}

/** True if an If-Match header names another version than the current one. A request without a header is never stale. */
export function isStale(ifMatch: string | undefined, version: number): boolean {
  return ifMatch !== undefined && !namesTag(ifMatch, `"${version}"`)
}

/**
 * Returns why a change is invalid for every event, for requests that change many events: the cases that PUT answers
 * with 400 (closing without a reason, an owner that cannot be assigned). Null if some event could take the change, or
 * if only status or owner prevents it.
 *
 * It has no rule of its own: it calls `decideChange` with one event of each kind that the rule distinguishes.
 */
export function refusalForEveryEvent(request: Omit<RequestedChange, 'event' | 'isStale'>): Refusal | null {
  const decisions = eventsOfEachKind(request).map((event) => decideChange({ ...request, event, isStale: false }))
  if (decisions.some(({ kind }) => kind === 'change')) return null
  return decisions.find(isAboutContent) ?? null
}

function isAboutContent(decision: Decision): decision is Refusal {
  return decision.kind === 'refusal' && (decision.code === 'bad-change' || decision.code === 'unknown-owner')
}

/**
 * Returns events in each status, owned by the caller, by the system and by no one; closed events with each kind of
 * fields.
 */
function eventsOfEachKind({ actor, change }: Pick<RequestedChange, 'actor' | 'change'>): ServiceEventState[] {
  const open = {
    reasonClosed: null,
    reasonClosedComment: null,
    serviceMaxCaseNumber: null,
    serviceMaxUrl: null,
  }
  const withCase = { ...open, reasonClosed: 'Service Case Created', serviceMaxUrl: OTHER_TEXT } as const
  return [actor.id, SYSTEM_USER_ID, null].flatMap((claimedBy): ServiceEventState[] => [
    { ...open, alertStatus: '2_IN_PROGRESS', claimedBy },
    { ...open, alertStatus: '1_NEW', claimedBy },
    {
      ...open,
      alertStatus: '3_CLOSED',
      claimedBy,
      reasonClosed: change.reasonClosed ?? 'No action required',
      reasonClosedComment: OTHER_TEXT,
    },
    { ...withCase, alertStatus: '3_CLOSED', claimedBy, serviceMaxCaseNumber: OTHER_TEXT },
    // For a change of the URL alone.
    { ...withCase, alertStatus: '3_CLOSED', claimedBy, serviceMaxCaseNumber: null },
  ])
}
