import type { AlarmMessage, UnnumberedLiveMessage } from '@benchwatch/contract/live'
import type { AlertType, InstrumentStatus, Severity } from '@benchwatch/contract/vocabulary'
import type { AuditEntry } from '../../db/audit.ts'
import { changedProperties } from '../../db/changed-properties.ts'
import { fold } from '../../db/fold.ts'
import type { Announcement } from '../../db/queues/outbox.ts'
import { ownerOnWire } from './event-codes.ts'
import type { ServiceEventState } from './status.ts'

/** A service event as it is stored for the first time. Ids are database ids; absent values are null. */
export interface NewServiceEvent {
  /** Also what totals are folded by; never changes. */
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
  /** Null for an edge issue, and so is componentId. */
  instrumentId: number | null
  componentId: number | null
  /** Who delivered it. */
  gatewayId: number | null
  /** Where and under whom it is raised; they stay when the instrument moves. */
  siteId: number
  customerId: number
  instrumentStatusAtEvent: InstrumentStatus | null
  /** Under a 24-hour contract on that day. */
  fullSupport: boolean
  /** It happened while its instrument was in maintenance; never for an edge issue. */
  duringMaintenance?: boolean
}

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

/** The two texts of an event as keywords are compared with them: `service_event.text_folded`. */
export function foldedText(description: string, userMessage: string | null): string {
  return fold(userMessage ? `${description}\n${userMessage}` : description)
}
