import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Client } from 'pg'
import type { Log } from '../../platform/log.ts'
import { isPassingDatabaseError } from '../../platform/passing-database-error.ts'
import { connectDatabase, type DatabaseHandle, type Db, type Trx } from '../connect.ts'
import type { Database } from '../schema/database.ts'
import { databaseId } from '../sql/database-identity.ts'
import { inClientTransaction, inTransaction, newTransaction } from '../transaction.ts'

/** Connections to the replica for measuring and reports. Key figures have two more, and each export another two. */
const POOL_SIZE = 3
const MEASURE_MS = 2000
/** A user waits for the replica no longer than this; then the primary answers. */
const REQUEST_WAIT_MS = 2000
const LOOK_MS = 10
/** Statements of a replica that doesn't answer for so long are not waited for. */
const SILENCE_MS = 6000
const STATEMENT_TIMED_OUT = '57014'

/** The state of the replica as this process sees it. */
export interface ReplicaState {
  /** How long the replica has lacked something; null if it is away. */
  lagMs: number | null
  mostLagMs: number
  isUsed: boolean
}

/** A position in the write-ahead log, as PostgreSQL writes it: `16/B374D848`. */
type WalPosition = string

/** True if `a` is at `b` or after it. */
export function isReached(a: WalPosition, b: WalPosition): boolean {
  return bytesOf(a) >= bytesOf(b)
}

function bytesOf(position: WalPosition): bigint {
  const [high = '0', low = '0'] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** Positions that are remembered: an hour, if the lag is measured every 2 s. */
const MOST_MISSING = 1800

interface Measured {
  /** How far the primary has written. */
  written: WalPosition
  /** How far the replica has replayed. */
  replayed: WalPosition
  /** When both were read, in milliseconds of any clock. */
  at: number
  /** Milliseconds since the last transaction that the replica replayed; null if it has replayed none since its start. */
  lastReplayedAgeMs: number | null
}

/**
 * Measures how long a replica has lacked something that the primary had written. The age of the last replayed
 * transaction does not measure that: after a quiet hour, the first change would count as an hour of lag. It serves
 * only where nothing was measured before.
 */
export class ReplicaLag {
  /** Positions that the replica lacked when it was last measured, with the times at which they were written, at the latest. */
  readonly #missing: { written: WalPosition; at: number }[] = []
  #isKnown = false

  /** Returns the lag in milliseconds: 0 if the replica has everything. */
  measure({ written, replayed, at, lastReplayedAgeMs }: Measured): number {
    while (this.#missing[0] && isReached(replayed, this.#missing[0].written)) this.#missing.shift()
    if (!isReached(replayed, written)) {
      const isFirst = this.#missing.length === 0 && !this.#isKnown
      const since = isFirst ? at - (lastReplayedAgeMs ?? 0) : at
      this.#isKnown = this.#missing.length < MOST_MISSING
      if (this.#isKnown) this.#missing.push({ written, at: since })
    } else this.#isKnown = true
    const [oldest] = this.#missing
    return oldest ? at - oldest.at : 0
  }
}

/**
 * Reads that take long and may burden another server than the one that takes alarms: key figures, reports, the rows of
 * exports, and copies of all events. They go to the replica of DATABASE_READ_URL if there is one, and else to the
 * primary.
 *
 * **The rule**: a read there begins only once the replica has replayed everything that the primary had written when the
 * read was asked for, so it sees no less than on the primary. A replica that does not get there in time, is away, or
 * breaks off is replaced by the primary, where the work starts again: it must have no effect outside its transaction,
 * or one that may be repeated.
 */
export interface LongReads {
  /** Null without a replica. */
  replica(): ReplicaState | null
  /** Runs `work` in one snapshot, on a connection of this pool of either server. */
  inSnapshot<T>(work: (trx: Trx) => Promise<T>, pool: PoolName): Promise<T>
  /** Reads without a statement timeout, for the holder of a connection to the primary. The caller ends both. */
  beside(primary: Client): ClientReads
  stop(): Promise<void>
}

export interface ClientReads {
  /** Runs `work` in one snapshot. `client` is the connection of the transaction, for COPY. */
  inSnapshot<T>(work: (trx: Trx, client: Client) => Promise<T>): Promise<T>
  end(): Promise<void>
}

/** Statements may take 4 s in `db`, and 20 s in `reporting`. */
type PoolName = 'db' | 'reporting'
type PrimaryDatabase = Pick<DatabaseHandle, PoolName>

/** DATABASE_READ_URL, and the lag above which the replica is not used. */
export interface ReplicaSettings {
  url: string
  mostLagMs: number
}

interface Parts {
  database: PrimaryDatabase
  replica: ReplicaSettings | null
  log: Pick<Log, 'info' | 'warn'>
}

/** Starts measuring the replica, which may be away, and returns after the first time. The caller stops it. */
export async function startLongReads({ database, replica, log }: Parts): Promise<LongReads> {
  if (replica === null) return primaryReads(database)
  const reads = new ReplicaReads({ database, replica, log })
  await reads.measure()
  reads.keepMeasuring()
  return reads
}

/** Returns long reads that all go to the primary. */
export function primaryReads(database: PrimaryDatabase): LongReads {
  return {
    replica: () => null,
    inSnapshot: (work, pool) => inTransaction(database[pool], work, { isSnapshot: true }),
    beside: (primary) => ({
      inSnapshot: (work) => inClientTransaction(primary, (trx) => work(trx, primary), { isSnapshot: true }),
      end: async () => {},
    }),
    stop: async () => {},
  }
}

/** The replica answers, but nothing may be read there. The message is the end of a sentence. */
class UnusableReplica extends Error {}

class ReplicaReads implements LongReads {
  readonly #parts: Parts & { replica: ReplicaSettings }
  readonly #primary: LongReads
  readonly #stopping = new AbortController()
  /** Connections to the replica outside the pool. */
  readonly #clients = new Set<Client>()
  #finished: Promise<void> | undefined
  #handle: DatabaseHandle | null = null
  #lag = new ReplicaLag()
  #lagMs: number | null = null
  #wasUsed: boolean | undefined

  constructor(parts: Parts & { replica: ReplicaSettings }) {
    this.#parts = parts
    this.#primary = primaryReads(parts.database)
  }

  replica(): ReplicaState {
    const { mostLagMs } = this.#parts.replica
    return { lagMs: this.#lagMs, mostLagMs, isUsed: this.#lagMs !== null && this.#lagMs <= mostLagMs }
  }

  async inSnapshot<T>(work: (trx: Trx) => Promise<T>, pool: PoolName): Promise<T> {
    const handle = this.#usable()
    if (!handle) return this.#primary.inSnapshot(work, pool)
    const read = (written: WalPosition) =>
      handle[pool].connection().execute(async (connection) => {
        if (!(await this.#catchesUp(asking(connection), { written, waitMs: REQUEST_WAIT_MS }))) return undefined
        return { result: await newTransaction(connection, { isSnapshot: true }).execute(work) }
      })
    return this.#orPrimary(handle, { read, onPrimary: () => this.#primary.inSnapshot(work, pool) })
  }

  beside(primary: Client): ClientReads {
    const onPrimary = this.#primary.beside(primary)
    let own: Client | undefined
    let isEnded = false
    const waitMs = this.#parts.replica.mostLagMs
    const read = async <T>(
      handle: DatabaseHandle,
      { written, work }: { written: WalPosition; work: (trx: Trx, client: Client) => Promise<T> },
    ) => {
      own = await this.#openClient(handle, own)
      const client = own
      if (isEnded) await client.end()
      if (!(await this.#catchesUp(askingClient(client), { written, waitMs }))) return undefined
      return { result: await inClientTransaction(client, (trx) => work(trx, client), { isSnapshot: true }) }
    }
    // The connection breaks if the caller ends it amid a read, as an export does that reads ahead.
    const ended = (cause?: unknown) => new Error('The caller ended the reading.', { cause })
    return {
      inSnapshot: (work) => {
        const handle = this.#usable()
        if (!handle) return onPrimary.inSnapshot(work)
        return this.#orPrimary(handle, {
          read: (written) =>
            read(handle, { written, work }).catch((error: unknown) => {
              throw isEnded ? ended(error) : error
            }),
          onPrimary: () => (isEnded ? Promise.reject(ended()) : onPrimary.inSnapshot(work)),
        })
      },
      end: async () => {
        isEnded = true
        if (own) this.#clients.delete(own)
        await own?.end()
      },
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#finished
    await Promise.all([...this.#clients].map((client) => client.end()))
    await this.#handle?.close()
    this.#handle = null
  }

  keepMeasuring(): void {
    const { signal } = this.#stopping
    const measure = async () => {
      while (!signal.aborted) {
        await pause(MEASURE_MS, undefined, { signal }).catch(() => undefined)
        if (!signal.aborted) await this.measure()
      }
    }
    this.#finished = measure()
  }

  /** Connects to the replica if it was away, and measures its lag. */
  async measure(): Promise<void> {
    const { database, replica } = this.#parts
    // Without the primary, nothing is known about the replica, and no caller can ask for a read.
    const primary = await readWritten(database.db).catch(() => null)
    if (primary === null) return
    const { written } = primary
    let handle = this.#handle
    try {
      handle ??= this.#handle = await connectDatabase({
        connection: { connectionString: replica.url },
        poolSize: POOL_SIZE,
        prepares: false,
      })
      const ask = asking(handle.db)
      const { isReplica, replayed, system, lastReplayedAgeMs } = await readReplayed(ask)
      if (!isReplica || replayed === null) throw new UnusableReplica('is not a replica')
      if (system !== primary.system) throw new UnusableReplica('is a replica of another database')
      if (!(await this.#isOurs(replayed, written))) throw new UnusableReplica('follows another primary')
      const at = performance.now()
      // A replica that lacks only what was written a moment ago may have been quiet for hours.
      const isBehind = this.#lagMs !== null || !(await this.#catchesUp(ask, { written, waitMs: REQUEST_WAIT_MS }))
      // In the meantime, a read may have found the replica away.
      if (this.#handle !== handle) return
      this.#lagMs = this.#lag.measure({ written, replayed: isBehind ? replayed : written, at, lastReplayedAgeMs })
      this.#report()
    } catch (error) {
      // A busy replica is as far as it was when it was last measured; reads find out themselves.
      if (!isBusy(error)) this.#leave(handle, error)
    }
  }

  #usable(): DatabaseHandle | null {
    return this.replica().isUsed ? this.#handle : null
  }

  /** Opens a connection to the replica, unless this one still is. */
  async #openClient(handle: DatabaseHandle, opened: Client | undefined): Promise<Client> {
    if (opened && this.#clients.has(opened)) return opened
    const client = await handle.dedicatedClient()
    if (this.#handle !== handle) {
      await client.end()
      throw new Error('The replica was left meanwhile.')
    }
    this.#clients.add(client)
    client.once('end', () => this.#clients.delete(client))
    return client
  }

  async #orPrimary<T>(
    handle: DatabaseHandle,
    { read, onPrimary }: { read(written: WalPosition): Promise<{ result: T } | undefined>; onPrimary(): Promise<T> },
  ): Promise<T> {
    const { written } = await readWritten(this.#parts.database.db)
    try {
      const done = await read(written)
      if (done) return done.result
    } catch (error) {
      if (isAway(error)) this.#leave(handle, error)
      else if (this.#handle === handle && !isBrokenOff(error)) throw error
    }
    return onPrimary()
  }

  /** Waits until the replica has got this far; false if it does not in time. */
  async #catchesUp(ask: Ask, { written, waitMs }: { written: WalPosition; waitMs: number }): Promise<boolean> {
    const until = performance.now() + waitMs
    for (;;) {
      const { replayed } = await answerOf(readReplayed(ask))
      if (replayed === null) return false
      if (isReached(replayed, written)) return this.#isOurs(replayed, written)
      if (performance.now() >= until) return false
      await pause(LOOK_MS)
    }
  }

  /**
   * Returns false if the replica is ahead of the primary, which happens only if it follows another one: after a
   * failover, it may have changes that the new primary lost.
   */
  async #isOurs(replayed: WalPosition, written: WalPosition): Promise<boolean> {
    return isReached(written, replayed) || isReached((await readWritten(this.#parts.database.db)).written, replayed)
  }

  /**
   * Sends reads to the primary until the replica has been measured again. Reads in progress start again there. An
   * error of connections that were left before says nothing about the present ones.
   */
  #leave(handle: DatabaseHandle | null, error: unknown): void {
    if (handle !== this.#handle) return
    for (const client of this.#clients) client.end().catch(() => undefined)
    this.#clients.clear()
    this.#handle?.close().catch(() => undefined)
    this.#handle = null
    this.#lag = new ReplicaLag()
    this.#lagMs = null
    this.#report(error)
  }

  /** Logs where reads go, once for each change. */
  #report(error?: unknown): void {
    const { isUsed, lagMs } = this.replica()
    if (isUsed === this.#wasUsed) return
    this.#wasUsed = isUsed
    const { log } = this.#parts
    if (isUsed) log.info({ lagMs }, 'long reads go to the replica')
    else if (error === undefined) log.warn({ lagMs }, 'long reads go to the primary, because the replica is behind')
    else {
      const why =
        error instanceof UnusableReplica ? `the server of DATABASE_READ_URL ${error.message}` : 'the replica is away'
      log.warn({ err: error }, `long reads go to the primary, because ${why}`)
    }
  }
}

/** The read kept the replica from replaying and was cancelled, or all connections of the pool are in use. */
function isBrokenOff(error: unknown): boolean {
  const { code = '', message } = error as Error & { code?: string }
  return code.startsWith('40') || message.startsWith('timeout exceeded when trying to connect')
}

/** The replica is there, but had no time. A statement that took too long would do so on the primary, too. */
function isBusy(error: unknown): boolean {
  return (error as { code?: string }).code === STATEMENT_TIMED_OUT || isBrokenOff(error)
}

function isAway(error: unknown): boolean {
  return isPassingDatabaseError(error) && !isBusy(error)
}

/** Runs one statement on a certain connection. */
type Ask = (statement: string) => Promise<unknown>

const asking =
  (db: Kysely<Database>): Ask =>
  async (statement) =>
    (await sql.raw(statement).execute(db)).rows[0]
const askingClient =
  (client: Client): Ask =>
  async (statement) =>
    (await client.query<object>(statement)).rows[0]

/** Reads how far the log is flushed: up to the last commit, unless `synchronous_commit` is off. Replicas get no more. */
async function readWritten(db: Db): Promise<{ written: WalPosition; system: string }> {
  return (await asking(db)(`SELECT pg_current_wal_flush_lsn() AS written, ${databaseId} AS system`)) as never
}

interface Replayed {
  isReplica: boolean
  /** Null on a server that never was a replica. */
  replayed: WalPosition | null
  system: string
  lastReplayedAgeMs: number | null
}

async function readReplayed(ask: Ask): Promise<Replayed> {
  return (await ask(`SELECT pg_is_in_recovery() AS "isReplica", pg_last_wal_replay_lsn() AS replayed, ${databaseId} AS system,
    (extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::float8 AS "lastReplayedAgeMs"`)) as never
}

/** Rejects like a broken connection if there is no answer. */
async function answerOf<T>(answer: Promise<T>): Promise<T> {
  const given = new AbortController()
  const silence = pause(SILENCE_MS, undefined, { signal: given.signal }).then(() => {
    throw Object.assign(new Error('The replica does not answer.'), { code: 'ECONNABORTED' })
  })
  try {
    return await Promise.race([answer, silence])
  } finally {
    given.abort()
    silence.catch(() => undefined)
  }
}
