import type { ServiceResponse } from '@benchwatch/contract/event-details'
import type { ServiceEvent } from '@benchwatch/contract/service-events'

/**
 * The promise of a 24-hour contract: from the creation of an event to its first claim at most 24 hours go by. Other
 * events have no such promise; of them only how long they waited is told.
 */

export const PROMISED_SECONDS = 24 * 3600

/** Below this the clock shows seconds, and counts them. */
export const NEAR_SECONDS = 3600

/** A sixth of the time: somebody should look at it in this shift. */
const SOON_SECONDS = 4 * 3600

export type ContractClock =
  /** Nobody has taken it yet. `left` is below 0 once the promise is broken. */
  | { state: 'running'; left: number; tone: 'calm' | 'soon' | 'urgent' | 'overdue' }
  /** `isLate`: later than the contract promised. */
  | { state: 'acknowledged'; after: number; isLate: boolean }
  /** Somebody has taken it; after how long is not known (yet). */
  | { state: 'taken' }

type ClockedEvent = Pick<ServiceEvent, 'createdAt' | 'fullSupport' | 'alertStatus' | 'claimedBy'>

/** How the clock of `event` stands at `now` (ms); null where there is none. `response` undefined: not read yet. */
export function contractClock(
  event: ClockedEvent,
  { response, now }: { response: ServiceResponse | undefined; now: number },
): ContractClock | null {
  const after = response?.alertToAcknowledgeTime ?? null
  if (after !== null) return { state: 'acknowledged', after, isLate: event.fullSupport && after > PROMISED_SECONDS }
  if (event.claimedBy !== null) return { state: 'taken' }
  if (!event.fullSupport || event.alertStatus === '3_CLOSED') return null
  const left = PROMISED_SECONDS - (now - new Date(event.createdAt).getTime()) / 1000
  return { state: 'running', left, tone: toneOf(left) }
}

function toneOf(left: number): 'calm' | 'soon' | 'urgent' | 'overdue' {
  if (left < 0) return 'overdue'
  if (left < NEAR_SECONDS) return 'urgent'
  return left < SOON_SECONDS ? 'soon' : 'calm'
}
