/** The calendar date (UTC, YYYY-MM-DD) so many days after `now`; before it when negative. */
export function daysFrom(now: Date, days: number): string {
  return new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
}
