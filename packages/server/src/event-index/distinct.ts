/** Distinct pieces of bytes, numbered from 0 and one after the other in one piece of memory. */
export class Distinct {
  bytes = new Uint8Array(1 << 12)
  /** The end of each piece in `bytes`. */
  ends = new Uint32Array(64)
  count = 0
  /** Numbers + 1 by hash. A taken slot is followed by the next free one. */
  slots = new Int32Array(128)

  startOf(number: number): number {
    return number === 0 ? 0 : (this.ends[number - 1] as number)
  }

  /** Returns the number of a piece; a new one is copied. */
  numberOf(piece: Uint8Array): number {
    const slot = this.#slotOf(piece, (number) => this.#isAt(number, piece))
    if (this.slots[slot] !== 0) return (this.slots[slot] as number) - 1
    const start = this.startOf(this.count)
    const end = start + piece.length
    if (end > this.bytes.length) this.bytes = copied(this.bytes, new Uint8Array(2 * end))
    if (this.count === this.ends.length) this.ends = copied(this.ends, new Uint32Array(2 * this.count))
    this.bytes.set(piece, start)
    this.ends[this.count] = end
    this.count += 1
    this.slots[slot] = this.count
    if (this.count * 2 > this.slots.length) this.#rehash()
    return this.count - 1
  }

  #isAt(number: number, piece: Uint8Array): boolean {
    const start = this.startOf(number)
    if ((this.ends[number] as number) - start !== piece.length) return false
    for (let at = 0; at < piece.length; at += 1) if (this.bytes[start + at] !== piece[at]) return false
    return true
  }

  #rehash(): void {
    this.slots = new Int32Array(2 * this.slots.length)
    for (let number = 0; number < this.count; number += 1) {
      const piece = this.bytes.subarray(this.startOf(number), this.ends[number])
      this.slots[this.#slotOf(piece, () => false)] = number + 1
    }
  }

  /** Returns the slot of the piece that `isIt` accepts, otherwise the free one. Hashes by FNV-1a. */
  #slotOf(piece: Uint8Array, isIt: (number: number) => boolean): number {
    let hash = 0x811c9dc5
    for (let at = 0; at < piece.length; at += 1) hash = Math.imul(hash ^ (piece[at] as number), 0x01000193)
    const last = this.slots.length - 1
    let slot = (hash ^ (hash >>> 15)) & last
    while (this.slots[slot] !== 0 && !isIt((this.slots[slot] as number) - 1)) slot = (slot + 1) & last
    return slot
  }
}

/** Copies numbers into a larger array and returns that. */
export function copied<T extends Uint8Array | Uint32Array>(numbers: T, larger: T): T {
  larger.set(numbers)
  return larger
}
