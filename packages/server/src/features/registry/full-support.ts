import { FULL_SUPPORT_TERM } from '@benchwatch/contract/patterns'
import { fullSupportTerms } from '@benchwatch/contract/vocabulary'

/** What decides about 24-hour support: the term and the days on which the contract runs, YYYY-MM-DD, both included. */
export interface SupportContract {
  slaTerm: string | null
  /** Null: since ever. */
  startDate: string | null
  /** Null: without an end. */
  endDate: string | null
}

const terms = new Set(fullSupportTerms)

/** Specification, 24-hour contract: one of the fixed terms or a term with 24 hours in it, and it runs on that day. */
export function isFullSupport(contract: SupportContract | null, day: string): boolean {
  if (!contract?.slaTerm) return false
  if (!terms.has(contract.slaTerm) && !FULL_SUPPORT_TERM.test(contract.slaTerm)) return false
  return isRunning(contract, day)
}

/** Whether there is a contract and it runs on that day. */
export function isRunning(contract: SupportContract | null, day: string): boolean {
  return contract !== null && (contract.startDate ?? day) <= day && day <= (contract.endDate ?? day)
}

const calendars = new Map<string, Intl.DateTimeFormat>()

/**
 * The calendar day at a site, YYYY-MM-DD: a contract that ends on the 20th covers the evening of the 20th there, also
 * where that is the 21st in UTC.
 */
export function dayAt(timeZone: string, instant: Date): string {
  let calendar = calendars.get(timeZone)
  if (!calendar) {
    // Swedish dates are ISO dates.
    calendar = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    calendars.set(timeZone, calendar)
  }
  return calendar.format(instant)
}
