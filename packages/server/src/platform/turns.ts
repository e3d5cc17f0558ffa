interface Queue {
  running: number
  waiting: (() => void)[]
}

/** Runs so many pieces of work of one key at once, the others in the order in which they came. */
export class Turns {
  readonly #queues = new Map<string, Queue>()
  readonly #atOnce: number
  readonly #maxWaiting: number

  constructor({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }) {
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
  }

  /** Runs `work` in its turn, whether those before it went well or badly; undefined when too many of this key wait. */
  take<T>(key: string, work: () => Promise<T>): Promise<T> | undefined {
    const queue = this.#queues.get(key) ?? { running: 0, waiting: [] }
    if (queue.running === this.#atOnce && queue.waiting.length >= this.#maxWaiting) return undefined
    this.#queues.set(key, queue)
    return this.#run({ key, queue }, work)
  }

  async #run<T>({ key, queue }: { key: string; queue: Queue }, work: () => Promise<T>): Promise<T> {
    if (queue.running < this.#atOnce) queue.running += 1
    // The one that finishes hands its place over, so `running` stays as it is.
    else await new Promise<void>((resolve) => queue.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      if (next) next()
      else queue.running -= 1
      if (queue.running === 0) this.#queues.delete(key)
    }
  }
}
