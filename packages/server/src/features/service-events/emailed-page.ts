import { keepMarked, type RowFilter } from './block-rows.ts'
import { copyHits, lookAmong } from './column-hits.ts'
import { ascendingBounds, fromNearerEnd, type Hits, type Look, type PageFinder } from './column-page.ts'
import type { ColumnBlock, HeldEvents } from './event-columns.ts'
import type { Page } from './event-sort.queries.ts'
import { ascendingIds } from './id-page.ts'
import type { Range } from './instant-column.ts'
import { EMAILED, statesWhere } from './row-state.ts'
import { TimePage } from './time-page.ts'

/** Of every e-mail; 0 stands for none. */
const EVER: Range = { from: 1, to: Number.POSITIVE_INFINITY }
const isEmailed = statesWhere((state) => (state & EMAILED) !== 0)
const isUnemailed = statesWhere((state) => (state & EMAILED) === 0)

/**
 * A page in the order of when an e-mail was sent about an event: those that have one in the order of that time, and after
 * them all others in the order of their ids.
 */
export class EmailedPage implements PageFinder {
  readonly #page: Page
  readonly #blocks: readonly ColumnBlock[]
  readonly #held: HeldEvents
  /** How many hits have an e-mail; null until it is known. */
  #emailed: number | null = null

  constructor(page: Page, { blocks, held }: { blocks: readonly ColumnBlock[]; held: HeldEvents }) {
    this.#page = page
    this.#blocks = blocks
    this.#held = held
  }

  readonly countAllBut = (others: Iterable<Hits>): void => {
    this.#emailed = this.#heldEmailed()
    for (const { block, rows } of others) {
      for (const row of rows) this.#emailed -= isEmailed[block.states[row] as number] as number
    }
  }

  find(events: number, look: Look): number[] {
    const { emailed, lookAtEmailed } = this.#emailedHits(look)
    const { first, last } = ascendingBounds(this.#page, events)
    const ids: number[] = []
    if (first < emailed) {
      const page = { order: 'ASC', offset: first, limit: Math.min(last, emailed) - first } as const
      const byTime = new TimePage(page, { column: 'emailed', blocks: this.#blocks, range: EVER })
      ids.push(...byTime.find(emailed, lookAtEmailed))
    }
    if (last > emailed) {
      const others = { first: Math.max(0, first - emailed), last: last - emailed }
      const stretch = fromNearerEnd(others, events - emailed)
      const narrow: RowFilter = ({ states }, rows) => keepMarked(states, isUnemailed, rows)
      ids.push(...ascendingIds(stretch, (options) => look({ ...options, narrow })))
    }
    return this.#page.order === 'ASC' ? ids : ids.reverse()
  }

  #emailedHits(look: Look): { emailed: number; lookAtEmailed: Look } {
    const narrow: RowFilter = ({ states }, rows) => keepMarked(states, isEmailed, rows)
    if (this.#emailed !== null) {
      return { emailed: this.#emailed, lookAtEmailed: (options) => look({ narrow, ...options }) }
    }
    const { hits, count } = copyHits(look({ narrow }), this.#heldEmailed())
    return { emailed: count, lookAtEmailed: lookAmong(hits) }
  }
  /** Of all events, whether they are hits or not. */
  #heldEmailed(): number {
    return this.#held.states.values.reduce((sum, events, state) => sum + events * (isEmailed[state] ?? 0), 0)
  }
}
