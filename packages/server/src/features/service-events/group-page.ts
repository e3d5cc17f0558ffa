import { keepMarked, type RowFilter } from './block-rows.ts'
import type { GroupOrder } from './column-order.ts'
import { ascendingBounds, type Hits, type PageFinder, type SecondLook } from './column-page.ts'
import type { ColumnBlock, HeldEvents } from './event-columns.ts'
import type { Page } from './event-sort.queries.ts'
import { ReusedMemory } from './reused-memory.ts'

/** Events of equal value of which some stand on the page: after `skip` of them from the nearer end, `take`. */
interface Group {
  /** Where its numbers stand in order. */
  from: number
  to: number
  size: number
  isBackwards: boolean
  skip: number
  take: number
  ids: number[]
}

const memory = {
  counts: new ReusedMemory((length) => new Uint32Array(length)),
  groups: new ReusedMemory((length) => new Uint8Array(length)),
  wanted: new ReusedMemory((length) => new Uint8Array(length)),
}

/**
 * A page in the order of something that many events share, such as their owner or their description: the hits of each
 * value are counted, the values that the page has follow from that, and among equal ones ids decide, in whose order the
 * rows stand anyway. So nothing is sorted, and page 5,000 costs what page 1 costs.
 */
export class GroupPage implements PageFinder {
  readonly #page: Page
  readonly #order: GroupOrder
  readonly #counts: Uint32Array
  readonly count?: (hits: Hits) => void
  readonly countAllBut?: (held: HeldEvents, others: Iterable<Hits>) => void
  readonly countKinds?: (counts: Uint32Array) => void

  constructor(page: Page, order: GroupOrder) {
    this.#page = page
    this.#order = order
    this.#counts = memory.counts.take(order.size).fill(0)
    const { column } = order
    if (column === 'kinds') this.countKinds = (ofKinds) => this.#counts.set(ofKinds)
    else {
      this.count = (hits) => this.#count(hits, 1)
      this.countAllBut = (held, others) => {
        this.#counts.set(held[column].values.subarray(0, order.size))
        for (const hits of others) this.#count(hits, -1)
      }
    }
  }

  #count({ block, rows }: Hits, each: 1 | -1): void {
    const numbers = this.#numbersOf(block)
    const mine = this.#counts
    for (const row of rows) {
      const number = numbers[row] as number
      mine[number] = (mine[number] as number) + each
    }
  }

  find(events: number, lookAgain: (look: SecondLook) => Iterable<Hits>): number[] {
    const groups = this.#groups(events)
    for (const isBackwards of [false, true]) {
      const wanted = groups.filter((group) => group.isBackwards === isBackwards)
      if (wanted.length > 0) this.#pick(wanted, { isBackwards, lookAgain })
    }
    const isDescending = this.#page.order === 'DESC'
    return groups.flatMap(({ ids, isBackwards }) => (isBackwards === isDescending ? ids : ids.reverse()))
  }

  #pick(
    groups: readonly Group[],
    { isBackwards, lookAgain }: { isBackwards: boolean; lookAgain: (look: SecondLook) => Iterable<Hits> },
  ): void {
    // At most a hundred events are on a page, so the place of a group fits into a byte.
    const groupOf = memory.groups.take(this.#order.size)
    const isWanted = memory.wanted.take(this.#order.size).fill(0)
    const least = groups.map(() => Number.POSITIVE_INFINITY)
    groups.forEach(({ from, to }, index) => {
      for (const number of this.#order.inOrder.subarray(from, to)) {
        if (this.#counts[number] === 0) continue
        least[index] = Math.min(least[index] as number, number)
        groupOf[number] = index
        isWanted[number] = 1
      }
    })
    let missing = groups.reduce((sum, { take }) => sum + take, 0)
    const mayHold = ({ latestText }: ColumnBlock) =>
      this.#order.column !== 'texts' ||
      groups.some(({ ids, take }, index) => ids.length < take && (least[index] as number) <= latestText)
    const narrow: RowFilter = (block, rows) =>
      mayHold(block) ? keepMarked(this.#numbersOf(block), isWanted, rows) : { ...rows, count: 0 }
    for (const { block, rows } of lookAgain({ narrow, isBackwards })) {
      const numbers = this.#numbersOf(block)
      for (let index = 0; index < rows.length && missing > 0; index += 1) {
        const row = rows[isBackwards ? rows.length - 1 - index : index] as number
        const group = groups[groupOf[numbers[row] as number] as number] as Group
        if (group.skip > 0) group.skip -= 1
        else if (group.ids.length < group.take) {
          group.ids.push(block.firstId + row)
          missing -= 1
        }
      }
      if (missing === 0) break
    }
  }

  #numbersOf(block: ColumnBlock): Int32Array | Uint8Array {
    return block[this.#order.column]
  }

  /** The groups of the page in its order. */
  #groups(events: number): Group[] {
    const { first, last } = ascendingBounds(this.#page, events)
    let { at, passed } = this.#groupAt(first, events)
    const groups: Group[] = []
    while (passed < last) {
      while (this.#countAt(at) === 0) at += 1
      const to = at + this.#reach(at, 1) + 1
      const size = this.#sizeOf(at, to)
      const skip = Math.max(0, first - passed)
      const take = Math.min(size, last - passed) - skip
      groups.push({ from: at, to, size, isBackwards: false, skip, take, ids: [] })
      passed += size
      at = to
    }
    // A group that is there as a whole lies anywhere, so with one all are found on the one way to it.
    if (groups.length < 3) for (const group of groups) this.#turn(group)
    return this.#page.order === 'ASC' ? groups : groups.reverse()
  }

  /** Looks for a group's events from its other end where that is nearer to them. */
  #turn(group: Group): void {
    const after = group.size - group.skip - group.take
    if (after >= group.skip) return
    group.isBackwards = true
    group.skip = after
  }

  /** Where the group begins that holds the hit of this number in ascending order, and how many hits come before it. */
  #groupAt(hit: number, events: number): { at: number; passed: number } {
    const { at, passed } = hit < events - hit ? this.#numberAt(hit) : this.#numberFromEnd(hit, events)
    const begin = at - this.#reach(at, -1)
    return { at: begin, passed: passed - this.#sizeOf(begin, at) }
  }

  /** How many of the next numbers in order are equal to that of a place: a description may have 100,000 texts, and each look takes 0.2 µs. */
  #reach(at: number, step: 1 | -1): number {
    const { inOrder, areEqual } = this.#order
    const isEqual = (distance: number) => {
      const number = inOrder[at + step * distance]
      return number !== undefined && areEqual(inOrder[at] as number, number)
    }
    let equal = 0
    let other = 1
    while (isEqual(other)) {
      equal = other
      other *= 2
    }
    while (other - equal > 1) {
      const middle = (equal + other) >>> 1
      if (isEqual(middle)) equal = middle
      else other = middle
    }
    return equal
  }

  /** How many hits the numbers from a place to before another have. */
  #sizeOf(from: number, to: number): number {
    let size = 0
    for (let at = from; at < to; at += 1) size += this.#countAt(at)
    return size
  }

  /** The place in order of the number that the hit has, and how many hits come before all of that number. */
  #numberAt(hit: number): { at: number; passed: number } {
    let at = 0
    let passed = 0
    for (let count = this.#countAt(at); passed + count <= hit; count = this.#countAt(at)) {
      passed += count
      at += 1
    }
    return { at, passed }
  }

  /** The same from the other end, where most texts lie between. */
  #numberFromEnd(hit: number, events: number): { at: number; passed: number } {
    let at = this.#order.inOrder.length - 1
    let passed = events - this.#countAt(at)
    while (passed > hit) {
      at -= 1
      passed -= this.#countAt(at)
    }
    return { at, passed }
  }

  #countAt(index: number): number {
    return this.#counts[this.#order.inOrder[index] as number] as number
  }
}
