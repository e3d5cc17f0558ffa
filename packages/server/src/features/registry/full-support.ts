import { isFullSupportTerm } from '@benchwatch/contract/field-rules'

/** The facts that decide about 24-hour support: the term and the contract's first and last day, YYYY-MM-DD. */
export interface SupportContract {
  slaTerm: string | null
  /** Null: no start date. */
  startDate: string | null
  /** Null: no end date. */
  endDate: string | null
}

/** Returns true for a contract with 24-hour support that runs on that day (specification: 24-hour contract). */
export function isFullSupport(contract: SupportContract | null, day: string): boolean {
  return isFullSupportTerm(contract?.slaTerm ?? '') && isRunning(contract, day)
}

/** Returns true if there is a contract and it runs on that day. */
export function isRunning(contract: SupportContract | null, day: string): boolean {
  return contract !== null && (contract.startDate ?? day) <= day && day <= (contract.endDate ?? day)
}

const calendars = new Map<string, Intl.DateTimeFormat>()

/**
 * Returns the calendar day at a site, YYYY-MM-DD. A contract that ends on the 20th covers the evening of the 20th
 * there, even if it is the 21st in UTC.
 */
export function dayAt(timeZone: string, instant: Date): string {
  let calendar = calendars.get(timeZone)
  if (!calendar) {
    // Swedish date format is ISO format.
    calendar = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    calendars.set(timeZone, calendar)
  }
  return calendar.format(instant)
}
