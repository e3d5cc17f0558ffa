import { ascendingBounds, type Hits, isIn, type PageFinder, type Range, type SecondLook } from './column-page.ts'
import type { ColumnBlock } from './event-columns.ts'
import type { Page } from './event-sort.queries.ts'

const BUCKETS = 16_384

/**
 * A page in the order of time: how many hits lie in each slice of time, so that a page anywhere is found by sorting the
 * few around it instead of all: one slice in three years of ten million events holds 600.
 */
export class TimePage implements PageFinder {
  readonly #page: Page
  readonly #counts = new Uint32Array(BUCKETS)
  readonly #from: number
  readonly #width: number
  readonly #end: number

  constructor(page: Page, { blocks, range }: { blocks: readonly ColumnBlock[]; range: Range }) {
    const earliest = Math.max(
      range.from,
      blocks.reduce((least, block) => Math.min(least, block.earliest), Number.POSITIVE_INFINITY),
    )
    const latest = Math.min(
      range.to,
      blocks.reduce((most, block) => Math.max(most, block.latest), Number.NEGATIVE_INFINITY),
    )
    this.#page = page
    this.#from = earliest
    this.#end = range.to
    // Whole milliseconds, so that a bound between two slices is one exactly.
    this.#width = Math.max(1, Math.ceil((latest - earliest + 1) / BUCKETS))
  }

  count({ block: { created }, rows }: Hits): void {
    for (const row of rows) {
      const bucket = Math.floor(((created[row] as number) - this.#from) / this.#width)
      this.#counts[bucket] = (this.#counts[bucket] as number) + 1
    }
  }

  find(events: number, lookAgain: (look: SecondLook) => Iterable<Hits>): number[] {
    const { first, last } = ascendingBounds(this.#page, events)
    const { range, before } = this.#slices(first, last)
    const found: { id: number; time: number }[] = []
    for (const { block, rows } of lookAgain({ range })) {
      for (const row of rows) {
        const time = block.created[row] as number
        if (isIn(range, time)) found.push({ id: block.firstId + row, time })
      }
    }
    found.sort((a, b) => a.time - b.time || a.id - b.id)
    const ids = found.slice(first - before, last - before).map(({ id }) => id)
    return this.#page.order === 'ASC' ? ids : ids.reverse()
  }

  /** The slices that a page lies in, and how many hits come before them. */
  #slices(first: number, last: number): { range: Range; before: number } {
    let before = 0
    let bucket = 0
    while (before + (this.#counts[bucket] as number) <= first) {
      before += this.#counts[bucket] as number
      bucket += 1
    }
    const from = bucket
    for (let held = before; held < last; bucket += 1) held += this.#counts[bucket] as number
    // The last slice may reach beyond the range.
    const to = Math.min(this.#end, this.#from + bucket * this.#width)
    return { range: { from: this.#from + from * this.#width, to }, before }
  }
}
