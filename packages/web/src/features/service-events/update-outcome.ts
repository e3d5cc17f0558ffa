import type { ServiceEvent, ServiceEventChange } from '@benchwatch/contract/service-events'
import type { AlertStatus, RequestedAlertStatus } from '@benchwatch/contract/vocabulary'
import { ApiError } from '../../lib/http.ts'

/**
 * What became of a change whose answer got lost on its way: it may have been made or not, so the event is read again and
 * tells. Nothing is sent twice by itself.
 */

/** No answer to a change came, and the event does not show it. */
export class LostAnswer extends Error {
  /** The event as it stands; null where it could not be read either, so that nothing is known. */
  readonly current: ServiceEvent | null

  constructor(current: ServiceEvent | null) {
    super(current === null ? 'It is not known whether the event was changed.' : 'The event is not changed so far.')
    this.name = 'LostAnswer'
    this.current = current
  }
}

/** Whether the server may have made the change although it answered nothing that can be read. */
export function isAnswerLost(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return [0, 502, 504].includes(error.status) || error.code === 'unreadable-answer'
}

/** Whether the event is as the change asked for, whoever made it so. */
export function holdsChange(event: ServiceEvent, change: ServiceEventChange): boolean {
  const { alertStatus, claimedBy, ...fields } = change
  if (claimedBy !== undefined && event.claimedBy !== claimedBy) return false
  // In progress beside an owner is part of the claim; the event may have gone further since.
  if (alertStatus !== undefined && claimedBy === undefined && event.alertStatus !== statuses[alertStatus]) return false
  return Object.entries(fields).every(
    ([key, value]) => value === undefined || event[key as keyof typeof fields] === value,
  )
}

const statuses: Record<RequestedAlertStatus, AlertStatus> = {
  NEW: '1_NEW',
  IN_PROGRESS: '2_IN_PROGRESS',
  CLOSED: '3_CLOSED',
}
