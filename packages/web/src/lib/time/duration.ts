import { counted } from '../folded.ts'

/** Formats durations and ages. */

/**
 * Ages use the terms of 3-decisions 4: below 1 minute Now, then minutes, hours, 1 to 10 days in days, from 11 days in
 * weeks.
 */
const MINUTE_MS = 60_000

const HOUR_MS = 60 * MINUTE_MS

const DAY_MS = 24 * HOUR_MS

/** The specification's threshold: weeks start at 11 days, not 7. */
const FIRST_DAY_IN_WEEKS = 11

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * Formats an elapsed time as the specification does, e.g. `00d / 03h / 07m` (document 1 section 9). Rounds down to
 * minutes.
 */
export function formatElapsed(seconds: number): string {
  const two = (count: number) => String(Math.floor(count)).padStart(2, '0')
  return `${two(seconds / DAY)}d / ${two((seconds % DAY) / HOUR)}h / ${two((seconds % HOUR) / MINUTE)}m`
}

/** Formats a duration in its two largest units, e.g. `23 h 56 min`, `1 min 48 s`, `2 days 4 h`. */
export function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [days, hours] = [Math.floor(whole / DAY), Math.floor((whole % DAY) / HOUR)]
  const [minutes, rest] = [Math.floor((whole % HOUR) / MINUTE), whole % MINUTE]
  if (days > 0) return joined(counted(days, 'day'), hours > 0 && `${hours} h`)
  if (hours > 0) return joined(`${hours} h`, minutes > 0 && `${minutes} min`)
  if (minutes > 0) return joined(`${minutes} min`, rest > 0 && `${rest} s`)
  return `${rest} s`
}

function joined(first: string, second: string | false): string {
  return second === false ? first : `${first} ${second}`
}

/**
 * Formats an age, e.g. `Now`, `4 min`, `2 h`, `1 day`, `3 weeks`. Returns `Now` for instants after `now`, because
 * clocks differ.
 */
export function age(instant: string, now: number): string {
  const passed = now - new Date(instant).getTime()
  if (passed < MINUTE_MS) return 'Now'
  if (passed < HOUR_MS) return `${Math.floor(passed / MINUTE_MS)} min`
  if (passed < DAY_MS) return `${Math.floor(passed / HOUR_MS)} h`
  const days = Math.floor(passed / DAY_MS)
  if (days < FIRST_DAY_IN_WEEKS) return counted(days, 'day')
  // Rounded, not floored: 11 days would otherwise become "1 week" and look younger than "10 days".
  return counted(Math.round(days / 7), 'week')
}

/** Formats an age as a phrase: `4 min ago`, `Now`. */
export function agePhrase(instant: string, now: number): string {
  const text = age(instant, now)
  return text === 'Now' ? text : `${text} ago`
}
