import { HashTable, mixed } from './hash-table.ts'

/**
 * Ends each description and each user message in memory. No text of the database contains it, so no word is found
 * across two of them, and as the lowest byte it puts a description before those that it begins.
 */
const END = 0

/** Divides a folded text in place: its description is so many bytes long, and a line break follows if it has a message. */
export function dividedText(text: Uint8Array, descriptionBytes: number): Uint8Array {
  if (descriptionBytes < text.length) text[descriptionBytes] = END
  return text
}

/** The distinct texts of events, numbered from 0 and one after the other in one piece of memory. */
export class EventTexts {
  bytes = new Uint8Array(1 << 16)
  /** End of each text in `bytes`, behind its END. */
  ends = new Uint32Array(1024)
  /** Texts by their descriptions, as far as they were sorted; `isRepeat` marks those that repeat the description before. */
  sorted = new Uint32Array(0)
  isRepeat = new Uint8Array(0)
  #ranks: Uint32Array | null = null
  readonly #table = new HashTable((number) =>
    hashOf(this.bytes, this.#startOf(number), (this.ends[number] as number) - 1),
  )

  get count(): number {
    return this.#table.count
  }

  /** Bytes in use. */
  get length(): number {
    return this.#startOf(this.count)
  }

  /** Returns the number of a text; a new one is added. */
  numberOf(text: Uint8Array): number {
    const hash = hashOf(text, 0, text.length)
    const known = this.#table.find(hash, (number) => this.#isText(number, text))
    if (known !== undefined) return known
    this.#append(text)
    return this.#table.add(hash)
  }

  /** Takes the texts over that a file contained. */
  restore(texts: Pick<EventTexts, 'bytes' | 'ends' | 'sorted' | 'isRepeat'>): void {
    Object.assign(this, texts)
    this.#table.fill(texts.ends.length)
  }

  /** True if description or user message contain a word. */
  contains(number: number, word: Uint8Array): boolean {
    const { bytes } = this
    const first = word[0]
    const end = (this.ends[number] as number) - word.length
    for (let at = this.#startOf(number); at < end; at += 1) {
      if (bytes[at] !== first) continue
      let length = 1
      while (length < word.length && bytes[at + length] === word[length]) length += 1
      if (length === word.length) return true
    }
    return false
  }

  /** Returns the rank of each text in the order of its description's bytes; equal descriptions share a rank. */
  ranks(): Uint32Array {
    this.sort()
    if (this.#ranks?.length === this.count) return this.#ranks
    this.#ranks = new Uint32Array(this.count)
    let rank = 0
    for (let index = 0; index < this.count; index += 1) {
      if (this.isRepeat[index] === 0) rank += 1
      this.#ranks[this.sorted[index] as number] = rank
    }
    return this.#ranks
  }

  /** Puts texts that are not sorted yet among those that are. */
  sort(): void {
    const { sorted, isRepeat, count } = this
    if (sorted.length === count) return
    const added = new Uint32Array(count - sorted.length).map((_, index) => sorted.length + index)
    added.sort((a, b) => this.#compare(a, b))
    this.sorted = new Uint32Array(count)
    this.isRepeat = new Uint8Array(count)
    let from = 0
    const places = added.map((text, index) => {
      const to = this.#firstAfter(text, sorted, from)
      this.sorted.set(sorted.subarray(from, to), from + index)
      this.isRepeat.set(isRepeat.subarray(from, to), from + index)
      this.sorted[to + index] = text
      from = to
      return to + index
    })
    this.sorted.set(sorted.subarray(from), from + added.length)
    this.isRepeat.set(isRepeat.subarray(from), from + added.length)
    for (const place of places) {
      this.#markRepeat(place)
      this.#markRepeat(place + 1)
    }
  }

  #markRepeat(index: number): void {
    if (index === 0 || index >= this.count) return
    const order = this.#compare(this.sorted[index - 1] as number, this.sorted[index] as number)
    this.isRepeat[index] = order === 0 ? 1 : 0
  }

  /** Returns the first place from `from` on whose text is greater. */
  #firstAfter(text: number, sorted: Uint32Array, from: number): number {
    let to = sorted.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if (this.#compare(sorted[middle] as number, text) <= 0) from = middle + 1
      else to = middle
    }
    return from
  }

  /** Compares the bytes of two descriptions. */
  #compare(a: number, b: number): number {
    const { bytes } = this
    let at = this.#startOf(a)
    let other = this.#startOf(b)
    while (bytes[at] === bytes[other] && bytes[at] !== END) {
      at += 1
      other += 1
    }
    return (bytes[at] as number) - (bytes[other] as number)
  }

  #append(text: Uint8Array): void {
    const start = this.length
    const end = start + text.length + 1
    if (end > this.bytes.length) {
      const larger = new Uint8Array(Math.max(end, this.bytes.length * 2))
      larger.set(this.bytes)
      this.bytes = larger
    }
    if (this.count === this.ends.length) {
      const larger = new Uint32Array(Math.max(1024, this.count * 2))
      larger.set(this.ends)
      this.ends = larger
    }
    this.bytes.set(text, start)
    this.ends[this.count] = end
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.ends[number - 1] as number)
  }

  #isText(number: number, text: Uint8Array): boolean {
    const start = this.#startOf(number)
    if ((this.ends[number] as number) - start !== text.length + 1) return false
    for (let index = 0; index < text.length; index += 1) {
      if (this.bytes[start + index] !== text[index]) return false
    }
    return true
  }
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
  return mixed(hash)
}
