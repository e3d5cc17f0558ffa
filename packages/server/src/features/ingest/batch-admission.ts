import { UnderWay } from '../../platform/under-way.ts'

/** How much may be under way at once, so that memory stays bounded whatever arrives. */
export interface AdmissionLimits {
  /** Batches of one gateway: many more than its lanes (alarms, status, logs) only come from a loop. */
  perGateway: number
  batches: number
  /** Sum of their bytes: as announced, then as unpacked, because a packed batch of 8 kB may hold 8 MB. */
  bytes: number
  /** Where the oldest batch waits longer than `slowMs`, no more than so many are let in: each is to be answered in time. */
  batchesWhenSlow: number
  slowMs: number
}

export const admissionLimits: AdmissionLimits = {
  perGateway: 32,
  batches: 256,
  bytes: 32_000_000,
  batchesWhenSlow: 32,
  slowMs: 2000,
}

/** A batch that was let in. */
export interface Admitted {
  /**
   * It is here whole and has so many bytes unpacked; false when that is more than there is room for. From now on it counts
   * as waiting: how slowly it came says nothing about how fast batches are stored.
   */
  arrived(bytes: number): boolean
  /** It is done; may be called more than once. */
  leave(): void
}

/** Counts batches under way and says which one is too many. */
export class BatchAdmission {
  readonly #waiting: UnderWay
  #batches = 0
  #bytes = 0
  readonly #perGateway = new Map<string, number>()
  readonly #limits: AdmissionLimits

  constructor(limits: AdmissionLimits = admissionLimits, waiting = new UnderWay()) {
    this.#limits = limits
    this.#waiting = waiting
  }

  /** Lets a batch in, or says whose limit is reached. */
  enter(gateway: string, announced: number): Admitted | 'gateway' | 'server' {
    const ofGateway = this.#perGateway.get(gateway) ?? 0
    if (ofGateway >= this.#limits.perGateway) return 'gateway'
    const isSlow = this.#waiting.longestWait > this.#limits.slowMs
    const room = isSlow ? this.#limits.batchesWhenSlow : this.#limits.batches
    if (this.#batches >= room || this.#bytes + announced > this.#limits.bytes) return 'server'
    this.#batches += 1
    this.#bytes += announced
    this.#perGateway.set(gateway, ofGateway + 1)
    let bytes = announced
    let endWaiting: (() => void) | null = null
    let isUnderWay = true
    return {
      arrived: (unpacked) => {
        if (this.#bytes - bytes + unpacked > this.#limits.bytes) return false
        this.#bytes += unpacked - bytes
        bytes = unpacked
        endWaiting ??= this.#waiting.begin()
        return true
      },
      leave: () => {
        if (!isUnderWay) return
        isUnderWay = false
        endWaiting?.()
        this.#batches -= 1
        this.#bytes -= bytes
        const left = (this.#perGateway.get(gateway) ?? 1) - 1
        if (left > 0) this.#perGateway.set(gateway, left)
        else this.#perGateway.delete(gateway)
      },
    }
  }
}
