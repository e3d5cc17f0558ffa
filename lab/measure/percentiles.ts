/** What a list of times says, in the unit of the times. */
export interface Summary {
  samples: number
  p50: number
  p95: number
  p99: number
  max: number
}

/** The smallest value that at least this share of all values, 0 to 1, doesn't exceed (nearest rank); null for no values. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}

/** Summarises all values: none is thrown away as an outlier. Throws for no values. */
export function summarise(values: readonly number[]): Summary {
  const at = (share: number) => {
    const value = percentile(values, share)
    if (value === null) throw new Error('There are no percentiles of nothing.')
    return value
  }
  return { samples: values.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}
