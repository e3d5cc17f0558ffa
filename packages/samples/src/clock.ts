/** Returns the default time of samples and tests. Dates are mutable, so they are not shared. */
export function sampleNow(): Date {
  return new Date('2026-11-20T14:02:23.000Z')
}
