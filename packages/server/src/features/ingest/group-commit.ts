/**
 * Lets work that arrives at about the same time share one transaction: a commit costs the same for one item as for a
 * thousand. While groups are being stored the next one fills up, so groups grow with the load.
 */

interface Waiting<Work, Result> {
  work: Work
  resolve(result: Result): void
  reject(error: unknown): void
}

interface Options<Work, Result> {
  /** Stores all or nothing; returns one result per piece of work, in order. */
  store(group: readonly Work[]): Promise<Result[]>
  /** Size of a piece of work, in the unit of `largestGroup`. */
  sizeOf(work: Work): number
  /** Work of one sender is stored in the order of arrival, never in two groups at a time. */
  senderOf(work: Work): unknown
  /** Maximum size of a group; a single piece may be larger. */
  largestGroup: number
  /** Groups stored at a time: while one waits for the disk another one computes. */
  parallel: number
  /** How long the first piece of a group waits for others. */
  waitMs: number
  /** True if an error is independent of the work itself, such as an unavailable database: then all pieces fail. */
  concernsAll(error: unknown): boolean
}

export interface GroupCommit<Work, Result> {
  /** Resolves after the commit that stored this piece of work. */
  submit(work: Work): Promise<Result>
}

/**
 * If a group fails because of something in it, each piece is stored again on its own, so that only the faulty one
 * fails.
 */
export function createGroupCommit<Work, Result>(options: Options<Work, Result>): GroupCommit<Work, Result> {
  let queue: Waiting<Work, Result>[] = []
  const inFlight = new Set<unknown>()
  let running = 0

  /** Takes groups until nothing is left that another lane doesn't hold back; each lane ends independently. */
  const runLane = async () => {
    await new Promise((resolve) => setTimeout(resolve, options.waitMs))
    for (let group = take(); group.length > 0; group = take()) {
      const senders = new Set(group.map(({ work }) => options.senderOf(work)))
      for (const sender of senders) inFlight.add(sender)
      await storeGroup(group, options)
      for (const sender of senders) inFlight.delete(sender)
    }
    running -= 1
  }
  const take = (): Waiting<Work, Result>[] => {
    const ready = queue.filter(({ work }) => !inFlight.has(options.senderOf(work)))
    const group = firstGroup(ready, options)
    if (group.length > 0) {
      const taken = new Set(group)
      queue = queue.filter((waiting) => !taken.has(waiting))
    }
    return group
  }
  return {
    submit: (work) =>
      new Promise((resolve, reject) => {
        queue.push({ work, resolve, reject })
        if (running >= options.parallel) return
        running += 1
        // A lane never rejects: storeGroup passes every error to the submitters.
        void runLane()
      }),
  }
}

function firstGroup<W, R>(
  ready: readonly Waiting<W, R>[],
  { sizeOf, largestGroup }: Pick<Options<W, R>, 'sizeOf' | 'largestGroup'>,
): Waiting<W, R>[] {
  let size = 0
  const end = ready.findIndex(({ work }, index) => {
    size += sizeOf(work)
    return index > 0 && size > largestGroup
  })
  return ready.slice(0, end < 0 ? ready.length : end)
}

async function storeGroup<W, R>(group: readonly Waiting<W, R>[], options: Options<W, R>): Promise<void> {
  try {
    const results = await options.store(group.map(({ work }) => work))
    for (const [index, { resolve }] of group.entries()) resolve(results[index] as R)
  } catch (error) {
    if (group.length === 1 || options.concernsAll(error)) {
      for (const { reject } of group) reject(error)
      return
    }
    for (const waiting of group) await storeGroup([waiting], options)
  }
}
