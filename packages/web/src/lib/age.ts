import { counted } from './counted.ts'

/**
 * How long ago something was, in the words of 3-decisions 4: below 1 minute Now, then minutes, hours, 1 to 10 days in
 * days, from 11 days in weeks.
 */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** From here on weeks, although a week has seven days: the specification's threshold. */
const FIRST_DAY_IN_WEEKS = 11

/** `Now`, `4 min`, `2 h`, `1 day`, `3 weeks`. An instant after `now` (clocks differ) reads `Now` as well. */
export function age(instant: string, now: number): string {
  const passed = now - new Date(instant).getTime()
  if (passed < MINUTE_MS) return 'Now'
  if (passed < HOUR_MS) return `${Math.floor(passed / MINUTE_MS)} min`
  if (passed < DAY_MS) return `${Math.floor(passed / HOUR_MS)} h`
  const days = Math.floor(passed / DAY_MS)
  if (days < FIRST_DAY_IN_WEEKS) return counted(days, 'day')
  // Rounded, not floored: 11 days floored would be "1 week" and so look younger than "10 days".
  return counted(Math.round(days / 7), 'week')
}

/** The same as a phrase: `4 min ago`, `Now`. */
export function agePhrase(instant: string, now: number): string {
  const words = age(instant, now)
  return words === 'Now' ? words : `${words} ago`
}
