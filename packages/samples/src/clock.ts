/** Returns the default time of samples and tests. Dates are mutable, so they are not shared. */
export function sampleNow(): Date {
  return new Date('2026-11-20T14:02:23.000Z')
}

/** Returns the date (UTC, YYYY-MM-DD) a number of days after `now`, or before it if negative. */
export function daysFrom(now: Date, days: number): string {
  return new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
}
