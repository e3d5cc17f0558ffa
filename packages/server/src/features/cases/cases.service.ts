import type { reportCase as reportCaseRoute } from '@benchwatch/contract/events/cases'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { isCaseUrl } from '@benchwatch/contract/field-rules'
import { CASE_NUMBER } from '@benchwatch/contract/patterns'
import type { RouteTypes } from '@benchwatch/contract/route'
import type { ApiTokenActor, UserActor } from '../../db/actor.ts'
import { type AuditActor, type AuditEntry, recordAudit } from '../../db/audit.ts'
import type { Trx } from '../../db/connect.ts'
import { enqueueJob } from '../../db/queues/jobs.ts'
import { announce } from '../../db/queues/outbox.ts'
import { inTransaction } from '../../db/transaction.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { auditEntries, liveMessages, updateMessage } from '../events/change-record.ts'
import { changeServiceEvents, getServiceEvent, isStale, noSuchEvent } from '../events/events.service.ts'
import { type LockedServiceEvent, lockServiceEvent, writeServiceEvents } from '../events/events.store.ts'
import { decideChange } from '../events/status.ts'
import { type CaseDesk, CaseDeskError, type DeskCase } from './case-desk.ts'
import {
  deleteCaseRequest,
  findEventOfCase,
  insertCase,
  lockCase,
  markCreated,
  readRequester,
  type TakenCase,
  writeStatus,
} from './cases.store.ts'

/** The job that creates all due cases, regardless of who asked for them. */
export const CREATE_CASES_JOB = 'create service cases'

/** Clocks of two machines may differ by this much. */
const AHEAD_MS = 5 * 60_000

/** As the history names the wish for a case, and the case. */
const REQUESTED = 'requested'

type Needs = Pick<FeatureContext, 'db' | 'clock' | 'config'>

/**
 * Asks the desk for a case; a job creates it after the commit, and closes the event with it. Throws not-found, the
 * refusals of closing an event, and status-conflict for a closed event or without a desk. Does nothing if a case is
 * being created already.
 */
export async function requestCase(
  { db, clock, desk }: Needs & { desk: CaseDesk | null },
  { id, caller, ifMatch }: { id: string; caller: UserActor; ifMatch: string | undefined },
): Promise<ServiceEvent> {
  return inTransaction(db, async (trx) => {
    const event = await lockedForClosing(trx, { id, caller, ifMatch })
    if (desk === null) {
      throw problem('status-conflict', 'No case desk is configured. Enter the number of the case by hand.')
    }
    if (await lockCase(trx, event.id)) return getServiceEvent(trx, { id, caller })
    const at = clock.now()
    await insertCase(trx, { eventId: event.id, userId: caller.id, at })
    await enqueueJob(trx, { name: CREATE_CASES_JOB, payload: {} })
    await recordChange(trx, { event, actor: caller, at, entries: [{ ...ofCase, newValue: REQUESTED }] })
    return getServiceEvent(trx, { id, caller })
  })
}

/** Forgets a case that does not exist yet. Throws like `requestCase`, and status-conflict if none is being created. */
export async function cancelCase(
  { db, clock }: Needs,
  { id, caller }: { id: string; caller: UserActor },
): Promise<ServiceEvent> {
  return inTransaction(db, async (trx) => {
    const event = await lockedForClosing(trx, { id, caller, ifMatch: undefined })
    if (!(await lockCase(trx, event.id))) {
      throw problem('status-conflict', 'No case is being created for this event. Reload the event.')
    }
    await deleteCaseRequest(trx, event.id)
    await recordChange(trx, {
      event,
      actor: caller,
      at: clock.now(),
      entries: [{ ...ofCase, oldValue: REQUESTED, newValue: null }],
    })
    return getServiceEvent(trx, { id, caller })
  })
}

/** Locks an open event that the caller may close. */
async function lockedForClosing(
  trx: Trx,
  { id, caller, ifMatch }: { id: string; caller: UserActor; ifMatch: string | undefined },
): Promise<LockedServiceEvent> {
  const event = await lockServiceEvent(trx, { id: Number(id), scope: caller.scope })
  if (!event) throw noSuchEvent()
  // The number is not known yet, so any will do.
  const decision = decideChange({
    event: event.state,
    change: { alertStatus: 'CLOSED', reasonClosed: 'Service Case Created', serviceMaxCaseNumber: '?' },
    actor: caller,
    newOwner: null,
    isStale: isStale(ifMatch, event.version),
    caseNumberPattern: /^/,
    caseUrlHosts: [],
  })
  const refusal =
    decision.kind === 'refusal'
      ? decision
      : event.state.alertStatus === '3_CLOSED'
        ? { code: 'status-conflict' as const, sentence: 'The event is closed. Enter the number of its case by hand.' }
        : null
  if (!refusal) return event
  const showsEvent = refusal.code === 'version-mismatch' || refusal.code === 'status-conflict'
  throw problem(
    refusal.code,
    refusal.sentence,
    showsEvent ? { members: { event: await getServiceEvent(trx, { id, caller }) } } : {},
  )
}

const ofCase = { action: 'update', property: 'serviceCase' } as const

/** Records a change of the case as a new version of its event, which must be locked, and notifies every screen. */
async function recordChange(
  trx: Trx,
  change: { event: LockedServiceEvent; actor: AuditActor; at: Date; entries: readonly AuditEntry[] },
): Promise<void> {
  const { event, actor, at, entries } = change
  await writeServiceEvents(trx, { changes: [{ id: event.id, state: event.state }], at })
  await recordAudit(trx, { entityType: 'service_event', entityId: String(event.id), actor, at }, entries)
  await announceCase(trx, event)
}

/** Sends every screen the present case of an event. */
export async function announceCase(
  trx: Trx,
  { id, customerId }: Pick<LockedServiceEvent, 'id' | 'customerId'>,
): Promise<void> {
  const event = await getServiceEvent(trx, { id: String(id), caller: { id: 0, scope: 'all' } })
  const { version, instrumentInstalledProductId: installedProductId, serviceCase = null } = event
  await announce(trx, [updateMessage({ id, version, customerId, installedProductId }, 'serviceCase', { serviceCase })])
}

/**
 * Closes the event with the case that the desk has created, in one transaction. If a person has cancelled or closed the
 * event in the meantime, the history names the case. Throws CaseDeskError if the product does not accept number or URL.
 */
export async function closeWithCase(
  { db, clock, config, desk }: Needs & { desk: CaseDesk },
  { eventId }: TakenCase,
  made: DeskCase,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const event = await lockServiceEvent(trx, { id: eventId, scope: 'all' })
    if (!event) return
    const waiting = await lockCase(trx, eventId)
    const isOpen = event.state.alertStatus !== '3_CLOSED'
    // The case may have been entered by hand, as it was shown at the desk.
    const isEntered = !isOpen && event.state.serviceMaxCaseNumber === made.number
    const at = clock.now()
    if (!waiting || waiting.number !== null || !(isOpen || isEntered)) {
      if (waiting?.number === made.number) return
      await deleteCaseRequest(trx, eventId)
      const entries = [{ ...ofCase, newValue: made.number, reason: made.url }]
      await recordChange(trx, { event, actor: { type: 'system' }, at, entries })
      return
    }
    checkCase(desk, { made, config })
    const other = await findEventOfCase(trx, made.number)
    if (other !== undefined) {
      throw new CaseDeskError(
        `${desk.name} answered case ${made.number}, which belongs to ORC-${other}. An administrator must check the case desk.`,
      )
    }
    if (isOpen) {
      const change = {
        alertStatus: 'CLOSED',
        reasonClosed: 'Service Case Created',
        serviceMaxCaseNumber: made.number,
        ...(made.url !== null && { serviceMaxUrl: made.url }),
      } as const
      // The audit log names who asked. They were allowed to when they did.
      const name = await readRequester(trx, waiting.requested_by)
      const caller = { type: 'user', id: waiting.requested_by, name, role: 'service', scope: 'all' } as const
      const rules = { clock, config }
      const [outcome] = await changeServiceEvents(trx, { ids: [eventId], caller, change, asOwner: true, rules })
      if (outcome?.refusal) throw new CaseDeskError(outcome.refusal.sentence)
    }
    await markCreated(trx, { eventId, number: made.number })
    await announceCase(trx, event)
  })
}

function checkCase(
  { name }: CaseDesk,
  { made: { number, url }, config }: { made: DeskCase } & Pick<FeatureContext, 'config'>,
): void {
  const { caseNumberPattern, caseUrlHosts } = config
  if (!(caseNumberPattern ?? CASE_NUMBER).test(number)) {
    throw new CaseDeskError(
      `${name} created case ${number}, but CASE_NUMBER_PATTERN does not allow this number. An administrator must change it.`,
    )
  }
  if (url !== null && !isCaseUrl(url, caseUrlHosts)) {
    throw new CaseDeskError(
      `${name} created case ${number}, but CASE_URL_HOSTS does not allow its address. An administrator must change it.`,
    )
  }
}

/** Forgets the wish for a case of an event that a person has closed. Returns true if the event is not open any more. */
export async function forgetIfClosed({ db }: Pick<Needs, 'db'>, { eventId }: TakenCase): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const event = await lockServiceEvent(trx, { id: eventId, scope: 'all' })
    if (event && event.state.alertStatus !== '3_CLOSED') return false
    // Another server may have created the case while this one was frozen.
    await deleteCaseRequest(trx, eventId)
    return true
  })
}

/** A report of the desk about a case. */
type CaseReport = RouteTypes<typeof reportCaseRoute>['body']

/**
 * Records what happened to a case that the desk created. Only these are followed, because a number that was entered by
 * hand may be that of another customer's case. Throws not-found and bad-change. A report that is older than the last
 * one changes nothing, and neither does a repeat.
 */
export async function reportCase(
  { db, clock, config }: Needs,
  { number, report, caller }: { number: string; report: CaseReport; caller: UserActor | ApiTokenActor },
): Promise<void> {
  const { status, url, note, at: reportedAt } = report
  if (reportedAt.getTime() > clock.now().getTime() + AHEAD_MS) {
    throw problem('bad-change', 'The time of the status lies in the future. Check the clock of the case desk.')
  }
  if (url !== undefined && !isCaseUrl(url, config.caseUrlHosts)) {
    throw problem('bad-change', `The case URL must be an https address at ${config.caseUrlHosts.join(' or ')}.`)
  }
  await inTransaction(db, async (trx) => {
    const eventId = await findEventOfCase(trx, number)
    const scope = caller.type === 'user' ? caller.scope : 'all'
    const event = eventId === undefined ? undefined : await lockServiceEvent(trx, { id: eventId, scope })
    const known = event && (await lockCase(trx, event.id))
    if (!event || known?.number !== number || event.state.serviceMaxCaseNumber !== number) {
      throw problem('not-found', 'No event has a case with this number that the case desk created.')
    }
    const isRepeat = known.reported_at?.getTime() === reportedAt.getTime() && known.status === status
    if (isRepeat || (known.reported_at !== null && reportedAt < known.reported_at)) return
    const since = known.status === status ? (known.status_since ?? reportedAt) : reportedAt
    await writeStatus(trx, { eventId: event.id, status, since, reportedAt })
    const after = { ...event.state, ...(url !== undefined && { serviceMaxUrl: url }) }
    const entry = { action: 'update', property: 'caseStatus', oldValue: known.status, newValue: status }
    await recordChange(trx, {
      event: { ...event, state: after },
      actor: caller,
      at: clock.now(),
      entries: [{ ...entry, reason: note?.trim() || null }, ...auditEntries({ before: event.state, after })],
    })
    const record = { ...event, before: event.state, after, eventId: event.id, version: event.version + 1 }
    await announce(trx, liveMessages(record))
  })
}
