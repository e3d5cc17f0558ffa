import { Writable } from 'node:stream'

/** `PGCOPY\n\xff\r\n\0`, flags, and the length of an extension area, which is always empty. */
const HEADER_BYTES = 19
/** 2000-01-01, the epoch of PostgreSQL timestamps. */
const POSTGRES_EPOCH_MS = 946_684_800_000

/**
 * Returns a stream for the output of `COPY … TO STDOUT (FORMAT binary)`; `take` is called for each row and must read
 * all its fields.
 */
export function readBinaryCopy(take: (row: BinaryRows) => void): Writable {
  let rest: Buffer = Buffer.alloc(0)
  let isBegun = false
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      const rows = new BinaryRows(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]))
      if (!isBegun && rows.skipHeader()) isBegun = true
      if (isBegun) while (rows.hasWholeRow()) take(rows)
      rest = rows.rest()
      done()
    },
  })
}

/** Reads the fields of one row after the other, in the order of the query's columns. */
class BinaryRows {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  skipHeader(): boolean {
    if (this.#bytes.length < HEADER_BYTES) return false
    this.#at = HEADER_BYTES
    return true
  }

  /** Returns true if the next row is complete; the position is then before its first field. */
  hasWholeRow(): boolean {
    const bytes = this.#bytes
    let at = this.#at
    if (at + 2 > bytes.length) return false
    // -1 is the end of the copy.
    const fields = bytes.readInt16BE(at)
    if (fields < 0) return false
    at += 2
    for (let field = 0; field < fields; field += 1) {
      if (at + 4 > bytes.length) return false
      at += 4 + Math.max(0, bytes.readInt32BE(at))
      if (at > bytes.length) return false
    }
    this.#at += 2
    return true
  }

  rest(): Buffer {
    return this.#bytes.subarray(this.#at)
  }

  int2(): number | null {
    const at = this.#field()
    return at === null ? null : this.#bytes.readInt16BE(at)
  }

  int4(): number | null {
    const at = this.#field()
    return at === null ? null : this.#bytes.readInt32BE(at)
  }

  /** For a column that is never null, with values below 2^53. */
  int8(): number {
    const at = this.#field() ?? 0
    return this.#bytes.readInt32BE(at) * 4_294_967_296 + this.#bytes.readUInt32BE(at + 4)
  }

  boolean(): boolean {
    return this.#bytes[this.#field() ?? 0] === 1
  }

  /** Returns milliseconds since 1970; for a column that is never null. */
  instant(): number {
    return this.int8() / 1000 + POSTGRES_EPOCH_MS
  }

  /** Returns a text as UTF-8, valid only until the next row; for a column that is never null. */
  bytes(): Buffer {
    const at = this.#field() ?? 0
    return this.#bytes.subarray(at, this.#at)
  }

  /** Returns the position of the next field; null for NULL. */
  #field(): number | null {
    const length = this.#bytes.readInt32BE(this.#at)
    const at = this.#at + 4
    this.#at = at + Math.max(0, length)
    return length < 0 ? null : at
  }
}
