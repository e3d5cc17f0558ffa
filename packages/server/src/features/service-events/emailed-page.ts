import { keepUnemailed, keepWithin } from './block-rows.ts'
import { ascendingBounds, fromNearerEnd, type Hits, type PageFinder, type SecondLook } from './column-page.ts'
import type { ColumnBlock, HeldEvents } from './event-columns.ts'
import type { Page } from './event-sort.queries.ts'
import { ascendingIds } from './id-page.ts'
import type { Range } from './instant-column.ts'
import { TimePage } from './time-page.ts'

/** Of every e-mail; 0 stands for none. */
const EVER: Range = { from: 1, to: Number.POSITIVE_INFINITY }

/**
 * A page in the order of when an e-mail was sent about an event: those that have one in the order of that time, and after
 * them all others in the order of their ids.
 */
export class EmailedPage implements PageFinder {
  readonly #page: Page
  readonly #blocks: readonly ColumnBlock[]
  /** How many hits have an e-mail. */
  #emailed = 0

  constructor(page: Page, blocks: readonly ColumnBlock[]) {
    this.#page = page
    this.#blocks = blocks
  }

  readonly count = (hits: Hits): void => {
    this.#emailed += countEmailed(hits)
  }

  readonly countAllBut = (held: HeldEvents, others: Iterable<Hits>): void => {
    this.#emailed = held.emailed
    for (const hits of others) this.#emailed -= countEmailed(hits)
  }

  find(events: number, lookAgain: (look: SecondLook) => Iterable<Hits>): number[] {
    const { first, last } = ascendingBounds(this.#page, events)
    const emailed = this.#emailed
    const ids = first < emailed ? this.#emailedIds({ first, last: Math.min(last, emailed) }, lookAgain) : []
    if (last > emailed) {
      const others = { first: Math.max(0, first - emailed), last: last - emailed }
      const stretch = fromNearerEnd(others, events - emailed)
      ids.push(...ascendingIds(stretch, (look) => lookAgain({ ...look, narrow: keepUnemailed })))
    }
    return this.#page.order === 'ASC' ? ids : ids.reverse()
  }

  #emailedIds(
    { first, last }: { first: number; last: number },
    lookAgain: (look: SecondLook) => Iterable<Hits>,
  ): number[] {
    const page = { order: 'ASC', offset: first, limit: last - first } as const
    const byTime = new TimePage(page, { column: 'emailed', blocks: this.#blocks, range: EVER })
    const narrow = keepWithin('emailed', EVER)
    return byTime.find(this.#emailed, (look) => lookAgain({ narrow, ...look }))
  }
}

function countEmailed({ block: { emailed }, rows }: Hits): number {
  if (emailed.values.length === 0) return 0
  let count = 0
  for (const row of rows) if (emailed.values[row] !== 0) count += 1
  return count
}
