/** Counts events by a number, such as that of their kind, text, owner or state. */
export class NumberCounts {
  /** Numbers beyond the end have no events. */
  values = new Uint32Array(1024)

  add(number: number, events: number): void {
    if (number >= this.values.length) {
      const larger = new Uint32Array(Math.max(number + 1, Math.ceil(this.values.length * 1.25)))
      larger.set(this.values)
      this.values = larger
    }
    this.values[number] = (this.values[number] as number) + events
  }
}
