import type { AlarmMessage, UnnumberedLiveMessage } from '@benchwatch/contract/live'
import type { AuditEntry } from '../../db/audit.ts'
import { changedProperties } from '../../db/changed-properties.ts'
import type { Announcement } from '../../db/outbox.ts'
import type { NewServiceEvent } from './new-service-event.ts'
import { ownerOnWire } from './service-event-codes.ts'
import type { ServiceEventState } from './status.ts'

/** One change of an event, as the record and the live messages tell it: before, after, and whom it is about. */
export interface ChangeRecord {
  before: ServiceEventState
  after: ServiceEventState
  eventId: number
  customerId: number
  installedProductId: string
  /** The version that the change led to. */
  version: number
  /** Name of the owner after the change. */
  ownerName: string | null
}

/** One entry per changed property, values as on the wire. A closing entry carries its reason. */
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

/** One message per changed property, all with the same version. A changed reason travels with alertStatus. */
export function liveMessages(record: ChangeRecord): UnnumberedLiveMessage[] {
  const { before, after, eventId, installedProductId, version, ownerName } = record
  const head = {
    id: String(eventId),
    eventId: String(eventId),
    version,
    instrumentInstalledProductId: installedProductId,
  }
  const messages: UnnumberedLiveMessage[] = []
  const tell = <P extends AlarmUpdate['property']>(
    property: P,
    payload: Omit<Extract<AlarmUpdate, { property: P }>['payload'], keyof typeof head>,
  ) => {
    messages.push({
      entity: 'alarm',
      action: 'update',
      property,
      payload: { ...head, ...payload },
    } as unknown as UnnumberedLiveMessage)
  }
  if (before.alertStatus !== after.alertStatus || before.reasonClosed !== after.reasonClosed) {
    tell('alertStatus', { alertStatus: after.alertStatus, reasonClosed: after.reasonClosed })
  }
  if (before.claimedBy !== after.claimedBy) {
    tell('claimedBy', { claimedBy: ownerOnWire(after.claimedBy), claimedByName: ownerName })
  }
  if (before.serviceMaxCaseNumber !== after.serviceMaxCaseNumber) {
    tell('serviceMaxCaseNumber', { serviceMaxCaseNumber: after.serviceMaxCaseNumber })
  }
  if (before.serviceMaxUrl !== after.serviceMaxUrl) tell('serviceMaxUrl', { serviceMaxUrl: after.serviceMaxUrl })
  if (before.reasonClosedComment !== after.reasonClosedComment) {
    tell('reasonClosedComment', { reasonClosedComment: after.reasonClosedComment })
  }
  return messages
}

/** Tells those who see its customer of a new event. */
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
