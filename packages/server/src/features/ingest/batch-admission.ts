/** How much may be under way at once, so that memory stays bounded whatever arrives. */
export interface AdmissionLimits {
  /** Batches of one gateway: more than its lanes (alarms, status, logs) only comes from a loop. */
  perGateway: number
  batches: number
  /** Sum of the bytes announced. */
  bytes: number
}

export const admissionLimits: AdmissionLimits = { perGateway: 8, batches: 256, bytes: 32_000_000 }

/** Counts batches under way and says which one is too many. */
export class BatchAdmission {
  #batches = 0
  #bytes = 0
  readonly #perGateway = new Map<string, number>()
  readonly #limits: AdmissionLimits

  constructor(limits: AdmissionLimits = admissionLimits) {
    this.#limits = limits
  }

  /** Lets a batch in and returns what to call once when it is done, or whose limit is reached. */
  enter(gateway: string, bytes: number): (() => void) | 'gateway' | 'server' {
    const ofGateway = this.#perGateway.get(gateway) ?? 0
    if (ofGateway >= this.#limits.perGateway) return 'gateway'
    if (this.#batches >= this.#limits.batches || this.#bytes + bytes > this.#limits.bytes) return 'server'
    this.#batches += 1
    this.#bytes += bytes
    this.#perGateway.set(gateway, ofGateway + 1)
    let isUnderWay = true
    return () => {
      if (!isUnderWay) return
      isUnderWay = false
      this.#batches -= 1
      this.#bytes -= bytes
      const left = (this.#perGateway.get(gateway) ?? 1) - 1
      if (left > 0) this.#perGateway.set(gateway, left)
      else this.#perGateway.delete(gateway)
    }
  }
}
