import { Distinct } from './distinct.ts'

/** Ends each description and each message. No text of the database contains it, and it is the lowest byte. */
const END = 0
/** Added to a sorted text that repeats the description before it. */
const REPEATS = 2 ** 31

/**
 * The distinct texts of events. A text is a folded description with END, and where there is a user message, that with
 * END.
 */
export class EventTexts extends Distinct {
  /** Texts in the order of their descriptions, as far as they were sorted. */
  sorted = new Uint32Array(0)
  #ranks = new Uint32Array(0)

  /** Returns the number of a text; a new one is added. */
  numberOfText(text: string, descriptionBytes: number): number {
    const bytes = Buffer.from(`${text}\0`)
    bytes[descriptionBytes] = END
    return this.numberOf(bytes)
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
}

function textAt(sorted: Uint32Array, place: number): number {
  return (sorted[place] as number) & (REPEATS - 1)
}
