/** What is being worked on: how much, and since when the oldest of it. Times are milliseconds. */
export class UnderWay {
  // In the order of their beginning, as a Set keeps them.
  readonly #begun = new Set<{ at: number }>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  get count(): number {
    return this.#begun.size
  }

  /** How long the oldest has been waiting; 0 when there is none. */
  get longestWait(): number {
    const [oldest] = this.#begun
    return oldest ? this.#now() - oldest.at : 0
  }

  /** Begins one more; returns what ends it, which may be called more than once. */
  begin(): () => void {
    const one = { at: this.#now() }
    this.#begun.add(one)
    return () => this.#begun.delete(one)
  }
}
