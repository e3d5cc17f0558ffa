const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MONDAY = 1
/** In the working hours of most of the fleet's support, and before those of the people who would mend what is missing. */
const HOUR = 6
/** So that many deployments behind one network or mail server do not test themselves in the same second. */
export const MOST_JITTER_MS = HOUR_MS / 2

/** The first Monday 06:00 UTC after `now`, later by `jitter` (0 ≤ jitter < 1) of half an hour. */
export function nextWeeklyTest(now: Date, jitter: number): Date {
  const first = new Date(now)
  first.setUTCHours(HOUR, 0, 0, 0)
  first.setUTCDate(first.getUTCDate() + ((MONDAY - first.getUTCDay() + 7) % 7))
  const at = first.getTime() > now.getTime() ? first.getTime() : first.getTime() + 7 * DAY_MS
  return new Date(at + Math.floor(jitter * MOST_JITTER_MS))
}
