import type { AlertType, InstrumentStatus, Severity } from '@benchwatch/contract/vocabulary'
import { fold } from '../../db/fold.ts'

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

/** The two texts of an event as keywords are compared with them: `service_event.text_folded`. */
export function foldedText(description: string, userMessage: string | null): string {
  return fold(userMessage ? `${description}\n${userMessage}` : description)
}
