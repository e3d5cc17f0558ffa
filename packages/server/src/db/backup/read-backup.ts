import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import type { z } from 'zod'
import { OperatorError } from '../connect.ts'
import {
  type BackupEnd,
  type BackupHead,
  backupEnd,
  backupHead,
  FORMAT,
  type ReportProgress,
  ROWS_END,
  startTableSum,
  tableStart,
} from './backup-format.ts'

const NEW_LINE = 0x0a

/** The head names every table and column; thousands of them stay far below this limit. */
const LONGEST_LINE = 16 * 1024 * 1024

/** The stream ended too early or continued after the end of the backup. */
class BrokenSource extends Error {}

/** Reads the unpacked text of a backup by line or as the rows of a table; holds only the current part in memory. */
class BackupSource {
  readonly #pieces: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** Returns the next line without its line break. Throws BrokenSource if no complete line is left. */
  async line(): Promise<Buffer> {
    for (;;) {
      const end = this.#rest.indexOf(NEW_LINE)
      if (end !== -1) {
        const line = this.#rest.subarray(0, end)
        this.#rest = this.#rest.subarray(end + 1)
        return line
      }
      if (this.#rest.length > LONGEST_LINE) throw new BrokenSource('it has an incomplete line')
      this.#rest = Buffer.concat([this.#rest, await this.#next()])
    }
  }

  /** Yields the rows up to their end line, in pieces of any size. Must be read to the end before the next line. */
  async *rows(): AsyncGenerator<Buffer> {
    // The search for the end line includes the line break before it, here the one of the line with the table name.
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

  /** Throws BrokenSource unless everything was read. */
  async end(): Promise<void> {
    const { done } = await this.#pieces.next()
    if (!done || this.#rest.length > 0) throw new BrokenSource('it continues after its end')
  }

  async #next(): Promise<Buffer> {
    const next = await this.#pieces.next()
    if (next.done) throw new BrokenSource('its end is missing')
    return next.value
  }
}

export interface ReadBackup {
  head: BackupHead
  end: BackupEnd
}

interface Visitor {
  /** Called with the head of the backup before its first table. */
  onHead?(head: BackupHead): Promise<void>
  /** Reads all rows of a table, in the text format of COPY. */
  onTable(table: BackupHead['tables'][number], rows: AsyncIterable<Buffer>): Promise<void>
  onProgress?: ReportProgress | undefined
}

/**
 * Reads a backup completely and compares everything with the checksums at its end. The work of the visitor counts only
 * when this returns. Throws OperatorError if the file is damaged, truncated, of a later format, or not a backup.
 */
export async function readBackup(file: string, visitor: Visitor): Promise<ReadBackup> {
  const { size } = await stat(file).catch((error: unknown) => {
    throw explain(error, file)
  })
  if (size === 0) throw new OperatorError(`${file} is empty, not a backup: nothing was changed.`)
  const unpacked = createZstdDecompress()
  // Errors in the pipeline also reach the reader of its last stream.
  pipeline(createReadStream(file, { highWaterMark: 256 * 1024 }), unpacked, () => undefined)
  try {
    return await readAll(new BackupSource(unpacked), { file, visitor })
  } catch (error) {
    throw explain(error, file)
  } finally {
    unpacked.destroy()
  }
}

async function readAll(
  source: BackupSource,
  { file, visitor }: { file: string; visitor: Visitor },
): Promise<ReadBackup> {
  const all = createHash('sha256')
  const takeLine = async () => {
    const line = await source.line()
    all.update(line).update('\n')
    return line
  }
  const head = parseHead(await takeLine(), file)
  await visitor.onHead?.(head)
  const sums: BackupEnd['tables'] = []
  for (const table of head.tables) {
    if (parse(tableStart, await takeLine()).table !== table.name)
      throw new BrokenSource(`table ${table.name} is missing`)
    const sum = startTableSum(table.name)
    const watched = async function* () {
      for await (const rows of source.rows()) {
        all.update(rows)
        sum.add(rows)
        visitor.onProgress?.({ table: table.name, rows: sum.rows() })
        yield rows
      }
    }
    await visitor.onTable(table, watched())
    all.update(ROWS_END.subarray(1))
    sums.push(sum.finish())
  }
  const end = parse(backupEnd, await source.line())
  await source.end()
  for (const [index, sum] of sums.entries()) {
    const expected = end.tables[index]
    if (expected?.table !== sum.table || expected.rows !== sum.rows || expected.sha256 !== sum.sha256) {
      throw new BrokenSource(`the rows of table ${sum.table} do not match their checksum`)
    }
  }
  if (end.sha256 !== all.digest('hex')) throw new BrokenSource('its head does not match its checksum')
  return { head, end }
}

/** Checks the name of the format before the structure, which a later format may have changed. */
function parseHead(line: Buffer, file: string): BackupHead {
  const { benchwatch, format, release } = asObject(line)
  if (benchwatch !== 'backup') throw new BrokenSource('it does not start like a backup')
  if (typeof format === 'number' && format > FORMAT) {
    throw new OperatorError(
      `The backup ${file} was made by Benchwatch ${String(release)} in a format that this release does not know: restore it with that release or a later one.`,
    )
  }
  return parse(backupHead, line)
}

function asObject(line: Buffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(line.toString())) as Record<string, unknown>
  } catch {
    throw new BrokenSource('it has an invalid line')
  }
}

function parse<T>(schema: z.ZodType<T>, line: Buffer): T {
  const parsed = schema.safeParse(asObject(line))
  if (!parsed.success) throw new BrokenSource('it has an invalid line')
  return parsed.data
}

/** Error codes of the unpacker for a file that was truncated, was changed, or is not in this format. */
const UNPACKER: Record<string, string> = {
  Z_BUF_ERROR: 'its end is missing',
  ZSTD_error_checksum_wrong: 'its content does not match its checksum',
  ZSTD_error_prefix_unknown: 'it does not start like a backup',
}

const UNREADABLE = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EISDIR', 'EIO'])

function explain(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof OperatorError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  if (UNREADABLE.has(code)) {
    return new OperatorError(`The backup ${file} can't be read (${message}): check its name and its permissions.`, {
      cause: error,
    })
  }
  const isUnpacker = code.startsWith('ZSTD_') || code.startsWith('Z_')
  if (!isUnpacker && !(error instanceof BrokenSource)) return error
  const reason = UNPACKER[code] ?? message
  return new OperatorError(
    `The backup ${file} is damaged or not a backup (${reason}): nothing was changed. Use another one.`,
    { cause: error },
  )
}
