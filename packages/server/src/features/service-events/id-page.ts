import { type Hits, type NearestEnd, nearestEnd, type PageFinder, type SecondLook } from './column-page.ts'
import type { Page } from './event-sort.queries.ts'

/** A page in the order of ids, in which the rows stand: hits are passed over from the nearer end until it is there. */
export class IdPage implements PageFinder {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  find(events: number, lookAgain: (look: SecondLook) => Iterable<Hits>): number[] {
    const place = nearestEnd(this.#page, events)
    const ids = idsAt(place, lookAgain({ isBackwards: place.isBackwards }))
    return place.isBackwards === (this.#page.order === 'DESC') ? ids : ids.reverse()
  }
}

/** The ids from `skip` to before `end` in the order of the hits, whose blocks go backwards where `isBackwards` says so. */
export function idsAt({ isBackwards, skip, end }: NearestEnd, hits: Iterable<Hits>): number[] {
  const ids: number[] = []
  let passed = 0
  for (const { block, rows } of hits) {
    const last = Math.min(rows.length, end - passed)
    for (let index = Math.max(0, skip - passed); index < last; index += 1) {
      ids.push(block.firstId + (rows[isBackwards ? rows.length - 1 - index : index] as number))
    }
    passed += rows.length
    if (passed >= end) break
  }
  return ids
}
