const FIRST_MS = 500
const LONGEST_MS = 30_000

/**
 * Milliseconds before the next try, by the number of tries that failed: doubling from 0.5 s to 30 s. Half of it is
 * drawn by lot: when a server comes back, its gateways do not all ask in the same moment.
 */
export function retryDelay(failed: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failed, 20))
  return full / 2 + (full / 2) * random()
}
