import { UnderWay } from '../../platform/under-way.ts'

/** How much may be under way at once, so that memory stays bounded whatever arrives. */
export interface AdmissionLimits {
  /** Batches of one gateway: many more than its lanes (alarms, status, logs) only come from a loop. */
  perGateway: number
  batches: number
  /** Sum of the bytes announced. */
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

/** Counts batches under way and says which one is too many. */
export class BatchAdmission {
  readonly #underWay: UnderWay
  #bytes = 0
  readonly #perGateway = new Map<string, number>()
  readonly #limits: AdmissionLimits

  constructor(limits: AdmissionLimits = admissionLimits, underWay = new UnderWay()) {
    this.#limits = limits
    this.#underWay = underWay
  }

  /** Lets a batch in and returns what to call once when it is done, or whose limit is reached. */
  enter(gateway: string, bytes: number): (() => void) | 'gateway' | 'server' {
    const ofGateway = this.#perGateway.get(gateway) ?? 0
    if (ofGateway >= this.#limits.perGateway) return 'gateway'
    const isSlow = this.#underWay.longestWait > this.#limits.slowMs
    const room = isSlow ? this.#limits.batchesWhenSlow : this.#limits.batches
    if (this.#underWay.count >= room || this.#bytes + bytes > this.#limits.bytes) return 'server'
    const end = this.#underWay.begin()
    this.#bytes += bytes
    this.#perGateway.set(gateway, ofGateway + 1)
    let isUnderWay = true
    return () => {
      if (!isUnderWay) return
      isUnderWay = false
      end()
      this.#bytes -= bytes
      const left = (this.#perGateway.get(gateway) ?? 1) - 1
      if (left > 0) this.#perGateway.set(gateway, left)
      else this.#perGateway.delete(gateway)
    }
  }
}
