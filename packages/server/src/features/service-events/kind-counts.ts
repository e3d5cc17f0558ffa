/** How many events of each kind there are in some blocks, by the number of the kind. */
export class KindCounts {
  /** Kinds beyond its end have no events. */
  values = new Uint32Array(1024)

  add(kind: number, events: number): void {
    if (kind >= this.values.length) {
      const larger = new Uint32Array(Math.max(kind + 1, Math.ceil(this.values.length * 1.25)))
      larger.set(this.values)
      this.values = larger
    }
    this.values[kind] = (this.values[kind] as number) + events
  }
}
