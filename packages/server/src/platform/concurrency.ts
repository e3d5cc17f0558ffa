/**
 * Tracks the work in flight: how much there is, and how long the oldest has been running. Times are in milliseconds.
 */
export class InFlight {
  // In order of start, because a Set keeps insertion order.
  readonly #begun = new Set<{ at: number }>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  get count(): number {
    return this.#begun.size
  }

  /** Time since the oldest entry began; 0 if there is none. */
  get longestWait(): number {
    const [oldest] = this.#begun
    return oldest ? this.#now() - oldest.at : 0
  }

  /** Adds an entry; returns the function that removes it, which may be called more than once. */
  begin(): () => void {
    const one = { at: this.#now() }
    this.#begun.add(one)
    return () => this.#begun.delete(one)
  }
}

/**
 * Lets a loop sleep until the signal rings, a time has passed, or the loop is stopped. A ring during work is not lost.
 */
export class Signal {
  #rung = false
  #wake: (() => void) | null = null

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  async wait(ms: number, until: AbortSignal): Promise<void> {
    if (!this.#rung && !until.aborted) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          // A loop may wait on one abort signal for days, and leftover listeners would accumulate.
          until.removeEventListener('abort', wake)
          this.#wake = null
          resolve()
        }
        const timer = setTimeout(wake, ms)
        this.#wake = wake
        until.addEventListener('abort', wake, { once: true })
      })
    }
    this.#rung = false
  }
}

interface QueueState {
  running: number
  waiting: (() => void)[]
}

/** Runs a limited number of tasks per key at once; the others wait in order of arrival. */
export class Queue {
  readonly #queues = new Map<string, QueueState>()
  readonly #atOnce: number
  readonly #maxWaiting: number

  constructor({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }) {
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
  }

  /**
   * Runs `work` when its turn comes, even if earlier work failed; returns undefined if too many of this key are
   * waiting.
   */
  take<T>(key: string, work: () => Promise<T>): Promise<T> | undefined {
    const queue = this.#queues.get(key) ?? { running: 0, waiting: [] }
    if (queue.running === this.#atOnce && queue.waiting.length >= this.#maxWaiting) return undefined
    this.#queues.set(key, queue)
    return this.#run({ key, queue }, work)
  }

  async #run<T>({ key, queue }: { key: string; queue: QueueState }, work: () => Promise<T>): Promise<T> {
    if (queue.running < this.#atOnce) queue.running += 1
    // The finished task hands its place over, so `running` does not change.
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

/**
 * Wraps work that processes everything waiting, so that at most `lanes` runs are active. A call while all of them are
 * busy makes one of them run again and returns at once: no call is lost, and a repeated call takes no further place.
 */
export function coalesce(work: (stop: AbortSignal) => Promise<void>, lanes = 1): (stop: AbortSignal) => Promise<void> {
  let busy = 0
  let lookAgain = false
  return async (stop) => {
    lookAgain = true
    if (busy === lanes) return
    busy += 1
    try {
      while (lookAgain && !stop.aborted) {
        lookAgain = false
        await work(stop)
      }
    } finally {
      busy -= 1
    }
  }
}
