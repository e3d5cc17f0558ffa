import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import type { Client } from 'pg'
import { to } from 'pg-copy-streams'
import { type ConnectionTarget, connectClient, OperatorError } from '../connect.ts'
import { type BackupEnd, type BackupHead, FORMAT, ROWS_END, type TableSum } from './backup-format.ts'
import { copySource, readApplied, readSequences, readTables, readTransactionColumns } from './catalog.ts'
import { explainFault } from './database-fault.ts'
import { NewFile } from './new-file.ts'
import { type ReportProgress, startTableSum } from './table-sum.ts'

interface Wanted {
  file: string
  /** Release of the product that writes. */
  release: string
  now: Date
  onProgress?: ReportProgress
  /** Stops it; what it throws then is the reason of the signal. */
  signal?: AbortSignal
}

export interface WrittenBackup {
  tables: readonly TableSum[]
  /** Size of the file. */
  bytes: number
}

/** Text that any release of PostgreSQL reads the same way, whatever this one is set to; and as long as it takes. */
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
 * Writes all tables, as they are at one moment, into a new file that only this user can read; beside a running server
 * too, which goes on writing. Memory does not grow with the data. The file gets its name once it is whole. Throws
 * OperatorError when the file exists, can't be written, or the database is not Benchwatch's.
 */
export async function writeBackup(connection: ConnectionTarget, wanted: Wanted): Promise<WrittenBackup> {
  const file = await NewFile.create(wanted.file)
  try {
    const client = await connectClient(connection, SETTINGS)
    try {
      // Everything is read in one snapshot; writers neither wait for it nor are seen by it.
      await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
      const head = await readHead(client, wanted)
      const sums: TableSum[] = []
      await pipeline(
        Readable.from(content(client, { head, sums, onProgress: wanted.onProgress }), { objectMode: false }),
        // Level 3 took half the processor time of gzip and nine tenths of its size; the checksum finds a flipped bit.
        createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
        createWriteStream(file.partialPath, { flags: 'r+', flush: true }),
        ...(wanted.signal ? [{ signal: wanted.signal }] : []),
      )
      await client.query('COMMIT')
      await file.finish()
      return { tables: sums, bytes: (await stat(file.path)).size }
    } finally {
      // In the middle of a COPY this cuts the connection.
      await client.end()
    }
  } catch (error) {
    await file.discard()
    if (wanted.signal?.aborted) throw wanted.signal.reason
    throw explainFault(file.explain(error), 'no file is left. See to it and begin again.')
  }
}

async function readHead(client: Client, { release, now }: Wanted): Promise<BackupHead> {
  const migrations = await readApplied(client)
  if (migrations === null) throw new OperatorError('There is nothing to back up: the database holds no Benchwatch.')
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
