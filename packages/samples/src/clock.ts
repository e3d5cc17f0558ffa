/** The instant at which samples and tests live unless they say otherwise. */
export const sampleInstant = '2026-11-20T14:02:23.000Z'

/** A fresh Date at the sample instant; dates are mutable, so nobody shares one. */
export function sampleNow(): Date {
  return new Date(sampleInstant)
}
