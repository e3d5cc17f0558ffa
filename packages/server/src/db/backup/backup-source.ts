import { ROWS_END } from './backup-format.ts'

const NEW_LINE = 0x0a
/** The head names every table and column; thousands of them stay far below. */
const LONGEST_LINE = 16 * 1024 * 1024

/** The stream ended, or went on, where a whole backup would not. */
export class BrokenSource extends Error {}

/** The unpacked text of a backup, taken line by line or as the rows of a table; only what is being looked at is held. */
export class BackupSource {
  readonly #pieces: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** The next line without its end. Throws BrokenSource when there is no whole one. */
  async line(): Promise<Buffer> {
    for (;;) {
      const end = this.#rest.indexOf(NEW_LINE)
      if (end !== -1) {
        const line = this.#rest.subarray(0, end)
        this.#rest = this.#rest.subarray(end + 1)
        return line
      }
      if (this.#rest.length > LONGEST_LINE) throw new BrokenSource('it has a line without an end')
      this.#rest = Buffer.concat([this.#rest, await this.#next()])
    }
  }

  /** Rows up to the line that ends them, in pieces of any size. Must be taken to the end before the next line. */
  async *rows(): AsyncGenerator<Buffer> {
    // The line that ends them is looked for together with the end of the line before it, here the one that named the table.
    let seen: Buffer = Buffer.concat([ROWS_END.subarray(0, 1), this.#rest])
    let given = 1
    for (;;) {
      const end = seen.indexOf(ROWS_END)
      const upTo = end === -1 ? Math.max(given, seen.length - ROWS_END.length + 1) : end + 1
      if (upTo > given) yield seen.subarray(given, upTo)
      if (end !== -1) {
        this.#rest = seen.subarray(end + ROWS_END.length)
        return
      }
      const kept = Math.max(0, seen.length - ROWS_END.length + 1)
      given = upTo - kept
      seen = Buffer.concat([seen.subarray(kept), await this.#next()])
    }
  }

  /** Throws BrokenSource unless everything was taken. */
  async end(): Promise<void> {
    const { done } = await this.#pieces.next()
    if (!done || this.#rest.length > 0) throw new BrokenSource('something follows its end')
  }

  async #next(): Promise<Buffer> {
    const next = await this.#pieces.next()
    if (next.done) throw new BrokenSource('its end is missing')
    return next.value
  }
}
