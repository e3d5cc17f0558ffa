/** A summary of times, in their unit. */
export interface Summary {
  samples: number
  p50: number
  p95: number
  p99: number
  max: number
}

/**
 * Returns the smallest value that at least this share of all values, 0 to 1, does not exceed (nearest rank), or null
 * for no values.
 */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}

/** Summarises all values; none is dropped as an outlier. Throws for no values. */
export function summarise(values: readonly number[]): Summary {
  const at = (share: number) => {
    const value = percentile(values, share)
    if (value === null) throw new Error('There are no percentiles of nothing.')
    return value
  }
  return { samples: values.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}
