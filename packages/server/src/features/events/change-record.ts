import type { AlarmMessage, UnnumberedLiveMessage } from '@benchwatch/contract/live'
import type { AlertType, InstrumentStatus, Severity } from '@benchwatch/contract/vocabulary'
import type { AuditEntry } from '../../db/audit.ts'
import { changedProperties } from '../../db/changed-properties.ts'
import { fold } from '../../db/fold.ts'
import type { Announcement } from '../../db/queues/outbox.ts'
import { ownerOnWire } from './event-codes.ts'
import type { ServiceEventState } from './status.ts'

/** A new service event before it is stored. Ids are database ids; absent values are null. */
export interface NewServiceEvent {
  /** Never changes, because totals are folded by it. */
  createdAt: Date
  logGeneratedAt: Date
  clearedAt?: Date | null
  alertId: string
  templateId: string
  severity: Severity
  alertType: AlertType
  alertSource: string
  isEdgeIssue?: boolean
  description: string
  userMessage: string | null
  /** Null for an edge issue, as is componentId. */
  instrumentId: number | null
  componentId: number | null
  /** The gateway that delivered the event. */
  gatewayId: number | null
  /** Site and customer at the time of the raise; they stay when the instrument moves. */
  siteId: number
  customerId: number
  instrumentStatusAtEvent: InstrumentStatus | null
  /** True if a 24-hour contract was in force on that day. */
  fullSupport: boolean
  /** True if it happened while its instrument was in maintenance; never for an edge issue. */
  duringMaintenance?: boolean
}

/**
 * One change of an event for the audit log and the live messages: the states before and after, and the event they
 * belong to.
 */
export interface ChangeRecord {
  before: ServiceEventState
  after: ServiceEventState
  eventId: number
  customerId: number
  installedProductId: string
  /** The version after the change. */
  version: number
  /** Name of the owner after the change. */
  ownerName: string | null
}

/**
 * Returns one audit entry per changed property, with values as on the wire. An entry about closing carries the reason.
 */
export function auditEntries({ before, after }: Pick<ChangeRecord, 'before' | 'after'>): AuditEntry[] {
  const values = (state: ServiceEventState) => ({
    claimedBy: ownerOnWire(state.claimedBy),
    alertStatus: state.alertStatus,
    reasonClosed: state.reasonClosed,
    reasonClosedComment: state.reasonClosedComment,
    serviceMaxCaseNumber: state.serviceMaxCaseNumber,
    serviceMaxUrl: state.serviceMaxUrl,
  })
  return changedProperties(values(before), values(after)).map((entry) => ({
    ...entry,
    reason: entry.property === 'alertStatus' ? after.reasonClosed : null,
  }))
}

type AlarmUpdate = Extract<AlarmMessage, { action: 'update' }>
type Head = 'id' | 'eventId' | 'version' | 'instrumentInstalledProductId'

/** An event after a change, as live messages name it. */
type ChangedEvent = Pick<ChangeRecord, 'version' | 'customerId' | 'installedProductId'> & { id: number }

/** Returns the live message about one changed property of an event, for everyone who sees its customer. */
export function updateMessage<P extends AlarmUpdate['property']>(
  { id, version, customerId, installedProductId }: ChangedEvent,
  property: P,
  payload: Omit<Extract<AlarmUpdate, { property: P }>['payload'], Head>,
): Announcement {
  const head = { id: String(id), eventId: String(id), version, instrumentInstalledProductId: installedProductId }
  const message = { entity: 'alarm', action: 'update', property, payload: { ...head, ...payload } }
  return { audience: { customerId }, message: message as unknown as UnnumberedLiveMessage }
}

/** Returns one message per changed property, all with the same version. A changed reason travels with alertStatus. */
export function liveMessages({ before, after, eventId, ownerName, ...record }: ChangeRecord): Announcement[] {
  const event = { ...record, id: eventId }
  const messages: Announcement[] = []
  if (before.alertStatus !== after.alertStatus || before.reasonClosed !== after.reasonClosed) {
    const { alertStatus, reasonClosed } = after
    messages.push(updateMessage(event, 'alertStatus', { alertStatus, reasonClosed }))
  }
  if (before.claimedBy !== after.claimedBy) {
    const claimedBy = ownerOnWire(after.claimedBy)
    messages.push(updateMessage(event, 'claimedBy', { claimedBy, claimedByName: ownerName }))
  }
  for (const property of ['serviceMaxCaseNumber', 'serviceMaxUrl', 'reasonClosedComment'] as const)
    if (before[property] !== after[property])
      messages.push(updateMessage(event, property, { [property]: after[property] }))
  return messages
}

/** Returns the live message about a new event, for everyone who sees its customer. */
export function creationMessage({
  id,
  event,
  installedProductId,
}: {
  id: number
  event: NewServiceEvent
  installedProductId: string
}): Announcement {
  return {
    audience: { customerId: event.customerId },
    message: {
      entity: 'alarm',
      action: 'create',
      property: null,
      payload: {
        id: String(id),
        eventId: String(id),
        createdAt: event.createdAt.toISOString(),
        severity: event.severity,
        alertStatus: '1_NEW',
        instrumentInstalledProductId: installedProductId,
      },
    },
  }
}

/** Folds both texts of an event for keyword search, as stored in `service_event.text_folded`. */
export function foldedText(description: string, userMessage: string | null): string {
  return fold(userMessage ? `${description}\n${userMessage}` : description)
}
