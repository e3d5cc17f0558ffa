type Numbers = Uint8Array | Uint32Array | Int32Array

/**
 * Memory that each search of the columns uses again: searches never overlap, and megabytes taken anew each time make V8
 * clean up every few searches (60 ms where ten million events stand in memory). What it holds is whatever was left there.
 */
export class ReusedMemory<T extends Numbers> {
  readonly #make: (length: number) => T
  #numbers: T

  constructor(make: (length: number) => T) {
    this.#make = make
    this.#numbers = make(0)
  }

  take(length: number): T {
    if (this.#numbers.length < length) this.#numbers = this.#make(Math.ceil(length * 1.25))
    return this.#numbers.subarray(0, length) as T
  }
}
