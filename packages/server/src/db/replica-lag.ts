/** A position in the write-ahead log, as PostgreSQL writes it: `16/B374D848`. */
export type WalPosition = string

/** True if `a` is at `b` or after it. */
export function isReached(a: WalPosition, b: WalPosition): boolean {
  return bytesOf(a) >= bytesOf(b)
}

function bytesOf(position: WalPosition): bigint {
  const [high = '0', low = '0'] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** Positions that are remembered: an hour, if the lag is measured every 2 s. */
const MOST_MISSING = 1800

export interface Measured {
  /** How far the primary has written. */
  written: WalPosition
  /** How far the replica has replayed. */
  replayed: WalPosition
  /** When both were read, in milliseconds of any clock. */
  at: number
  /** Milliseconds since the last transaction that the replica replayed; null if it has replayed none since its start. */
  lastReplayedAgeMs: number | null
}

/**
 * Measures how long a replica has lacked something that the primary had written. The age of the last replayed
 * transaction does not measure that: after a quiet hour, the first change would count as an hour of lag. It serves
 * only where nothing was measured before.
 */
export class ReplicaLag {
  /** Positions that the replica lacked when it was last measured, with the times at which they were written, at the latest. */
  readonly #missing: { written: WalPosition; at: number }[] = []
  #isKnown = false

  /** Returns the lag in milliseconds: 0 if the replica has everything. */
  measure({ written, replayed, at, lastReplayedAgeMs }: Measured): number {
    while (this.#missing[0] && isReached(replayed, this.#missing[0].written)) this.#missing.shift()
    if (!isReached(replayed, written)) {
      const isFirst = this.#missing.length === 0 && !this.#isKnown
      const since = isFirst ? at - (lastReplayedAgeMs ?? 0) : at
      this.#isKnown = this.#missing.length < MOST_MISSING
      if (this.#isKnown) this.#missing.push({ written, at: since })
    } else this.#isKnown = true
    const [oldest] = this.#missing
    return oldest ? at - oldest.at : 0
  }
}
