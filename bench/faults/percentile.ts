/** The value that a share of all samples does not exceed (nearest rank), null without samples. `share` is 0 to 1. */
export function percentile(samples: readonly number[], share: number): number | null {
  if (samples.length === 0) return null
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}
