import { ascendingBounds, type Hits, type PageFinder, type SecondLook } from './column-page.ts'
import type { Page } from './event-sort.queries.ts'

interface Emailed {
  id: number
  at: number
}

/**
 * A page in the order of when an e-mail was sent about an event. Few events have one, so these are collected, and only
 * those around the page are sorted; all others come after them, in the order of their ids.
 */
export class EmailedPage implements PageFinder {
  readonly #page: Page
  readonly #emailed: Emailed[] = []

  constructor(page: Page) {
    this.#page = page
  }

  count({ block, rows }: Hits): void {
    if (block.emailed.size === 0) return
    for (const row of rows) {
      const at = block.emailed.get(row)
      if (at !== undefined) this.#emailed.push({ id: block.firstId + row, at })
    }
  }

  find(events: number, lookAgain: (look: SecondLook) => Iterable<Hits>): number[] {
    const { first, last } = ascendingBounds(this.#page, events)
    const emailed = this.#emailed.length
    const ids = first < emailed ? this.#emailedIds(first, Math.min(last, emailed)) : []
    if (last > emailed)
      ids.push(...othersIn(lookAgain({}), { first: Math.max(0, first - emailed), last: last - emailed }))
    return this.#page.order === 'ASC' ? ids : ids.reverse()
  }

  #emailedIds(first: number, last: number): number[] {
    // Numbers alone are sorted ten times as fast as objects.
    const times = Float64Array.from(this.#emailed, ({ at }) => at).sort()
    const from = times[first] as number
    const to = times[last - 1] as number
    const near = this.#emailed.filter(({ at }) => from <= at && at <= to)
    near.sort((a, b) => a.at - b.at || a.id - b.id)
    const before = times.indexOf(from)
    return near.slice(first - before, last - before).map(({ id }) => id)
  }
}

/** Of the hits without e-mail the ids from the one number to before the other. */
function othersIn(hits: Iterable<Hits>, { first, last }: { first: number; last: number }): number[] {
  const ids: number[] = []
  let passed = 0
  for (const { block, rows } of hits) {
    const { emailed, firstId } = block
    if (emailed.size === 0 && passed + rows.length <= first) {
      passed += rows.length
      continue
    }
    for (const row of rows) {
      if (emailed.has(row)) continue
      if (passed >= first) ids.push(firstId + row)
      passed += 1
      if (passed === last) return ids
    }
  }
  return ids
}
