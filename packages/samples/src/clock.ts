/** Default time of samples and tests. */
export const sampleInstant = '2026-11-20T14:02:23.000Z'

/** Returns a new Date at the sample time. Dates are mutable, so they are not shared. */
export function sampleNow(): Date {
  return new Date(sampleInstant)
}
