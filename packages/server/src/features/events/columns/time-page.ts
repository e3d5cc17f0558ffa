import { keepWithin } from './block-rows.ts'
import { ascendingBounds, fromNearerEnd, type Hits, type Look, type PageBounds, type Pager } from './column-page.ts'
import type { ColumnBlock, Range } from './event-columns.ts'

const SLICES = 16_384

/**
 * A page in the order of time: how many hits lie in each slice of time, so that a page anywhere is found by sorting the
 * few around it instead of all: one slice in three years of ten million events holds 600. Blocks are nearly in the order of
 * time, so only those from the nearer end up to the page are counted.
 */
export class TimePage implements Pager {
  readonly #page: PageBounds
  readonly #column: 'created' | 'emailed'
  /** Those that the range meets, by id. */
  readonly #blocks: readonly ColumnBlock[]
  readonly #from: number
  readonly #width: number
  readonly #to: number

  /** All hits have an instant in the column, which the range holds. */
  constructor(
    page: PageBounds,
    { column, blocks, range }: { column: 'created' | 'emailed'; blocks: readonly ColumnBlock[]; range: Range },
  ) {
    this.#page = page
    this.#column = column
    this.#blocks = blocks.filter((block) => !block[column].isOutside(range))
    this.#from = Math.max(range.from, this.#earliestOf(this.#blocks))
    const latest = Math.min(range.to, this.#latestOf(this.#blocks))
    this.#to = range.to
    // Whole milliseconds, so that a bound between two slices is one exactly.
    this.#width = Math.max(1, Math.ceil((latest - this.#from + 1) / SLICES))
  }

  find(events: number, look: Look): number[] {
    const { isBackwards, skip, end } = fromNearerEnd(ascendingBounds(this.#page, events), events)
    const counts = this.#countNear(look({ isBackwards }), { isBackwards, end })
    const { range, before } = this.#slicesWith(counts, { isBackwards, skip, end })
    const found: { id: number; time: number }[] = []
    for (const { block, rows } of look({ narrow: keepWithin(this.#column, range) })) {
      const { values } = block[this.#column]
      for (const row of rows) found.push({ id: block.firstId + row, time: values[row] as number })
    }
    found.sort((a, b) => a.time - b.time || a.id - b.id)
    if (isBackwards) found.reverse()
    const ids = found.slice(skip - before, end - before).map(({ id }) => id)
    return isBackwards === (this.#page.order === 'DESC') ? ids : ids.reverse()
  }

  /** How many hits each slice holds, counted from the nearer end: in full up to the slice where the page ends. */
  #countNear(hits: Iterable<Hits>, { isBackwards, end }: { isBackwards: boolean; end: number }): Uint32Array {
    const counts = new Uint32Array(SLICES)
    const left = new Set(this.#blocks)
    let counted = 0
    for (const { block, rows } of hits) {
      const { values } = block[this.#column]
      for (const row of rows) {
        const slice = this.#sliceOf(values[row] as number)
        counts[slice] = (counts[slice] as number) + 1
      }
      left.delete(block)
      counted += rows.length
      // No block that is left reaches beyond this slice.
      const known = isBackwards ? this.#sliceOf(this.#latestOf(left)) + 1 : this.#sliceOf(this.#earliestOf(left))
      if (counted >= end && sum(isBackwards ? counts.subarray(known) : counts.subarray(0, known)) >= end) break
    }
    return counts
  }

  /** The slices that a page lies in, and how many hits come before them, seen from the same end. */
  #slicesWith(
    counts: Uint32Array,
    { isBackwards, skip, end }: { isBackwards: boolean; skip: number; end: number },
  ): { range: Range; before: number } {
    const countAt = (step: number) => counts[isBackwards ? SLICES - 1 - step : step] as number
    let before = 0
    let step = 0
    for (; before + countAt(step) <= skip; step += 1) before += countAt(step)
    const begin = step
    for (let held = before; held < end; step += 1) held += countAt(step)
    const [low, high] = isBackwards ? [SLICES - step, SLICES - begin] : [begin, step]
    // The last slice may reach beyond the range.
    const to = Math.min(this.#to, this.#from + high * this.#width)
    return { range: { from: this.#from + low * this.#width, to }, before }
  }

  /** Before the first one and after the last where a block reaches beyond the range. */
  #sliceOf(time: number): number {
    return Math.min(SLICES, Math.max(0, Math.floor((time - this.#from) / this.#width)))
  }

  #earliestOf(blocks: Iterable<ColumnBlock>): number {
    let earliest = Number.POSITIVE_INFINITY
    for (const block of blocks) earliest = Math.min(earliest, block[this.#column].earliest)
    return earliest
  }

  #latestOf(blocks: Iterable<ColumnBlock>): number {
    let latest = Number.NEGATIVE_INFINITY
    for (const block of blocks) latest = Math.max(latest, block[this.#column].latest)
    return latest
  }
}

function sum(values: Uint32Array): number {
  return values.reduce((total, value) => total + value, 0)
}
