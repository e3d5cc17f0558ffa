import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Client, type ClientConfig, Pool, types } from 'pg'
import type { Database } from './schema/database.ts'

/** A database or a transaction in it; every query takes one as its first argument. */
export type Db = Kysely<Database> | Transaction<Database>

/** Where a PostgreSQL is and as whom to sign in there. */
export type ConnectionTarget = Pick<
  ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
>

/** The role of the application: it may append to the record but never change it. */
export const APPLICATION_ROLE = 'benchwatch_app'
/** Oldest server that the SQL is written for. */
const MINIMUM_VERSION = 150_000
const STATEMENT_TIMEOUT_MS = 5000

// Ids stay far below 2^53, so int8 is a number; a calendar date stays the text that it is.
types.setTypeParser(types.builtins.INT8, Number)
types.setTypeParser(types.builtins.DATE, (text) => text)

export interface DatabaseHandle {
  db: Kysely<Database>
  pool: Pool
  /** A connection outside the pool, without a statement time-out, as the application. The caller ends it. */
  dedicatedClient(): Promise<Client>
  /** Hears a channel until closed; reconnects by itself. What was notified meanwhile is lost: callers look again. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<{ close(): Promise<void> }>
  close(): Promise<void>
}

interface Wanted {
  connection: ConnectionTarget
  poolSize: number
  /** The application's role unless said otherwise; null stays whoever signed in, for migrations. */
  role?: string | null
}

/** An error whose sentence tells the operator what to do. */
export class OperatorError extends Error {
  readonly forOperator = true
}

/** Opens a pool on a PostgreSQL ≥ 15. Throws OperatorError when it is older or not reachable. */
export async function connectDatabase({
  connection,
  poolSize,
  role = APPLICATION_ROLE,
}: Wanted): Promise<DatabaseHandle> {
  const version = await serverVersion(connection)
  const options = (statementTimeout: number) => ({
    ...connection,
    application_name: 'benchwatch',
    // Generic plans of ranged queries were measured 20 times slower; presorted aggregates walk the heap (16 and later).
    options: [
      ...(role === null ? [] : [`role=${role}`]),
      'timezone=UTC',
      'plan_cache_mode=force_custom_plan',
      'jit=off',
      'work_mem=32MB',
      'idle_in_transaction_session_timeout=60000',
      `statement_timeout=${statementTimeout}`,
      ...(version >= 160_000 ? ['enable_presorted_aggregate=off'] : []),
    ]
      .map((setting) => `-c ${setting}`)
      .join(' '),
  })
  const pool = new Pool({
    ...options(STATEMENT_TIMEOUT_MS),
    max: poolSize,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
  })
  // A connection that breaks while idle is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => undefined)
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const dedicatedClient = async () => {
    const client = new Client({ ...options(0), keepAlive: true })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  return {
    db,
    pool,
    dedicatedClient,
    listen: (channel, onNotify) => listen(dedicatedClient, channel, onNotify),
    close: () => db.destroy(),
  }
}

async function serverVersion(connection: ConnectionTarget): Promise<number> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string; number: string }>(
      "SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number",
    )
    const number = Number(rows[0]?.number)
    if (number < MINIMUM_VERSION) {
      throw new OperatorError(`PostgreSQL 15 or later is needed; DATABASE_URL leads to ${rows[0]?.version}.`)
    }
    return number
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`The database can't be reached: ${(error as Error).message}`, { cause: error })
  } finally {
    await client.end().catch(() => undefined)
  }
}

const FIRST_RETRY_MS = 200
const LONGEST_RETRY_MS = 5000

async function listen(
  connect: () => Promise<Client>,
  channel: string,
  onNotify: (payload: string) => void,
): Promise<{ close(): Promise<void> }> {
  const stopping = new AbortController()
  let current: Client | null = null
  const open = async (): Promise<void> => {
    const client = await connect()
    client.on('notification', ({ payload }) => onNotify(payload ?? ''))
    client.on('end', () => void reopen())
    await client.query(`LISTEN ${channel}`)
    current = client
  }
  const reopen = async (): Promise<void> => {
    for (let wait = FIRST_RETRY_MS; !stopping.signal.aborted; wait = Math.min(wait * 2, LONGEST_RETRY_MS)) {
      await pause(wait, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      try {
        await open()
        onNotify('')
        return
      } catch {
        // The next round tries again; the wait grows up to five seconds.
      }
    }
  }
  await open()
  return {
    async close() {
      stopping.abort()
      await current?.end()
    },
  }
}
