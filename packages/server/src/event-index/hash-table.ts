/** Finds numbers from 0 on by the hash of what they stand for: 8 bytes each, where a Map takes 50. */
export class HashTable {
  count = 0
  /** Numbers + 1; 0 is free. A taken slot is followed by the next free one. */
  #slots = new Int32Array(1 << 12)
  readonly #hashOf: (number: number) => number

  constructor(hashOf: (number: number) => number) {
    this.#hashOf = hashOf
  }

  /** Returns the number with this hash that `isIt` accepts; undefined if there is none. */
  find(hash: number, isIt: (number: number) => boolean): number | undefined {
    const last = this.#slots.length - 1
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const number = (this.#slots[slot] as number) - 1
      if (number < 0) return undefined
      if (isIt(number)) return number
    }
  }

  /** Adds the next number. */
  add(hash: number): number {
    const number = this.count
    this.count += 1
    if (this.count * 2 > this.#slots.length) this.#grow()
    else this.#take(hash, number)
    return number
  }

  /** Adds numbers up to a count. */
  fill(count: number): void {
    while (this.count < count) this.add(this.#hashOf(this.count))
  }

  #take(hash: number, number: number): void {
    const last = this.#slots.length - 1
    let slot = hash & last
    while (this.#slots[slot] !== 0) slot = (slot + 1) & last
    this.#slots[slot] = number + 1
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2)
    for (let number = 0; number < this.count; number += 1) this.#take(this.#hashOf(number), number)
  }
}

/** Spreads a hash over its lower bits. */
export function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return half ^ (half >>> 13)
}
