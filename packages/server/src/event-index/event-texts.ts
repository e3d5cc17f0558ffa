/** Ends each description and each message. No text of the database contains it, and it is the lowest byte. */
const END = 0
/** Added to a sorted text that repeats the description before it. */
const REPEATS = 2 ** 31

/**
 * The distinct texts of events, numbered from 0 and one after the other in one piece of memory. A text is a folded
 * description with END, and where there is a user message, that with END.
 */
export class EventTexts {
  bytes = new Uint8Array(1 << 16)
  /** The end of each text in `bytes`. */
  ends = new Uint32Array(1024)
  count = 0
  /** Texts in the order of their descriptions, as far as they were sorted. */
  sorted = new Uint32Array(0)
  #ranks = new Uint32Array(0)
  /** Numbers + 1 by hash. A taken slot is followed by the next free one. */
  slots = new Int32Array(1 << 12)

  startOf(number: number): number {
    return number === 0 ? 0 : (this.ends[number - 1] as number)
  }

  /** Returns the number of a text; a new one is added. */
  numberOf(text: string, descriptionBytes: number): number {
    const bytes = Buffer.from(text)
    if (descriptionBytes < bytes.length) bytes[descriptionBytes] = END
    const slot = this.#slotOf(bytes, (number) => {
      const [start, end] = [this.startOf(number), (this.ends[number] as number) - 1]
      return end - start === bytes.length && bytes.compare(this.bytes, start, end) === 0
    })
    if (this.slots[slot] !== 0) return (this.slots[slot] as number) - 1
    const start = this.startOf(this.count)
    const end = start + bytes.length + 1
    if (end > this.bytes.length) this.bytes = copied(this.bytes, new Uint8Array(2 * end))
    if (this.count === this.ends.length) this.ends = copied(this.ends, new Uint32Array(2 * this.count + 1))
    this.bytes.set(bytes, start)
    this.ends[this.count] = end
    this.count += 1
    this.slots[slot] = this.count
    if (this.count * 2 > this.slots.length) this.#rehash()
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
    for (let place = 0; place < this.count; place += 1) {
      if ((this.sorted[place] as number) < REPEATS) rank += 1
      this.#ranks[textAt(this.sorted, place)] = rank
    }
    return this.#ranks
  }

  /** Puts texts that were added since the last time among the sorted ones. */
  sort(): void {
    const before = this.sorted
    const added = new Uint32Array(this.count - before.length).map((_, index) => before.length + index)
    added.sort((a, b) => this.#compare(a, b))
    const sorted = new Uint32Array(this.count)
    let from = 0
    const places = added.map((text, index) => {
      let to = before.length
      for (let first = from; first < to; ) {
        const middle = (first + to) >>> 1
        if (this.#compare(textAt(before, middle), text) <= 0) first = middle + 1
        else to = middle
      }
      sorted.set(before.subarray(from, to), from + index)
      sorted[to + index] = text
      from = to
      return to + index
    })
    sorted.set(before.subarray(from), from + added.length)
    for (const place of places) for (const at of [place, place + 1]) this.#mark(sorted, at)
    this.sorted = sorted
  }

  #mark(sorted: Uint32Array, place: number): void {
    if (place === 0 || place >= sorted.length) return
    const text = textAt(sorted, place)
    sorted[place] = this.#compare(textAt(sorted, place - 1), text) === 0 ? text + REPEATS : text
  }

  /** Makes the table of hashes anew. */
  #rehash(): void {
    this.slots = new Int32Array(2 << Math.ceil(Math.log2(this.count + 1024)))
    for (let number = 0; number < this.count; number += 1) {
      const bytes = this.bytes.subarray(this.startOf(number), (this.ends[number] as number) - 1)
      this.slots[this.#slotOf(bytes, () => false)] = number + 1
    }
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

  /** Returns the slot of the text with these bytes that `isIt` accepts, otherwise the free one. Hashes by FNV-1a. */
  #slotOf(bytes: Uint8Array, isIt: (number: number) => boolean): number {
    let hash = 0x811c9dc5
    for (let at = 0; at < bytes.length; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
    const last = this.slots.length - 1
    let slot = (hash ^ (hash >>> 15)) & last
    while (this.slots[slot] !== 0 && !isIt((this.slots[slot] as number) - 1)) slot = (slot + 1) & last
    return slot
  }
}

function textAt(sorted: Uint32Array, place: number): number {
  return (sorted[place] as number) & (REPEATS - 1)
}

function copied<T extends Uint8Array | Uint32Array>(numbers: T, larger: T): T {
  larger.set(numbers)
  return larger
}
