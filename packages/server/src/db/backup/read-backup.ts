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
  ROWS_END,
  tableStart,
} from './backup-format.ts'
import { BackupSource, BrokenSource } from './backup-source.ts'
import { type ReportProgress, startTableSum } from './table-sum.ts'

export interface ReadBackup {
  head: BackupHead
  end: BackupEnd
}

interface Visitor {
  /** Hears what is in the backup before its first table. */
  onHead?(head: BackupHead): Promise<void>
  /** Takes the rows of a table, in the text of COPY, to their end. */
  onTable(table: BackupHead['tables'][number], rows: AsyncIterable<Buffer>): Promise<void>
  onProgress?: ReportProgress | undefined
}

/**
 * Reads a backup from its first byte to its last and compares everything with the sums that it ends with. What the
 * visitor did on the way counts only when this returns. Throws OperatorError when the file is damaged, cut, of a later
 * format, or no backup.
 */
export async function readBackup(file: string, visitor: Visitor): Promise<ReadBackup> {
  const { size } = await stat(file).catch((error: unknown) => {
    throw explain(error, file)
  })
  if (size === 0) throw new OperatorError(`${file} is empty, not a backup: nothing was changed.`)
  const unpacked = createZstdDecompress()
  // What fails in the pipeline fails the reader of its end, too.
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
    const told = end.tables[index]
    if (told?.table !== sum.table || told.rows !== sum.rows || told.sha256 !== sum.sha256) {
      throw new BrokenSource(`the rows of table ${sum.table} are not those that were written`)
    }
  }
  if (end.sha256 !== all.digest('hex')) throw new BrokenSource('its head is not the one that was written')
  return { head, end }
}

/** The name of the format is looked at before its shape, which a later one may have changed. */
function parseHead(line: Buffer, file: string): BackupHead {
  const { benchwatch, format, release } = asObject(line)
  if (benchwatch !== 'backup') throw new BrokenSource('it does not begin as one')
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
    throw new BrokenSource('one of its lines is garbled')
  }
}

function parse<T>(schema: z.ZodType<T>, line: Buffer): T {
  const parsed = schema.safeParse(asObject(line))
  if (!parsed.success) throw new BrokenSource('one of its lines is garbled')
  return parsed.data
}

/** The words of the unpacker for a file that is cut, that was changed, and that never was packed by it. */
const UNPACKER: Record<string, string> = {
  Z_BUF_ERROR: 'its end is missing',
  ZSTD_error_checksum_wrong: 'its content does not match its checksum',
  ZSTD_error_prefix_unknown: 'it does not begin as one',
}

const UNREADABLE = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EISDIR', 'EIO'])

function explain(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof OperatorError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  if (UNREADABLE.has(code)) {
    return new OperatorError(`The backup ${file} can't be read (${message}): check its name and who may read it.`, {
      cause: error,
    })
  }
  const isUnpacker = code.startsWith('ZSTD_') || code.startsWith('Z_')
  if (!isUnpacker && !(error instanceof BrokenSource)) return error
  const reason = UNPACKER[code] ?? message
  return new OperatorError(
    `The backup ${file} is damaged or no backup (${reason}): nothing was changed. Take another one.`,
    { cause: error },
  )
}
