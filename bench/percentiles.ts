/** What a list of times says, in the unit of the times. */
export interface Summary {
  samples: number
  p50: number
  p95: number
  p99: number
  max: number
}

/** The smallest value that at least so many percent of all values don't exceed (nearest rank). Throws for no values. */
export function percentile(sorted: readonly number[], percent: number): number {
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)]
  if (value === undefined) throw new Error('There is no percentile of nothing.')
  return value
}

/** Summarises all values: none is thrown away as an outlier. */
export function summarise(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (percent: number) => percentile(sorted, percent)
  return { samples: sorted.length, p50: at(50), p95: at(95), p99: at(99), max: at(100) }
}
