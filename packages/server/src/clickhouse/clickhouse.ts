import { PassThrough, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import type { RawBuilder } from 'kysely'
import type { Client } from 'pg'
import { to } from 'pg-copy-streams'
import type { Config } from '../config.ts'
import type { Db } from '../db/connect.ts'

/** Any failure of ClickHouse: unreachable, too slow, or an error that it answers. PostgreSQL answers in its place. */
export class ClickhouseFault extends Error {
  /** True if it is there without the tables, like a server that was started with an empty disk. */
  get isEmpty(): boolean {
    return /UNKNOWN_TABLE/.test(`${(this.cause as { type?: string } | undefined)?.type} ${this.message}`)
  }
}

/** A question to ClickHouse takes longer than this only if something is wrong with it. */
const LIMIT_MS = 4000
/** Time without questions after a failed one, so that not every request waits for the limit. */
const PAUSE_MS = 5000
/** Imports, exports and the first fill. */
const LONG_MS = 6 * 3_600_000

const readSettings = {
  // The same event is always in the same partition, so partitions that are merged already are read as they are.
  do_not_merge_across_partitions_select_final: 1,
  // Indexes skip what cannot match only where no other part contains a newer version of it.
  use_skip_indexes_if_final: 1,
  use_skip_indexes_if_final_exact_mode: 1,
  // Lists of ids are part of the text of a question.
  max_query_size: '67108864',
  output_format_json_quote_64bit_integers: 0,
  // A deleted log line disappears at once; the part that holds it is rewritten later.
  apply_mutations_on_fly: 1,
  // Reads go to the replica that the feed writes to, unless that one is gone.
  load_balancing: 'in_order',
} as const

const writeSettings = {
  // An insert is done when every shard has it.
  distributed_foreground_insert: 1,
  // The feed must never take an old version of an event for the present one.
  use_skip_indexes_if_final: 0,
  max_partitions_per_insert_block: '0',
  max_execution_time: 0,
  load_balancing: 'in_order',
  output_format_json_quote_64bit_integers: 0,
  max_query_size: '67108864',
} as const

/** A text that is written into a query as a literal, for texts that are too long for a parameter. */
export class Literal {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Creates a client for the configured server; the package is loaded only if it is needed. */
export async function connectClickhouse(
  { url, cluster }: NonNullable<Config['clickhouse']>,
  limits: Limits = {},
): Promise<Clickhouse> {
  const { ClickHouseLogLevel, createClient } = await import('@clickhouse/client')
  const client = createClient({
    url,
    application: 'benchwatch',
    request_timeout: LONG_MS,
    max_open_connections: 20,
    log: { level: ClickHouseLogLevel.OFF },
  })
  return new Clickhouse(client, { cluster, ...limits })
}

interface Limits {
  limitMs?: number
  pauseMs?: number
}

/** Asks ClickHouse. */
export class Clickhouse {
  readonly cluster: string | null
  readonly #client: ClickHouseClient
  readonly #limitMs: number
  readonly #pauseMs: number
  #pausedUntil = 0

  constructor(
    client: ClickHouseClient,
    { cluster, limitMs = LIMIT_MS, pauseMs = PAUSE_MS }: { cluster: string | null } & Limits,
  ) {
    this.#client = client
    this.cluster = cluster
    this.#limitMs = limitMs
    this.#pauseMs = pauseMs
  }

  /** True for a few seconds after a failure: requests of users should not be asked, as each would wait for the limit. */
  get isPaused(): boolean {
    return performance.now() < this.#pausedUntil
  }

  /** Returns the rows of a question, each as an array of its columns. `db` only compiles; it is not asked. */
  async rows<Row extends unknown[]>(db: Db, question: RawBuilder<unknown>): Promise<Row[]> {
    try {
      const result = await this.#client.query({
        ...compile(db, question),
        format: 'JSONCompact',
        clickhouse_settings: { ...readSettings, max_execution_time: this.#limitMs / 1000 },
        abort_signal: AbortSignal.timeout(this.#limitMs),
      })
      return (await result.json<Row>()).data
    } catch (error) {
      const fault = faultOf(error)
      if (!fault.isEmpty) this.#pausedUntil = performance.now() + this.#pauseMs
      throw fault
    }
  }

  /** Streams the rows of a question without a time limit. */
  async *batches<Row extends unknown[]>(db: Db, question: RawBuilder<unknown>): AsyncGenerator<Row[]> {
    try {
      const result = await this.#client.query({
        ...compile(db, question),
        format: 'JSONCompactEachRow',
        clickhouse_settings: { ...readSettings, max_execution_time: LONG_MS / 1000 },
      })
      for await (const rows of result.stream<Row>()) yield rows.map((row) => row.json())
    } catch (error) {
      throw faultOf(error)
    }
  }

  async command(query: string): Promise<void> {
    await this.#client.command({ query, clickhouse_settings: writeSettings }).catch(rethrow)
  }

  async insert(table: string, values: readonly Record<string, unknown>[]): Promise<void> {
    await this.#client
      .insert({ table, values, format: 'JSONEachRow', clickhouse_settings: writeSettings })
      .catch(rethrow)
  }

  /** Copies the result of a query from PostgreSQL into a table; both write rows as text in the same way. */
  async copy(client: Client, { query, table, columns, onRows }: CopyInput): Promise<number> {
    let rows = 0
    const counting = new Transform({
      transform(chunk: Buffer, _, done) {
        for (let at = chunk.indexOf(NEW_LINE); at !== -1; at = chunk.indexOf(NEW_LINE, at + 1)) rows += 1
        onRows?.(rows)
        done(null, chunk)
      },
    })
    const values = new PassThrough()
    const reading = pipeline(client.query(to(`COPY (${query}) TO STDOUT`)), counting, values)
    const inserting = this.#client
      .insert({
        table,
        columns: [...columns] as [string, ...string[]],
        values,
        format: 'TabSeparated',
        clickhouse_settings: writeSettings,
      })
      .catch((error: unknown) => {
        values.destroy()
        throw faultOf(error)
      })
    const [inserted, read] = await Promise.allSettled([inserting, reading])
    // ClickHouse also fails by what PostgreSQL breaks off; then a replica of PostgreSQL may be away.
    if (inserted.status === 'rejected' && read.status === 'rejected') {
      throw (inserted.reason as ClickhouseFault).cause === read.reason ? read.reason : inserted.reason
    }
    for (const end of [inserted, read]) if (end.status === 'rejected') throw end.reason
    return rows
  }

  async close(): Promise<void> {
    await this.#client.close()
  }
}

interface CopyInput {
  query: string
  table: string
  columns: readonly string[]
  onRows?: ((rows: number) => void) | undefined
}

const NEW_LINE = 0x0a

/**
 * Compiles a query: numbers are written into it, texts become typed parameters, because the text of a user must not be
 * read as SQL.
 */
export function compile(
  db: Db,
  question: RawBuilder<unknown>,
): { query: string; query_params: Record<string, string> } {
  const compiled = question.compile(db)
  const query_params: Record<string, string> = {}
  const query = compiled.sql.replace(/\$(\d+)/g, (_, position: string) => {
    const value = compiled.parameters[Number(position) - 1]
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
    if (value instanceof Literal) return `'${value.text.replace(/[\\']/g, '\\$&')}'`
    if (typeof value !== 'string') throw new TypeError(`ClickHouse is asked with a ${typeof value}.`)
    query_params[`p${position}`] = value
    return `{p${position}:String}`
  })
  return { query, query_params }
}

/** Writes a row as a line of tab-separated values. */
export function tabSeparated(row: readonly unknown[]): string {
  return `${row.map((value) => String(value).replace(/[\\\t\n\r]/g, (letter) => escapes[letter] ?? letter)).join('\t')}\n`
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function faultOf(error: unknown): ClickhouseFault {
  return new ClickhouseFault(error instanceof Error ? error.message : String(error), { cause: error })
}

function rethrow(error: unknown): never {
  throw faultOf(error)
}
