import type { ErrorCode } from '@benchwatch/contract/errors'
import type { ServiceEvent, ServiceEventChange } from '@benchwatch/contract/events'
import { CASE_NUMBER } from '@benchwatch/contract/patterns'
import { SYSTEM_OWNER_LABEL, type SystemCloseReason } from '@benchwatch/contract/vocabulary'
import { holds, type PersonActor } from '../../db/actor.ts'
import { type AuditActor, recordAudits } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { announce } from '../../db/queues/outbox.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type ProblemError, problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { type AssignableUser, findAssignable } from '../users/users.lookup.ts'
import { auditEntries, type ChangeRecord, liveMessages } from './change-record.ts'
import { SYSTEM_USER_ID } from './event-codes.ts'
import { findServiceEvent } from './events.queries.ts'
import { type LockedServiceEvent, lockServiceEvents, noteAssignments, writeServiceEvents } from './events.store.ts'
import { type Decision, decideChange, type RequestedChange, type ServiceEventState } from './status.ts'

type Refusal = Extract<Decision, { kind: 'refusal' }>

/** No change can ask for it: texts of a change are trimmed. */
const OTHER_TEXT = ' '

/** The event that a caller asks for; throws the same not-found for a missing one and for another customer's. */
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
  sentence: 'Event could not be found. Check its id; it may belong to a customer that you do not see.',
} as const

export function noSuchEvent(): ProblemError {
  return problem(notFound.code, notFound.sentence)
}

interface Change {
  caller: PersonActor
  change: ServiceEventChange
  /** The header as it came; none is never stale. */
  ifMatch?: string | undefined
  /** Judged as if the owner asked, recorded as the caller's: a back-office event is made closed by somebody else. */
  asOwner?: boolean
}

/** What a change is judged by, beside the event. */
type Rules = Pick<FeatureContext, 'clock' | 'config'>

/**
 * Claims, assigns, moves, closes or corrects one event in a transaction that holds its row. Returns the event as it
 * stands then. Throws not-found, and what `decideChange` refuses; version-mismatch and status-conflict carry the current
 * event as the member `event`.
 */
export async function changeServiceEvent(
  { db, ...rules }: Rules & { db: Db },
  { id, ...wanted }: Change & { id: string },
): Promise<ServiceEvent> {
  const { caller } = wanted
  return inTransaction(db, async (trx) => {
    const [outcome] = await changeServiceEvents(trx, { ids: [Number(id)], ...wanted, rules })
    if (!outcome?.refusal) return getServiceEvent(trx, { id, caller })
    const { code, sentence } = outcome.refusal
    const showsEvent = code === 'version-mismatch' || code === 'status-conflict'
    throw problem(code, sentence, showsEvent ? { members: { event: await getServiceEvent(trx, { id, caller }) } } : {})
  })
}

/** What became of one event: neither changed nor refused where it was as wanted already. */
export interface ChangeOutcome {
  id: number
  isChanged: boolean
  refusal?: { code: ErrorCode; sentence: string }
}

/**
 * Makes the same change of some events, each by the rule of `decideChange` and none because of another: decisions,
 * writes, record and live messages within the transaction given, which holds their rows until it ends. Answers every id
 * in the order of ids; one that the scope does not hold is refused as not-found. Each id stands once in `ids`.
 */
export async function changeServiceEvents(
  trx: Trx,
  { ids, rules: { clock, config }, ...wanted }: Change & { ids: readonly number[]; rules: Rules },
): Promise<ChangeOutcome[]> {
  const { caller, change, ifMatch, asOwner = false } = wanted
  const events = new Map(
    (await lockServiceEvents(trx, { ids, scope: caller.scope })).map((event) => [event.id, event] as const),
  )
  const owner = await newOwner(trx, wanted)
  // Read after the lock: a change that waited must not be dated before the one it waited for.
  const at = clock.now()
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
        isStale: isStale(ifMatch, event.version),
        ...caseRules(config),
      })
      if (decision.kind === 'change') records.push(recordOf(event, { after: decision.state, owner }))
      return {
        id,
        isChanged: decision.kind === 'change',
        ...(decision.kind === 'refusal' && { refusal: { code: decision.code, sentence: decision.sentence } }),
      }
    })
  await writeServiceEvents(trx, { changes: records.map(({ eventId, after }) => ({ id: eventId, state: after })), at })
  await tell(trx, { records, actor: caller, at })
  await noteAssignments(trx, { assignments: records.flatMap((record) => assignmentBy(caller.id, record)), at })
  return outcomes
}

/** Record and live messages of changes that were written. */
async function tell(
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
  await announce(
    trx,
    records.flatMap((record) =>
      liveMessages(record).map((message) => ({ audience: { customerId: record.customerId }, message })),
    ),
  )
}

/** That somebody else was given the event. Who takes it by themselves knows. */
function assignmentBy(actorId: number, { eventId, before, after, version }: ChangeRecord) {
  const userId = after.claimedBy
  return userId === null || userId === before.claimedBy || userId === actorId ? [] : [{ eventId, userId, version }]
}

/**
 * Closes those of these events that nobody has taken, by the system marker (3-decisions 7); for a reason of people only
 * where the event was the product's own, a test. An event that a person works on is theirs to close. Returns the ids of
 * those that it closed.
 */
export async function closeBySystem(
  trx: Trx,
  { ids, reason, at }: { ids: readonly number[]; reason: SystemCloseReason | 'No action required'; at: Date },
): Promise<number[]> {
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
  await tell(trx, { records, actor: { type: 'system' }, at })
  return records.map(({ eventId }) => eventId)
}

/** Throws bad-change or unknown-owner for a change that no event at all could take. */
export async function checkChange(
  db: Db,
  { caller, change, config }: Pick<Change, 'caller' | 'change'> & Pick<FeatureContext, 'config'>,
): Promise<void> {
  const owner = await newOwner(db, { caller, change })
  const refusal = refusalForEveryEvent({ change, actor: caller, newOwner: owner?.id ?? null, ...caseRules(config) })
  if (refusal) throw problem(refusal.code, refusal.sentence)
}

/** The user whom the change names as owner, when the caller may assign to them. */
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

/**
 * Whether an If-Match header names another version than the present one. Without a header nothing is stale. A list
 * matches by any of its tags; `*` matches every event that exists. A weak tag counts, because proxies that compress an
 * answer weaken its ETag; so does a bare number. Whatever can't be read names no version, so it is stale.
 */
export function isStale(ifMatch: string | undefined, version: number): boolean {
  if (ifMatch === undefined) return false
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  return !tags.some((tag) => tag === '*' || versionOf(tag) === version)
}

function versionOf(tag: string): number | null {
  const [, quoted, bare] = /^(?:(?:W\/)?"(\d{1,10})"|(\d{1,10}))$/.exec(tag) ?? []
  const digits = quoted ?? bare
  return digits === undefined ? null : Number(digits)
}

/**
 * Why no event at all could take a change, for those who ask for it of many: what PUT answers with 400 (a close without
 * reason, an owner that can't be). Null where some event could, or where it is only status or owner that stand against it.
 *
 * It has no rule of its own: `decideChange` is asked about an event of each kind that the rule tells apart.
 */
export function refusalForEveryEvent(request: Omit<RequestedChange, 'event' | 'isStale'>): Refusal | null {
  const decisions = eventsOfEachKind(request).map((event) => decideChange({ ...request, event, isStale: false }))
  if (decisions.some(({ kind }) => kind === 'change')) return null
  return decisions.find(isAboutContent) ?? null
}

function isAboutContent(decision: Decision): decision is Refusal {
  return decision.kind === 'refusal' && (decision.code === 'bad-change' || decision.code === 'unknown-owner')
}

/** Each status, owned by the one who asks, by the system, by nobody; closed ones with each kind of fields. */
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
    // Where only its URL is to be changed.
    { ...withCase, alertStatus: '3_CLOSED', claimedBy, serviceMaxCaseNumber: null },
  ])
}
