import type { ServiceEvent } from '@benchwatch/contract/service-events'

/**
 * How old an event is, in the words of 3-decisions 4: below 1 minute Now, then minutes, hours, 1 to 10 days in days,
 * from 11 days in weeks. Age counts from createdAt.
 */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** From here on weeks, although a week has seven days: the specification's threshold. */
const FIRST_DAY_IN_WEEKS = 11

/** `Now`, `4 min`, `2 h`, `1 day`, `3 weeks`. An instant after `now` (clocks differ) reads `Now` as well. */
export function eventAge(createdAt: string, now: number): string {
  const age = now - new Date(createdAt).getTime()
  if (age < MINUTE_MS) return 'Now'
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h`
  const days = Math.floor(age / DAY_MS)
  if (days < FIRST_DAY_IN_WEEKS) return counted(days, 'day')
  // Rounded, not floored: 11 days floored would be "1 week" and so look younger than "10 days".
  return counted(Math.round(days / 7), 'week')
}

/** The same as a phrase: `4 min ago`, `Now`. */
export function eventAgePhrase(createdAt: string, now: number): string {
  const age = eventAge(createdAt, now)
  return age === 'Now' ? age : `${age} ago`
}

/** An event is delayed when the server stored it at least one hour after the instrument logged it. */
export function isDelayed(event: Pick<ServiceEvent, 'createdAt' | 'logGeneratedAt'>): boolean {
  return new Date(event.createdAt).getTime() - new Date(event.logGeneratedAt).getTime() >= HOUR_MS
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
