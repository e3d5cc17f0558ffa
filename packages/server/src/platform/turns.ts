/** Runs work of one key one after the other, and of different keys side by side. */
export class Turns {
  readonly #waiting = new Map<string, { last: Promise<unknown>; count: number }>()
  readonly #maxWaiting: number

  /** `maxWaiting` is how many of one key may be under way or waiting. */
  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting
  }

  /** Runs `work` when those before it have finished, well or badly; undefined when too many wait already. */
  take<T>(key: string, work: () => Promise<T>): Promise<T> | undefined {
    const queue = this.#waiting.get(key) ?? { last: Promise.resolve(), count: 0 }
    if (queue.count >= this.#maxWaiting) return undefined
    queue.count += 1
    const turn = queue.last.then(work)
    queue.last = turn
      .catch(() => undefined)
      .then(() => {
        queue.count -= 1
        if (queue.count === 0) this.#waiting.delete(key)
      })
    this.#waiting.set(key, queue)
    return turn
  }
}
