import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { contractClockHours } from '@benchwatch/contract/vocabulary'
import { age, formatSpan } from '../../lib/time/duration.ts'

/**
 * The running clock of a 24-hour contract, which promises that an event is taken within 24 hours of its creation. Other
 * contracts promise nothing; for their events only the waiting time is shown.
 */
export interface TimeLeft {
  /** Seconds; negative once the promise is broken. */
  left: number
  tone: 'calm' | 'soon' | 'urgent' | 'overdue'
}

const HOUR = 3600
export const PROMISED_SECONDS = contractClockHours.promised * HOUR
/** One sixth of the promised time: the event should be looked at within this shift. */
const SOON_SECONDS = contractClockHours.soon * HOUR
/** The event page counts in seconds below this. */
export const NEAR_SECONDS = HOUR
const MINUTE = 60

export const timeLeftColours = {
  calm: 'var(--bw-success)',
  soon: 'var(--bw-warning)',
  urgent: 'var(--bw-danger)',
  overdue: 'var(--bw-danger)',
}

/** Returns the time left at `now` (ms); null if no clock runs: another contract, taken, or closed. */
export function contractTimeLeft(
  event: Pick<ServiceEvent, 'createdAt' | 'fullSupport' | 'alertStatus' | 'claimedBy'>,
  now: number,
): TimeLeft | null {
  if (!event.fullSupport || event.claimedBy !== null || event.alertStatus === '3_CLOSED') return null
  const left = PROMISED_SECONDS - (now - new Date(event.createdAt).getTime()) / 1000
  return { left, tone: toneOf(left) }
}

function toneOf(left: number): TimeLeft['tone'] {
  if (left < 0) return 'overdue'
  if (left < NEAR_SECONDS) return 'urgent'
  return left < SOON_SECONDS ? 'soon' : 'calm'
}

/** Returns the time left as a list shows it, in minutes at the finest: `23 h 56 min`, `overdue by 2 days`. */
export function timeLeftLabel({ left }: TimeLeft): string {
  if (left >= 0) return left < MINUTE ? 'under 1 min' : formatSpan(left - (left % MINUTE))
  const over = age(new Date(0).toISOString(), -left * 1000)
  return over === 'Now' ? 'overdue' : `overdue by ${over}`
}
