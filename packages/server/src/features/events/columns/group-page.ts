import type { NumberCounts } from '../number-counts.ts'
import type { Page } from '../search/event-sort.queries.ts'
import { keepMarked, ReusedMemory, type RowFilter } from './block-rows.ts'
import { copyHits, lookAmong } from './column-matches.ts'
import type { GroupOrder } from './column-order.ts'
import { ascendingBounds, fromNearerEnd, type Hits, type Look, type Pager, type Stretch } from './column-page.ts'
import type { ColumnBlock, HeldEvents } from './event-columns.ts'

/** Events of equal value of which some stand on the page: after `skip` of them from the nearer end, `take`. */
interface Group {
  /** Start of its numbers in order. */
  from: number
  to: number
  size: number
  isBackwards: boolean
  skip: number
  take: number
  ids: number[]
}

/** Share of all events. Too low a guess costs another scan, too high a few rows that are not read again. */
const LEAST_GUESS = 1 / 500

const memory = {
  counts: new ReusedMemory((length) => new Uint32Array(length)),
  groups: new ReusedMemory((length) => new Uint8Array(length)),
  wanted: new ReusedMemory((length) => new Uint8Array(length)),
}

/**
 * A page in the order of something that many events share, such as their owner or their description: the hits of each
 * value are counted, from the nearer end up to the page at least, the values that the page has follow from that, and
 * among equal ones ids decide, in whose order the rows stand anyway. So nothing is sorted.
 */
export class GroupPage implements Pager {
  readonly #page: Page
  readonly #order: GroupOrder
  readonly #counts: Uint32Array
  /** How many events each number has, whether they are hits or not. */
  readonly #held: NumberCounts
  readonly #heldEvents: number
  #areAllCounted = false
  readonly countAllBut?: (others: Iterable<Hits>) => void
  readonly countKinds?: (counts: Uint32Array) => void

  constructor(page: Page, { order, held }: { order: GroupOrder; held: HeldEvents }) {
    this.#page = page
    this.#order = order
    this.#counts = memory.counts.take(order.size).fill(0)
    this.#held = held[order.column]
    this.#heldEvents = held.states.values.reduce((sum, events) => sum + events, 0)
    if (order.column === 'kinds') {
      this.countKinds = (ofKinds) => {
        this.#counts.set(ofKinds)
        this.#areAllCounted = true
      }
    } else {
      this.countAllBut = (others) => {
        this.#counts.set(this.#held.values.subarray(0, order.size))
        for (const hits of others) this.#count(hits, -1)
        this.#areAllCounted = true
      }
    }
  }

  find(events: number, look: Look): number[] {
    const stretch = fromNearerEnd(ascendingBounds(this.#page, events), events)
    const known = this.#areAllCounted ? look : this.#countNear(stretch, { events, look })
    const groups = this.#groups(events, stretch)
    for (const isBackwards of [false, true]) {
      const wanted = groups.filter((group) => group.isBackwards === isBackwards)
      if (wanted.length > 0) this.#pick(wanted, { isBackwards, look: known })
    }
    const isDescending = this.#page.order === 'DESC'
    return groups.flatMap(({ ids, isBackwards }) => (isBackwards === isDescending ? ids : ids.reverse()))
  }

  /**
   * Counts the hits of the first values from an end: as many as hold the page, guessed from how many events they have, and
   * more where those are seldom hits. Returns a look at these hits alone.
   */
  #countNear({ isBackwards, end }: Stretch, { events, look }: { events: number; look: Look }): Look {
    for (let share = (2 * end) / events + LEAST_GUESS; ; share *= 16) {
      const numbers = this.#numbersWith(share * this.#heldEvents, isBackwards)
      const held = numbers.reduce((sum, number) => sum + this.#heldOf(number), 0)
      const { hits, count } = copyHits(look({ narrow: this.#keepNumbers(numbers) }), held)
      if (count < end && numbers.length < this.#order.inOrder.length) continue
      for (const each of hits) this.#count(each, 1)
      return lookAmong(hits)
    }
  }

  /** The numbers from an end, whole groups of them, that have so many events, or all. */
  #numbersWith(events: number, isBackwards: boolean): Int32Array {
    const { inOrder } = this.#order
    const step = isBackwards ? -1 : 1
    const start = isBackwards ? inOrder.length - 1 : 0
    let held = 0
    let at = start
    for (; inOrder[at] !== undefined; at += step) {
      held += this.#heldOf(inOrder[at] as number)
      if (held >= events) {
        at += step * (this.#reach(at, step) + 1)
        break
      }
    }
    return isBackwards ? inOrder.subarray(at + 1) : inOrder.subarray(0, at)
  }

  #count({ block, rows }: Hits, each: 1 | -1): void {
    const numbers = this.#numbersOf(block)
    const mine = this.#counts
    for (const row of rows) {
      const number = numbers[row] as number
      mine[number] = (mine[number] as number) + each
    }
  }

  #pick(groups: readonly Group[], { isBackwards, look }: { isBackwards: boolean; look: Look }): void {
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
    const narrow = this.#keepWanted(isWanted, ({ latestText }) =>
      groups.some(({ ids, take }, index) => ids.length < take && (least[index] as number) <= latestText),
    )
    for (const { block, rows } of look({ narrow, isBackwards })) {
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

  #keepNumbers(numbers: Int32Array): RowFilter {
    const isWanted = memory.wanted.take(this.#order.size).fill(0)
    let least = Number.POSITIVE_INFINITY
    for (const number of numbers) {
      isWanted[number] = 1
      if (this.#heldOf(number) > 0) least = Math.min(least, number)
    }
    return this.#keepWanted(isWanted, ({ latestText }) => least <= latestText)
  }

  /** `mayHold` says whether a block can have texts that are wanted. */
  #keepWanted(isWanted: Uint8Array, mayHold: (block: ColumnBlock) => boolean): RowFilter {
    const skips = this.#order.column === 'texts'
    return (block, rows) =>
      skips && !mayHold(block) ? { ...rows, count: 0 } : keepMarked(this.#numbersOf(block), isWanted, rows)
  }

  #heldOf(number: number): number {
    return this.#held.values[number] ?? 0
  }

  #numbersOf(block: ColumnBlock): Int32Array | Uint8Array {
    return block[this.#order.column]
  }

  /** The groups of the page in its order, looked for from the nearer end. */
  #groups(events: number, { isBackwards }: Stretch): Group[] {
    const { first, last } = ascendingBounds(this.#page, events)
    let { at, passed } = this.#groupAt(first, { events, isBackwards })
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

  /**
   * Returns the start of the group that holds the match with this number in ascending order, and how many matches
   * precede it.
   */
  #groupAt(
    hit: number,
    { events, isBackwards }: { events: number; isBackwards: boolean },
  ): { at: number; passed: number } {
    const { at, passed } = isBackwards ? this.#numberFromEnd(hit, events) : this.#numberAt(hit)
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
