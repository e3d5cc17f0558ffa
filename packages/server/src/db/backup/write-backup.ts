import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import type { Client } from 'pg'
import { to } from 'pg-copy-streams'
import { type ConnectionTarget, connectClient, OperatorError } from '../connect.ts'
import {
  type BackupEnd,
  type BackupHead,
  explainFault,
  FORMAT,
  type ReportProgress,
  ROWS_END,
  startTableSum,
  type TableSum,
} from './backup-format.ts'
import { copySource, readApplied, readSequences, readTables, readTransactionColumns } from './catalog.ts'

/**
 * A new file that gets its name only when it is complete, so that a partial one is never mistaken for a backup. Only
 * its owner can read it.
 */
class NewFile {
  readonly path: string
  readonly partialPath: string

  private constructor(path: string) {
    this.path = path
    this.partialPath = `${path}.part`
  }

  /** Throws OperatorError if the file exists already or can't be created. */
  static async create(path: string): Promise<NewFile> {
    const file = new NewFile(resolve(path))
    try {
      await refuseExisting(file.path)
      // This step prevents two commands from writing the same file.
      await (await open(file.partialPath, 'wx', 0o600)).close()
      return file
    } catch (error) {
      throw file.explain(error)
    }
  }

  /** Gives the file its name and syncs it to disk. */
  async finish(): Promise<void> {
    try {
      // A link never replaces a file that was created in the meantime; a rename would.
      await link(this.partialPath, this.path)
      await rm(this.partialPath)
    } catch (error) {
      if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error
      await refuseExisting(this.path)
      await rename(this.partialPath, this.path)
    }
    const folder = await open(dirname(this.path))
    await folder.sync()
    await folder.close()
  }

  async discard(): Promise<void> {
    await rm(this.partialPath, { force: true })
  }

  /** Explains known errors in words for the operator; returns others unchanged. */
  explain(error: unknown): unknown {
    const { code, message, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined || error instanceof OperatorError) return error
    if (code === 'EEXIST' && syscall === 'link') return alreadyThere(this.path)
    if (code === 'EEXIST') {
      return new OperatorError(
        `${this.partialPath} exists: another backup is writing it, or one was killed. Delete it if no backup is running, or choose another name.`,
      )
    }
    const advice = ADVICE[code ?? ''] ?? 'choose another folder'
    return new OperatorError(`The backup can't be written to ${this.path} (${message}): ${advice}.`, { cause: error })
  }
}

/** Error codes of file systems without hard links, such as those of USB sticks. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

const ADVICE: Record<string, string> = {
  ENOENT: 'create that folder first, or choose another folder',
  ENOSPC: 'free some disk space, or choose another folder',
  EACCES: 'get write permission, or choose another folder',
}

interface BackupInput {
  file: string
  /** The release of the product that writes the backup. */
  release: string
  now: Date
  onProgress?: ReportProgress
  /** Stops the backup, which then throws the reason of the signal. */
  signal?: AbortSignal
}

export interface WrittenBackup {
  tables: readonly TableSum[]
  /** Size of the file. */
  bytes: number
}

/** Settings for text that any release of PostgreSQL reads the same way, and for no time limit. */
const SETTINGS = [
  'timezone=UTC',
  'datestyle=ISO',
  'intervalstyle=postgres',
  'bytea_output=hex',
  'extra_float_digits=1',
  'statement_timeout=0',
  'idle_in_transaction_session_timeout=0',
]

/**
 * Writes all tables, as of one moment, into a new file that only this user can read. The server may keep running and
 * writing. Memory does not grow with the data. The file gets its name when it is complete. Throws OperatorError if the
 * file exists, can't be written, or the database is not one of Benchwatch.
 */
export async function writeBackup(connection: ConnectionTarget, input: BackupInput): Promise<WrittenBackup> {
  const file = await NewFile.create(input.file)
  try {
    const client = await connectClient(connection, SETTINGS)
    try {
      // Everything is read in one snapshot; writers don't wait for it, and it does not see their changes.
      await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
      const head = await readHead(client, input)
      const sums: TableSum[] = []
      await pipeline(
        Readable.from(content(client, { head, sums, onProgress: input.onProgress }), { objectMode: false }),
        // Level 3 took half the CPU time of gzip and produced nine tenths of its size; the checksum detects a flipped
        // bit.
        createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
        createWriteStream(file.partialPath, { flags: 'r+', flush: true }),
        ...(input.signal ? [{ signal: input.signal }] : []),
      )
      await client.query('COMMIT')
      await file.finish()
      return { tables: sums, bytes: (await stat(file.path)).size }
    } finally {
      // During a COPY this cuts the connection.
      await client.end()
    }
  } catch (error) {
    await file.discard()
    if (input.signal?.aborted) throw input.signal.reason
    throw explainFault(file.explain(error), 'no file is left. Fix the cause and start again.')
  }
}

async function readHead(client: Client, { release, now }: BackupInput): Promise<BackupHead> {
  const migrations = await readApplied(client)
  if (migrations === null)
    throw new OperatorError('There is nothing to back up: the database does not belong to Benchwatch.')
  const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version') AS version")
  return {
    benchwatch: 'backup',
    format: FORMAT,
    release,
    postgres: rows[0]?.version ?? '',
    takenAt: now.toISOString(),
    migrations,
    tables: await readTables(client),
    sequences: await readSequences(client),
  }
}

interface Parts {
  head: BackupHead
  /** Filled as the tables are read. */
  sums: TableSum[]
  onProgress: ReportProgress | undefined
}

async function* content(client: Client, parts: Parts): AsyncGenerator<Buffer> {
  const all = createHash('sha256')
  for await (const piece of headAndTables(client, parts)) {
    all.update(piece)
    yield piece
  }
  const end: BackupEnd = { tables: parts.sums, sha256: all.digest('hex') }
  yield line(end)
}

async function* headAndTables(client: Client, { head, sums, onProgress }: Parts): AsyncGenerator<Buffer> {
  const transactions = await readTransactionColumns(client)
  yield line(head)
  for (const table of head.tables) {
    yield line({ table: table.name })
    const sum = startTableSum(table.name)
    const rows: AsyncIterable<Buffer> = client.query(
      to(`COPY ${copySource(table, transactions.get(table.name) ?? [])} TO STDOUT`),
    )
    for await (const chunk of rows) {
      sum.add(chunk)
      onProgress?.({ table: table.name, rows: sum.rows() })
      yield chunk
    }
    yield ROWS_END.subarray(1)
    sums.push(sum.finish())
  }
}

function line(value: BackupHead | BackupEnd | { table: string }): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}

async function refuseExisting(path: string): Promise<void> {
  const existing = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (existing === null) return
  await existing.close()
  throw alreadyThere(path)
}

function alreadyThere(path: string): OperatorError {
  return new OperatorError(
    `${basename(path)} exists already in ${dirname(path)}, and a backup never replaces a file: choose another name, or delete it first.`,
  )
}
