import { ascendingBounds, fromNearerEnd, type Look, type PageFinder, type Stretch } from './column-page.ts'
import type { Page } from './event-sort.queries.ts'

/** A page in the order of ids, in which the rows stand: hits are passed over from the nearer end until it is there. */
export class IdPage implements PageFinder {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  find(events: number, look: Look): number[] {
    const ids = ascendingIds(fromNearerEnd(ascendingBounds(this.#page, events), events), look)
    return this.#page.order === 'ASC' ? ids : ids.reverse()
  }
}

/** The ids of a stretch, ascending. */
export function ascendingIds({ isBackwards, skip, end }: Stretch, look: Look): number[] {
  const ids: number[] = []
  let passed = 0
  for (const { block, rows } of look({ isBackwards })) {
    const last = Math.min(rows.length, end - passed)
    for (let index = Math.max(0, skip - passed); index < last; index += 1) {
      ids.push(block.firstId + (rows[isBackwards ? rows.length - 1 - index : index] as number))
    }
    passed += rows.length
    if (passed >= end) break
  }
  return isBackwards ? ids.reverse() : ids
}
