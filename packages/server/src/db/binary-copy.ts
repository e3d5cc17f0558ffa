import { Writable } from 'node:stream'

/** `PGCOPY\n\xff\r\n\0`, flags and the length of an extension that nobody uses. */
const HEADER_BYTES = 19
/** 2000-01-01, from which PostgreSQL counts microseconds. */
const POSTGRES_EPOCH_MS = 946_684_800_000

/** The fields of one row, taken in the order in which the query names them. */
export interface BinaryRow {
  int2(): number | null
  int4(): number | null
  /** Of a column that is never null, below 2^53. */
  int8(): number
  boolean(): boolean
  /** Milliseconds since 1970; of a column that is never null. */
  instant(): number
  /** A text as UTF-8, only until the next row; of a column that is never null. */
  bytes(): Buffer
}

/** A stream to write `COPY … TO STDOUT (FORMAT binary)` to; `take` is called for each row and reads all its fields. */
export function readBinaryCopy(take: (row: BinaryRow) => void): Writable {
  let rest: Buffer = Buffer.alloc(0)
  let isBegun = false
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      const cursor = new Cursor(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]))
      if (!isBegun && cursor.skipHeader()) isBegun = true
      if (isBegun) while (cursor.hasWholeRow()) take(cursor)
      rest = cursor.rest()
      done()
    },
  })
}

class Cursor implements BinaryRow {
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

  /** Whether the next row is there up to its last byte; then it stands before its first field. */
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

  int8(): number {
    const at = this.#field() ?? 0
    return this.#bytes.readInt32BE(at) * 4_294_967_296 + this.#bytes.readUInt32BE(at + 4)
  }

  boolean(): boolean {
    return this.#bytes[this.#field() ?? 0] === 1
  }

  instant(): number {
    return this.int8() / 1000 + POSTGRES_EPOCH_MS
  }

  bytes(): Buffer {
    const at = this.#field() ?? 0
    return this.#bytes.subarray(at, this.#at)
  }

  /** Where the next field begins; null for NULL. */
  #field(): number | null {
    const length = this.#bytes.readInt32BE(this.#at)
    const at = this.#at + 4
    this.#at = at + Math.max(0, length)
    return length < 0 ? null : at
  }
}
