/** Times from and before, in milliseconds since 1970. */
export interface Range {
  from: number
  to: number
}

/** An instant for each row, in milliseconds since 1970, and the bounds of those there ever were. */
export class InstantColumn {
  /** 0 where there is none; empty until there is one. */
  values = new Float64Array(0)
  earliest = Number.POSITIVE_INFINITY
  latest = Number.NEGATIVE_INFINITY
  readonly #rows: number

  constructor(rows: number) {
    this.#rows = rows
  }

  at(row: number): number {
    return this.values[row] ?? 0
  }

  set(row: number, instant: number): void {
    if (this.values.length === 0) this.values = new Float64Array(this.#rows)
    this.values[row] = instant
    this.earliest = Math.min(this.earliest, instant)
    this.latest = Math.max(this.latest, instant)
  }

  clear(row: number): void {
    if (this.values.length > 0) this.values[row] = 0
  }

  isOutside({ from, to }: Range): boolean {
    return this.latest < from || this.earliest >= to
  }

  /** Whether none of them lies outside a range. */
  isWithin({ from, to }: Range): boolean {
    return from <= this.earliest && this.latest < to
  }
}
