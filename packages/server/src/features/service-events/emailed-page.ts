import { ascendingBounds, fromNearerEnd, type Hits, type PageFinder, type SecondLook } from './column-page.ts'
import type { Page } from './event-sort.queries.ts'
import { ascendingIds } from './id-page.ts'

/**
 * A page in the order of when an e-mail was sent about an event. The instants of those that have one are sorted, as plain
 * numbers; a second look picks the events around the page. All others come after them, in the order of their ids.
 */
export class EmailedPage implements PageFinder {
  readonly #page: Page
  readonly #times: number[] = []

  constructor(page: Page) {
    this.#page = page
  }

  readonly count = ({ block: { emailed }, rows }: Hits): void => {
    if (emailed.length === 0) return
    for (const row of rows) {
      const at = emailed[row] as number
      if (at !== 0) this.#times.push(at)
    }
  }

  find(events: number, lookAgain: (look: SecondLook) => Iterable<Hits>): number[] {
    const { first, last } = ascendingBounds(this.#page, events)
    const emailed = this.#times.length
    const ids = first < emailed ? this.#emailedIds(lookAgain({}), { first, last: Math.min(last, emailed) }) : []
    if (last > emailed) {
      const others = { first: Math.max(0, first - emailed), last: last - emailed }
      const stretch = fromNearerEnd(others, events - emailed)
      ids.push(...ascendingIds(stretch, (look) => withoutEmail(lookAgain(look))))
    }
    return this.#page.order === 'ASC' ? ids : ids.reverse()
  }

  #emailedIds(hits: Iterable<Hits>, { first, last }: { first: number; last: number }): number[] {
    const times = Float64Array.from(this.#times).sort()
    const from = times[first] as number
    const to = times[last - 1] as number
    const near: { id: number; at: number }[] = []
    for (const { block, rows } of hits) {
      if (block.emailed.length === 0) continue
      for (const row of rows) {
        const at = block.emailed[row] as number
        if (from <= at && at <= to) near.push({ id: block.firstId + row, at })
      }
    }
    near.sort((a, b) => a.at - b.at || a.id - b.id)
    const before = times.indexOf(from)
    return near.slice(first - before, last - before).map(({ id }) => id)
  }
}

function* withoutEmail(hits: Iterable<Hits>): Generator<Hits> {
  for (const { block, rows } of hits) {
    const { emailed } = block
    yield { block, rows: emailed.length === 0 ? rows : rows.filter((row) => emailed[row] === 0) }
  }
}
