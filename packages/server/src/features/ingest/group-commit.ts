/**
 * Lets work that arrives at about the same time share one transaction: a commit costs the same for one item as for a
 * thousand. While one group is being stored the next one gathers, so under load groups grow by themselves.
 */

interface Waiting<Work, Result> {
  work: Work
  resolve(result: Result): void
  reject(error: unknown): void
}

interface Options<Work, Result> {
  /** Stores all or nothing; answers one result per piece of work, in their order. */
  store(group: readonly Work[]): Promise<Result[]>
  /** Size of a piece of work, in whatever unit `largestGroup` has. */
  sizeOf(work: Work): number
  /** A group is closed when it would become larger; a single piece may be. */
  largestGroup: number
  /** How long the first of a group waits for others. */
  waitMs: number
  /** Whether an error says nothing about the work itself, such as a database that does not answer: then all fail. */
  concernsAll(error: unknown): boolean
}

export interface GroupCommit<Work, Result> {
  /** Resolves after the commit that stored this piece of work. */
  submit(work: Work): Promise<Result>
}

/**
 * One group is stored at a time. When a group fails because of something in it, each piece is stored again by itself,
 * so that one that can't be stored fails alone.
 */
export function createGroupCommit<Work, Result>(options: Options<Work, Result>): GroupCommit<Work, Result> {
  const queue: Waiting<Work, Result>[] = []
  let running = false

  const run = async () => {
    running = true
    await new Promise((resolve) => setTimeout(resolve, options.waitMs))
    while (queue.length > 0) await storeGroup(nextGroup(queue, options), options)
    running = false
  }
  return {
    submit: (work) =>
      new Promise((resolve, reject) => {
        queue.push({ work, resolve, reject })
        // run never rejects: storeGroup hands every error to whom it concerns.
        if (!running) void run()
      }),
  }
}

function nextGroup<W, R>(
  queue: Waiting<W, R>[],
  { sizeOf, largestGroup }: Pick<Options<W, R>, 'sizeOf' | 'largestGroup'>,
): Waiting<W, R>[] {
  let size = 0
  const end = queue.findIndex(({ work }, index) => {
    size += sizeOf(work)
    return index > 0 && size > largestGroup
  })
  return queue.splice(0, end < 0 ? queue.length : end)
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
