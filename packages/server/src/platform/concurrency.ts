/** What is being worked on: how much, and since when the oldest of it. Times are milliseconds. */
export class InFlight {
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

/** Lets a loop sleep until it is rung, a time has passed, or it is told to end. A ring during work is not lost. */
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
          // A loop waits for days on one signal: listeners that stay would pile up.
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

/** Runs so many pieces of work of one key at once, the others in the order in which they came. */
export class Queue {
  readonly #queues = new Map<string, QueueState>()
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

  async #run<T>({ key, queue }: { key: string; queue: QueueState }, work: () => Promise<T>): Promise<T> {
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

/**
 * Does work that takes up whatever waits, `lanes` times side by side at most. Whoever asks while all of them are busy has
 * one of them look once more, and does not wait: so a knock is never lost, and a second one takes nobody's place.
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
