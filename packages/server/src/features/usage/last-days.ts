/** The last days at a place up to today, YYYY-MM-DD both: 7 days end today and begin 6 days ago, whatever the clocks do. */
export function lastDays(
  count: number,
  { now, timeZone }: { now: Date; timeZone: string },
): { from: string; to: string } {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
  return { from: today.subtract({ days: count - 1 }).toString(), to: today.toString() }
}
