import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Client, type ClientConfig, Pool, type PoolConfig, types } from 'pg'
import { type Listener, startListener } from './queues/listener.ts'
import type { Database } from './schema/database.ts'

const names = new Map<string, string>()

/** A connection that prepares each statement with parameters once and then only sends its values. */
class PreparingClient extends Client {
  override query(...given: unknown[]): never {
    const [text, values, ...rest] = given
    const query = super.query as (...query: unknown[]) => never
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return query.apply(this, given)
    return query.call(this, { name: nameOf(text), text }, values, ...rest)
  }
}

/** A database or a transaction in it; every query takes one as its first argument. */
export type Db = Kysely<Database> | Transaction<Database>

/**
 * A transaction, for what holds only as part of one: locks, the record, live messages, jobs, and writes that belong together.
 * Outside of one it does not compile.
 */
export type Trx = Transaction<Database>

/** Where a PostgreSQL is and as whom to sign in there. */
export type ConnectionTarget = Pick<
  ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
>

/** The role of the application: it may append to the record but never change it. */
export const APPLICATION_ROLE = 'benchwatch_app'
/** Oldest server that the SQL is written for. */
const MINIMUM_VERSION = 150_000
/** No screen's query comes near it; one that does must not hold a connection. Long work sets its own (inTransaction). */
const STATEMENT_TIMEOUT_MS = 4000
/** Longest wait for a connection of the pool: whoever asked is answered 503 within 5 s, whatever the database does. */
const CONNECTION_WAIT_MS = 4000
/**
 * A database that is frozen, or gone behind a network, keeps silent for ever: then the connection is broken from here.
 * Later than the time-out of the statement, which a living database keeps itself.
 */
const SILENCE_MS = 6000
const CONNECT_TIMEOUT_MS = 10_000
/** Connections that take in what gateways send: a few transactions side by side are as fast as many. */
const INTAKE_POOL_SIZE = 3
/** One more than this would take both cores of a small machine from everybody else. */
export const REPORTING_POOL_SIZE = 2
const REPORTING_TIMEOUT_MS = 20_000

// Ids stay far below 2^53, so int8 is a number; a calendar date stays the text that it is. Numeric stays text.
const parserOf = types.getTypeParser as (type: number) => (text: string) => unknown
const INT4_ARRAY: number = 1007
const TEXT_ARRAY: number = 1009
const INT8_ARRAY: number = 1016
const DATE_ARRAY: number = 1182
types.setTypeParser(types.builtins.INT8, Number)
types.setTypeParser(INT8_ARRAY, parserOf(INT4_ARRAY))
types.setTypeParser(types.builtins.DATE, (text) => text)
types.setTypeParser(DATE_ARRAY, parserOf(TEXT_ARRAY))

export interface DatabaseHandle {
  db: Kysely<Database>
  /** Connections of their own for tables that count a year of events, so that they keep no screen waiting; 20 s a statement. */
  reporting: Kysely<Database>
  /**
   * Connections of their own for what gateways send, so that no screen's query keeps an alarm waiting. Their statements
   * are planned once and kept: 16 single alarms a transaction took 12 ms of planning and work, and take 5.
   */
  intake: Kysely<Database>
  pool: Pool
  /** Connections of their own for a library that brings its statements with it. The caller ends them. */
  libraryPool(size: number): Pool
  /** A connection outside the pool, without a statement time-out, as the application. The caller ends it. */
  dedicatedClient(): Promise<Client>
  /** Hears a channel until closed; see startListener. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<Listener>
  close(): Promise<void>
}

interface Wanted {
  connection: ConnectionTarget
  poolSize: number
  /** The application's role unless said otherwise; null stays whoever signed in, for migrations. */
  role?: string | null
  /** Milliseconds without an answer after which a connection is given up; 6 s unless said otherwise. */
  silenceMs?: number
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
  silenceMs = SILENCE_MS,
}: Wanted): Promise<DatabaseHandle> {
  const version = await serverVersion(connection)
  const configuration = (statementTimeoutMs: number, plans: 'custom' | 'generic' = 'custom') =>
    withSettings(connection, [
      ...(role === null ? [] : [`role=${role}`]),
      'timezone=UTC',
      // Generic plans of ranged queries were measured 20 times slower; look-ups by keys are the same in every plan.
      `plan_cache_mode=force_${plans}_plan`,
      // From 16 on, several count(distinct) walk an index in heap order: 1,617 ms instead of 501 over 1M events.
      ...(version >= 160_000 ? ['enable_presorted_aggregate=off'] : []),
      'jit=off',
      'work_mem=32MB',
      'idle_in_transaction_session_timeout=60000',
      // A process whose machine lost its power says no goodbye. Its session, with the locks of its transactions and of the
      // leader, ends after 4 s and 9 unanswered probes instead of two hours.
      'tcp_keepalives_idle=4',
      'tcp_keepalives_interval=1',
      `statement_timeout=${statementTimeoutMs}`,
    ])
  const createPool = (options: PoolConfig) => {
    const pool = new Pool({
      connectionTimeoutMillis: CONNECTION_WAIT_MS,
      idleTimeoutMillis: 60_000,
      query_timeout: silenceMs,
      // In this mode a silent connection is destroyed at the time-out; else it would go back to the pool, still waiting.
      pipeline: true,
      ...options,
    })
    // A connection that breaks while idle is replaced at the next query; without a listener it would end the process.
    pool.on('error', () => undefined)
    // So would one that breaks between two queries of its borrower, who learns it from the next query.
    pool.on('connect', (client) => client.on('error', () => undefined))
    return pool
  }
  const pool = createPool({ ...configuration(STATEMENT_TIMEOUT_MS), max: poolSize })
  // Not as a pipeline: a library counts on one answer after the other, and on a connection that waits for notifications.
  const libraryPool = (size: number) =>
    createPool({
      ...configuration(STATEMENT_TIMEOUT_MS),
      max: size,
      keepAlive: true,
      query_timeout: undefined,
      pipeline: false,
    })
  const intakePool = createPool({
    ...configuration(STATEMENT_TIMEOUT_MS, 'generic'),
    max: INTAKE_POOL_SIZE,
    // Kept plans are made for tables as large as they were then: an installation grows in its first minutes.
    maxLifetimeSeconds: 60,
    Client: PreparingClient,
  })
  const reportingPool = createPool({
    ...configuration(REPORTING_TIMEOUT_MS),
    max: REPORTING_POOL_SIZE,
    query_timeout: REPORTING_TIMEOUT_MS + silenceMs,
  })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  const reporting = new Kysely<Database>({ dialect: new PostgresDialect({ pool: reportingPool }) })
  const intake = new Kysely<Database>({ dialect: new PostgresDialect({ pool: intakePool }) })
  const dedicatedClient = async () => {
    const client = new Client({ ...configuration(0), keepAlive: true, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  return {
    db,
    reporting,
    intake,
    pool,
    libraryPool,
    dedicatedClient,
    listen: (channel, onNotify) => startListener(dedicatedClient, { channel, onNotify }),
    async close() {
      await Promise.all([db.destroy(), reporting.destroy(), intake.destroy()])
      // Kysely leaves a pool that it never used itself open.
      await Promise.all([pool, reportingPool, intakePool].filter(({ ending }) => !ending).map((open) => open.end()))
    },
  }
}

/**
 * A connection as the one who signs in, outside any pool; the caller ends it. `settings` are name=value. Throws
 * OperatorError when the database can't be reached.
 */
export async function connectClient(connection: ConnectionTarget, settings: readonly string[] = []): Promise<Client> {
  const client = new Client({ ...withSettings(connection, settings), connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    // Where a name has several addresses and none answers, the message is empty.
    throw new OperatorError(
      `The database can't be reached (${message || code}): check that it runs and DATABASE_URL.`,
      {
        cause: error,
      },
    )
  }
}

async function serverVersion(connection: ConnectionTarget): Promise<number> {
  const client = await connectClient(connection)
  try {
    const { rows } = await client.query<{ version: string; number: number }>(
      "SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number",
    )
    const { version, number } = rows[0] ?? { version: 'none', number: 0 }
    if (number < MINIMUM_VERSION) {
      throw new OperatorError(
        `Benchwatch needs PostgreSQL 15 or later, and DATABASE_URL leads to ${version}: update that server, or name another one.`,
      )
    }
    return number
  } finally {
    await client.end()
  }
}

/**
 * Adds settings to a connection. Options in a connection string would win over those beside it, and with them the
 * application's role would be lost, so they are put together here, ours last.
 */
function withSettings(connection: ConnectionTarget, settings: readonly string[]): ClientConfig {
  const ours = settings.map((setting) => `-c ${setting}`).join(' ')
  const common = { ...connection, application_name: 'benchwatch' }
  if (connection.connectionString === undefined) return { ...common, options: ours }
  const url = parseUrl(connection.connectionString)
  const options = `${url.searchParams.get('options') ?? ''} ${ours}`.trim()
  url.searchParams.delete('options')
  return { ...common, connectionString: url.href, options }
}

function parseUrl(connectionString: string): URL {
  const url = URL.parse(connectionString)
  if (url && /^postgres(ql)?:$/.test(url.protocol)) return url
  // Not quoted: it may hold a password.
  throw new OperatorError('DATABASE_URL must look like postgresql://user:password@host:5432/database.')
}

/** A name may have 63 bytes. The texts are few: values never stand in them. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = createHash('sha256').update(text).digest('base64url')
  names.set(text, name)
  return name
}
