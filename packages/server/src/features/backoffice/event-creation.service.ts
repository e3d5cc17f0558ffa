import { type EventForm, type EventWish, readEventForm } from '@benchwatch/contract/administration/backoffice-forms'
import type { ServiceEvent, ServiceEventChange } from '@benchwatch/contract/events/events'
import { CASE_NUMBER } from '@benchwatch/contract/patterns'
import { holds, type UserActor } from '../../db/actor.ts'
import { type AuditEntry, recordAudit } from '../../db/audit.ts'
import type { Trx } from '../../db/connect.ts'
import { type Announcement, announce } from '../../db/queues/outbox.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { FeatureContext } from '../context.ts'
import { changeServiceEvents, getServiceEvent } from '../events/events.service.ts'
import { storeAlarms } from '../ingest/alarms/alarms.service.ts'
import type { LockedInstrument } from '../ingest/inbox.store.ts'
import { KnownIds } from '../ingest/read-items.ts'
import { findAssignable } from '../users/users.lookup.ts'
import { badForm } from './bad-form.ts'
import { lockNamedInstrument } from './instrument-state.store.ts'

interface AnnouncedEvent {
  id: string
  isNew: boolean
  /** Set if the event existed before. */
  latchedCount: string | null
}

type Needs = Pick<FeatureContext, 'db' | 'clock' | 'config'>

/**
 * Sorts after everything that the gateway has numbered. This matters only for a 'cleared' that arrived early and
 * waits: it ends a raise that the gateway has yet to deliver, not the one raised here. A 'cleared' that arrives later
 * ends the event like any other with its alert ID.
 */
const LAST_IN_ORDER = { epoch: 2_147_483_647, sequence: Number.MAX_SAFE_INTEGER }

/**
 * Raises an alarm as its gateway would, then applies ordinary changes until the event has the requested status, all in
 * one transaction. An alarm that is already open is counted on its event, which is returned. Throws not-found for an
 * instrument outside the scope, and bad-event with an error per field.
 */
export async function createEvent(
  { db, clock, config }: Needs,
  { form, caller }: { form: EventForm; caller: UserActor },
): Promise<ServiceEvent> {
  return inTransaction(db, async (trx) => {
    const installedProductId = String(form.instrumentInstalledProductId ?? '').trim()
    const instrument = await lockNamedInstrument(trx, { installedProductId, scope: caller.scope })
    // Read after the lock: an event that waited must not be older than the one it waited for.
    const now = clock.now()
    const { value: input, errors } = readEventForm(form, {
      now,
      caseNumberPattern: config.caseNumberPattern ?? CASE_NUMBER,
      caseUrlHosts: config.caseUrlHosts,
    })
    if (errors) throw badForm('bad-event', errors)
    if (!instrument) throw new Error('A form without an instrument was taken for a good one.')
    await checkOwner(trx, { input, caller, customerId: instrument.customerId })
    const id = await raise(trx, { input, instrument, caller, now })
    for (const change of changesTo(input)) {
      const options = { caller, change, asOwner: true, rules: { clock, config } }
      const [outcome] = await changeServiceEvents(trx, { ids: [Number(id)], ...options })
      if (outcome?.refusal) throw badForm('bad-event', [{ path: 'alertStatus', message: outcome.refusal.sentence }])
    }
    return getServiceEvent(trx, { id, caller })
  })
}

async function checkOwner(
  trx: Trx,
  { input, caller, customerId }: { input: EventWish; caller: UserActor; customerId: number },
): Promise<void> {
  if (input.claimedBy === null) return
  const owner = await findAssignable(trx, { caller, userId: input.claimedBy })
  if (owner && holds(owner.scope, customerId)) return
  const message = 'Owner must be a user who may see this instrument. Choose one from the list.'
  throw badForm('bad-event', [{ path: 'claimedBy', message }])
}

interface Raise {
  input: EventWish
  instrument: LockedInstrument
  caller: UserActor
  now: Date
}

/** Returns the ID of the alarm's event, new or already open, and writes the audit log. */
async function raise(trx: Trx, { input, instrument, caller, now }: Raise): Promise<string> {
  const messages = await storeAlarms(trx, {
    alarms: [{ item: itemOf(input, now), instrument, order: orderOf(instrument), alertSource: input.alertSource }],
    now: input.createdAt,
    components: new KnownIds(),
  })
  const event = announcedEventId(messages)
  if (!event.isNew && input.alertStatus !== '1_NEW') {
    const message = `This alarm is already open as ORC-${event.id}. Close that event first, or create this one as New to count it there.`
    throw badForm('bad-event', [{ path: 'alertStatus', message }])
  }
  await announce(trx, messages)
  await recordAudit(trx, { entityType: 'service_event', entityId: event.id, actor: caller, at: now }, [
    raiseEntry(event, 'Back office'),
  ])
  return event.id
}

function itemOf(input: EventWish, now: Date) {
  return {
    specversion: '1.0' as const,
    id: 'backoffice-0',
    source: '/backoffice',
    type: 'benchwatch.alarm.raised' as const,
    subject: input.instrumentInstalledProductId,
    time: now,
    sequence: LAST_IN_ORDER.sequence,
    data: {
      alertId: input.alertId,
      templateId: input.templateId,
      alertType: input.alertType,
      componentName: input.componentName,
      logGeneratedAt: input.logGeneratedAt,
      severity: input.severity,
      description: input.description,
      userMessage: input.userMessage,
    },
  }
}

/** An instrument without a gateway has no gateway numbering. */
function orderOf({ gatewayId }: LockedInstrument) {
  return { ...LAST_IN_ORDER, gatewayId: gatewayId ?? 0 }
}

/** Returns the ordinary changes that take a new event to the requested status. */
function changesTo(input: EventWish): ServiceEventChange[] {
  if (input.alertStatus === '1_NEW' || input.claimedBy === null) return []
  const { claimedBy, reasonClosed, reasonClosedComment, serviceMaxCaseNumber, serviceMaxUrl } = input
  if (input.alertStatus === '2_IN_PROGRESS' || reasonClosed === null) return [{ claimedBy }]
  const reason = { reasonClosed, reasonClosedComment, serviceMaxCaseNumber, serviceMaxUrl }
  return [{ claimedBy }, { alertStatus: 'CLOSED', ...reason }]
}

/** Returns the event that the messages about one alarm refer to. */
export function announcedEventId(messages: readonly Announcement[]): AnnouncedEvent {
  for (const { message } of messages) {
    if (message.entity !== 'alarm') continue
    if (message.action === 'create') return { id: message.payload.id, isNew: true, latchedCount: null }
    if (message.action === 'update' && message.property === 'latchedCount')
      return { id: message.payload.id, isNew: false, latchedCount: String(message.payload.latchedCount) }
  }
  throw new Error('An alarm was stored without an event.')
}

/** Returns the audit log entry for a raise: the event was created, or counted again. */
export function raiseEntry({ isNew, latchedCount }: AnnouncedEvent, reason: string): AuditEntry {
  if (isNew) return { action: 'created', reason }
  return { action: 'update', property: 'latchedCount', newValue: latchedCount, reason }
}
