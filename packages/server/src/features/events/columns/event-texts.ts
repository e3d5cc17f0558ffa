import { totalmem } from 'node:os'

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

  /** Returns the position of the first of `count` sorted numbers that is greater than the given one. */
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

const MB = 1_000_000
/**
 * Texts may take a sixteenth of the machine's memory, half a gigabyte at most: what two million different ones need. Beyond
 * it the database searches them.
 */
const MOST_BYTES = Math.min(500 * MB, totalmem() / 16)
/**
 * After each description and each user message, so that no word is found across them: no text of the database holds it.
 * As the lowest of all bytes it also puts a description before those that it begins.
 */
const END = 0

/** A folded text as the columns hold it, changed in place: its description is so many bytes long, then a line break follows. */
export function dividedText(text: Buffer, descriptionBytes: number): Buffer {
  if (descriptionBytes < text.length) text[descriptionBytes] = END
  return text
}

/**
 * Texts of events, each different one once, end to end in one piece of memory: a word is found in 30 MB within 20 ms. As
 * texts of JavaScript in a map they would take five times as much. A text is a description, folded, and where there is a
 * user message END and that.
 */
export class EventTexts {
  #bytes = Buffer.alloc(1 << 16)
  #length = 0
  /** End of each text. */
  #ends = new Int32Array(1024)
  #count = 0
  /** The number of a text by its hash; those that share one follow at the next free numbers. */
  readonly #numbers = new Map<number, number>()
  readonly #sorted = new SortedTexts((a, b) => this.#compare(a, b))
  readonly #mostBytes: number

  constructor(mostBytes = MOST_BYTES) {
    this.#mostBytes = mostBytes
  }

  get count(): number {
    return this.#count
  }

  /** The number of a text, from 0; a new one is added. Null when there is no room for it. */
  numberOf(text: Uint8Array): number | null {
    let hash = hashOf(text)
    for (;;) {
      const number = this.#numbers.get(hash)
      if (number === undefined) return this.#add(text, hash)
      if (this.#isText(number, text)) return number
      hash += 1
    }
  }

  /** True if a text contains the word. */
  holds(number: number, word: Buffer): boolean {
    return this.#bytes.subarray(this.#startOf(number), this.#ends[number]).includes(word)
  }

  /** A byte for each text, 1 for those that hold the word. */
  holding(word: Buffer): Uint8Array {
    const found = new Uint8Array(this.#count)
    const bytes = this.#bytes.subarray(0, this.#length)
    let number = 0
    for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, this.#ends[number])) {
      while ((this.#ends[number] as number) <= at) number += 1
      found[number] = 1
    }
    return found
  }

  /** Numbers of all texts, in the order of the bytes of their descriptions; those with the same one stand together. */
  inOrder(): Int32Array {
    return this.#sorted.inOrder()
  }

  /** True if two texts have the same description, whatever their user messages. */
  haveSameDescription(a: number, b: number): boolean {
    const first = this.#descriptionOf(a)
    return first.equals(this.#descriptionOf(b))
  }

  #descriptionOf(number: number): Buffer {
    const from = this.#startOf(number)
    return this.#bytes.subarray(from, this.#bytes.indexOf(END, from))
  }

  #compare(a: number, b: number): number {
    return this.#bytes.compare(this.#bytes, this.#startOf(b), this.#ends[b], this.#startOf(a), this.#ends[a])
  }

  #add(text: Uint8Array, hash: number): number | null {
    const end = this.#length + text.length + 1
    if (end > this.#mostBytes) return null
    if (end > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(end, this.#bytes.length * 2))
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes.set(text, this.#length)
    this.#bytes[end - 1] = END
    this.#length = end
    if (this.#count === this.#ends.length) {
      const larger = new Int32Array(this.#count * 2)
      larger.set(this.#ends)
      this.#ends = larger
    }
    this.#ends[this.#count] = end
    this.#numbers.set(hash, this.#count)
    this.#count += 1
    this.#sorted.add(this.#count - 1)
    return this.#count - 1
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] as number)
  }

  #isText(number: number, text: Uint8Array): boolean {
    const from = this.#startOf(number)
    const end = (this.#ends[number] as number) - 1
    return end - from === text.length && this.#bytes.compare(text, 0, text.length, from, end) === 0
  }
}

/** FNV-1a, twice with different beginnings, as one number of 52 bits. */
function hashOf(text: Uint8Array): number {
  let low = 0x811c9dc5
  let high = 0x01000193
  for (const byte of text) {
    low = Math.imul(low ^ byte, 0x01000193)
    high = Math.imul(high ^ byte, 0x5bd1e995)
  }
  return (high & 0xfffff) * 2 ** 32 + (low >>> 0)
}
