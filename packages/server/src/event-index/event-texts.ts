/** Ends each description and each message. No text of the database contains it, and it is the lowest byte. */
const END = 0

/**
 * The distinct texts of events, numbered from 0 and one after the other in one piece of memory. A text is a folded
 * description with END, and where there is a user message, that with END.
 */
export class EventTexts {
  bytes = new Uint8Array(1 << 16)
  /** Where each text ends in `bytes`. */
  ends = new Uint32Array(1024)
  count = 0
  /** Texts in the order of their descriptions, as far as they were sorted. */
  sorted = new Uint32Array(0)
  #ranks = new Uint32Array(0)
  /** Numbers + 1 by hash. A taken slot is followed by the next free one. */
  #slots = new Int32Array(1 << 12)

  startOf(number: number): number {
    return number === 0 ? 0 : (this.ends[number - 1] as number)
  }

  /** Returns the number of a text; a new one is added. */
  numberOf(text: string | Uint8Array, descriptionBytes: number): number {
    const bytes = Buffer.from(text as string)
    if (descriptionBytes < bytes.length) bytes[descriptionBytes] = END
    let slot = this.#slotOf(bytes, 0, bytes.length)
    for (; this.#slots[slot] !== 0; slot = (slot + 1) % this.#slots.length) {
      const number = (this.#slots[slot] as number) - 1
      const start = this.startOf(number)
      const end = (this.ends[number] as number) - 1
      if (end - start === bytes.length && bytes.compare(this.bytes, start, end) === 0) return number
    }
    this.#slots[slot] = this.count + 1
    const start = this.startOf(this.count)
    const end = start + bytes.length + 1
    if (end > this.bytes.length) this.bytes = copied(this.bytes, new Uint8Array(2 * end))
    if (this.count === this.ends.length) this.ends = copied(this.ends, new Uint32Array(2 * this.count + 1))
    this.bytes.set(bytes, start)
    this.ends[this.count] = end
    this.count += 1
    if (this.count * 2 > this.#slots.length) this.rehash()
    return this.count - 1
  }

  /** True if description or user message contain a word. */
  contains(number: number, word: Uint8Array): boolean {
    const { bytes } = this
    const end = (this.ends[number] as number) - word.length
    for (let at = this.startOf(number); at < end; at += 1) {
      if (bytes[at] !== word[0]) continue
      let length = 1
      while (length < word.length && bytes[at + length] === word[length]) length += 1
      if (length === word.length) return true
    }
    return false
  }

  /** Returns the rank of each text in the order of its description's bytes; equal descriptions share a rank. */
  ranks(): Uint32Array {
    this.sort()
    if (this.#ranks.length === this.count) return this.#ranks
    this.#ranks = new Uint32Array(this.count)
    let rank = 0
    this.sorted.forEach((text, place) => {
      if (place === 0 || this.#compare(this.sorted[place - 1] as number, text) !== 0) rank += 1
      this.#ranks[text] = rank
    })
    return this.#ranks
  }

  /** Puts texts that were added since the last time among the sorted ones. */
  sort(): void {
    const { sorted, count } = this
    if (sorted.length === count) return
    const added = Uint32Array.from({ length: count - sorted.length }, (_, index) => sorted.length + index)
    added.sort((a, b) => this.#compare(a, b))
    this.sorted = new Uint32Array(count)
    let from = 0
    added.forEach((text, index) => {
      const to = this.#firstAfter(text, sorted, from)
      this.sorted.set(sorted.subarray(from, to), from + index)
      this.sorted[to + index] = text
      from = to
    })
    this.sorted.set(sorted.subarray(from), from + added.length)
  }

  /** Makes the table of hashes anew. */
  rehash(): void {
    this.#slots = new Int32Array(2 << Math.ceil(Math.log2(this.count + 1)))
    for (let number = 0; number < this.count; number += 1) {
      let slot = this.#slotOf(this.bytes, this.startOf(number), (this.ends[number] as number) - 1)
      while (this.#slots[slot] !== 0) slot = (slot + 1) % this.#slots.length
      this.#slots[slot] = number + 1
    }
  }

  #firstAfter(text: number, sorted: Uint32Array, from: number): number {
    let to = sorted.length
    let first = from
    while (first < to) {
      const middle = (first + to) >>> 1
      if (this.#compare(sorted[middle] as number, text) <= 0) first = middle + 1
      else to = middle
    }
    return first
  }

  /** Compares two descriptions by their bytes. */
  #compare(a: number, b: number): number {
    const { bytes } = this
    let at = this.startOf(a)
    let other = this.startOf(b)
    while (bytes[at] === bytes[other] && bytes[at] !== END) {
      at += 1
      other += 1
    }
    return (bytes[at] as number) - (bytes[other] as number)
  }

  /** Returns the slot where the search for a text begins: FNV-1a, mixed once more. */
  #slotOf(bytes: Uint8Array, from: number, to: number): number {
    let hash = 0x811c9dc5
    for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
    return (hash ^ (hash >>> 15)) & (this.#slots.length - 1)
  }
}

function copied<T extends Uint8Array | Uint32Array>(numbers: T, larger: T): T {
  larger.set(numbers)
  return larger
}
