import dayjs from 'dayjs'

/** How long an API token may live, and what of it an administrator chooses from. */

export const expiryDays = [30, 90, 365] as const
export type ExpiryChoice = (typeof expiryDays)[number] | 'date'

/** The server's limit: two years, less a day for clocks that differ. */
const MAX_DAYS = 729

/** First and last day that may be chosen, YYYY-MM-DD. */
export function expiryLimits(now: Date): { min: string; max: string } {
  return {
    min: dayjs(now).add(1, 'day').format('YYYY-MM-DD'),
    max: dayjs(now).add(MAX_DAYS, 'day').format('YYYY-MM-DD'),
  }
}

/** The instant at which the token ends: so many days from now, or the end of the chosen day here; null while none is chosen. */
export function expiryInstant(choice: ExpiryChoice, day: string, now: Date): string | null {
  if (choice !== 'date') return dayjs(now).add(choice, 'day').toISOString()
  const { min, max } = expiryLimits(now)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || day < min || day > max) return null
  return dayjs(day).endOf('day').toISOString()
}
