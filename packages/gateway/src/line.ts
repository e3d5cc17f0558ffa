import type { Delivery } from './delivery.ts'

/**
 * The line between a gateway and the network. While it is cut nothing goes out, heartbeats included; what comes in
 * gathers in the outbox. A request that is under way breaks, so nobody knows whether it arrived, as on a real line.
 */
export class Line {
  #cutting = new AbortController()

  get isUp(): boolean {
    return !this.#cutting.signal.aborted
  }

  cut(): void {
    this.#cutting.abort()
  }

  restore(): void {
    if (!this.isUp) this.#cutting = new AbortController()
  }

  /** Sends over the line; `signal` ends the request as well. */
  carry(send: (signal: AbortSignal) => Promise<Delivery>, signal: AbortSignal): Promise<Delivery> {
    if (!this.isUp) return Promise.resolve({ kind: 'failed', reason: 'The line to the server is cut.' })
    return send(AbortSignal.any([signal, this.#cutting.signal]))
  }
}
