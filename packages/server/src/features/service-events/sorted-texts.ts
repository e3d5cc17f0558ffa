/** Numbers in one leaf at most; one that is full becomes two. */
const LEAF = 512

/** Some of the numbers, in order. */
interface Leaf {
  numbers: Int32Array
  size: number
}

/**
 * Numbers of texts in the order of the texts: each goes to its place as it comes, which takes 6 µs among two million, so
 * that a search has nothing to sort. Sorting them when somebody asks would stop the process for 5 s.
 */
export class SortedTexts {
  readonly #leaves: Leaf[] = [{ numbers: new Int32Array(LEAF), size: 0 }]
  readonly #compare: (a: number, b: number) => number
  #size = 0
  /** All of them end to end; made anew when it is asked for after one came. */
  #inOrder = new Int32Array(0)

  constructor(compare: (a: number, b: number) => number) {
    this.#compare = compare
  }

  add(number: number): void {
    const position = this.#firstAfter(number, this.#leaves.length, (index) => this.#leaves[index]?.numbers[0] as number)
    const leafIndex = Math.max(0, position - 1)
    const leaf = this.#leaves[leafIndex] as Leaf
    const at = this.#firstAfter(number, leaf.size, (index) => leaf.numbers[index] as number)
    leaf.numbers.copyWithin(at + 1, at, leaf.size)
    leaf.numbers[at] = number
    leaf.size += 1
    this.#size += 1
    if (leaf.size === LEAF) this.#split(leaf, leafIndex)
  }

  /** All numbers in order; it stays as it is until the next one comes. */
  inOrder(): Int32Array {
    if (this.#inOrder.length !== this.#size) {
      this.#inOrder = new Int32Array(this.#size)
      let at = 0
      for (const { numbers, size } of this.#leaves) {
        this.#inOrder.set(numbers.subarray(0, size), at)
        at += size
      }
    }
    return this.#inOrder
  }

  /** Of `count` numbers in order, the position of the first that comes after the given one. */
  #firstAfter(number: number, count: number, numberAt: (index: number) => number): number {
    // The very first one meets an empty leaf.
    let from = 0
    let to = this.#size === 0 ? 0 : count
    while (from < to) {
      const middle = (from + to) >>> 1
      if (this.#compare(numberAt(middle), number) <= 0) from = middle + 1
      else to = middle
    }
    return from
  }

  #split(leaf: Leaf, index: number): void {
    const half = LEAF / 2
    const upper = { numbers: new Int32Array(LEAF), size: half }
    upper.numbers.set(leaf.numbers.subarray(half))
    leaf.size = half
    this.#leaves.splice(index + 1, 0, upper)
  }
}
