/** The events of a block that are not closed: by their row, when something was last done about them. */
export class OpenEvents {
  readonly #lastActions = new Map<number, number>()
  #rows: Uint32Array | undefined

  get size(): number {
    return this.#lastActions.size
  }

  /** Ascending, until one is opened or closed; each search asks for them, and copying them out of a map takes 50 ns a row. */
  get rows(): Uint32Array {
    this.#rows ??= Uint32Array.from(this.#lastActions.keys()).sort()
    return this.#rows
  }

  /** In milliseconds since 1970; undefined where the event is closed. */
  lastActionAt(row: number): number | undefined {
    return this.#lastActions.get(row)
  }

  /** Undefined for an event that is closed. */
  set(row: number, lastActionAt: number | undefined): void {
    if (this.#lastActions.has(row) !== (lastActionAt !== undefined)) this.#rows = undefined
    if (lastActionAt === undefined) this.#lastActions.delete(row)
    else this.#lastActions.set(row, lastActionAt)
  }
}
