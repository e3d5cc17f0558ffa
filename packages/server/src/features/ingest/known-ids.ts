/** More names than any fleet has; a memory beyond it begins anew. */
const LARGEST_MEMORY = 100_000

/**
 * Numbers of what never changes once it has one, as this process found them stored: components by name, lives of
 * gateways' outboxes by gateway and epoch. Only what a transaction found there at its first look is remembered, never
 * what it added itself: it may still be undone.
 */
export class KnownIds {
  readonly #ids = new Map<string, number>()
  readonly #mostNames: number

  constructor(mostNames = LARGEST_MEMORY) {
    this.#mostNames = mostNames
  }

  /** The numbers of these names; `read` is asked for those not known yet. */
  async find(
    names: readonly string[],
    read: (unknown: readonly string[]) => Promise<ReadonlyMap<string, number>>,
  ): Promise<Map<string, number>> {
    // Before anything is looked up: what was known a moment ago must not be taken for new.
    if (this.#ids.size > this.#mostNames) this.#ids.clear()
    const unknown = names.filter((name) => !this.#ids.has(name))
    if (unknown.length > 0) for (const [name, id] of await read(unknown)) this.#ids.set(name, id)
    return new Map(
      names.flatMap((name) => {
        const id = this.#ids.get(name)
        return id === undefined ? [] : [[name, id]]
      }),
    )
  }
}
