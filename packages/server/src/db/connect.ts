import {
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  sql,
  type Transaction,
  type TransactionSettings,
} from 'kysely'
import { type Client, type ClientConfig, Pool, type PoolConfig, types } from 'pg'
import { runningSpan } from '../platform/running-span.ts'
import { type Listener, startListener } from './queues/listener.ts'
import type { Database } from './schema/database.ts'
import { type Host, ServerClient, type ServerConfig } from './server-client.ts'

const KEPT_PLAN = '/* kept plan */'

/**
 * Marks a statement that connections for requests prepare: `.modifyFront(keptPlan)`. PostgreSQL plans it for the first
 * five requests of a connection and then keeps one plan. For look-ups by key, which have the same plan for all values:
 * the join of eleven tables that shows an event takes 5 ms to plan and 0.3 ms to run. The text must not depend on the
 * values, so lists of ids are arrays (`keyIn`).
 */
export const keptPlan = sql.raw(KEPT_PLAN)

/**
 * Condition: the column is one of these ids. The subquery hides the length of the array from the planner, which would
 * otherwise make a new plan for each list that is shorter than the ten ids it expects of an unknown one.
 */
export function keyIn(column: string, ids: readonly number[]) {
  return sql<boolean>`${sql.ref(column)} = ANY((SELECT ${[...ids]}::bigint[])::bigint[])`
}

/** Limit of statements that a connection prepares; further ones are planned each time. */
const MOST_PREPARED = 200
/** The number of times that a change of the schema made prepared statements useless. */
let schemaChanges = 0

/** A connection that prepares each statement with parameters once and afterwards sends only the values. */
class PreparingClient extends ServerClient {
  readonly #names = new Map<string, string>()
  #schemaChanges = schemaChanges

  protected prepares(_text: string): boolean {
    return true
  }

  override query(...given: unknown[]): never {
    const [text, values, ...rest] = given
    const query = super.query as (...query: unknown[]) => Promise<unknown>
    const isPreparable = typeof text === 'string' && Array.isArray(values) && values.length > 0 && rest.length === 0
    if (!isPreparable || !this.prepares(text)) return query.apply(this, given) as never
    const before = schemaChanges
    const prepared = () => query.call(this, { name: this.#nameOf(text), text }, values)
    return prepared().catch((error: unknown) => {
      if (!isStalePlan(error)) throw error
      if (schemaChanges === before) schemaChanges += 1
      // A transaction has failed as a whole; inTransaction retries it.
      if (this.getTransactionStatus() !== 'I') throw error
      return prepared()
    }) as never
  }

  #nameOf(text: string): string | undefined {
    if (this.#schemaChanges !== schemaChanges) {
      this.#schemaChanges = schemaChanges
      this.#names.clear()
    }
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size === MOST_PREPARED) return known
    const name = `kept_${schemaChanges}_${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}

/** A connection for requests: prepares only the statements with `keptPlan`. */
class RequestClient extends PreparingClient {
  protected override prepares(text: string): boolean {
    return text.includes(KEPT_PLAN)
  }
}

/** Returns true if a prepared statement failed because the schema has changed since. All get new names then. */
export function isStalePlan(error: unknown): boolean {
  // The message depends on the language of the server: cached plan must not change result type.
  return (error as { routine?: string }).routine === 'RevalidateCachedQuery'
}

/**
 * Begins and ends read-only transactions without waiting for the answers, which saves two round trips. The statements
 * of a connection are answered in order, so the answer to BEGIN is there before the last one.
 */
class PipeliningDriver extends PostgresDriver {
  readonly #begun = new WeakMap<DatabaseConnection, Promise<void>>()

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const begun = super.beginTransaction(connection, settings)
    this.#begun.delete(connection)
    if (settings.accessMode !== 'read only') return begun
    begun.catch(() => undefined)
    this.#begun.set(connection, begun)
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const begun = this.#begun.get(connection)
    const committed = super.commitTransaction(connection)
    if (!begun) return committed
    // There is nothing to keep. If the connection breaks, its next user notices.
    committed.catch(() => undefined)
    return begun
  }
}

class PipeliningDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): PostgresDriver {
    return new PipeliningDriver(this.#config)
  }
}

/** A database or a transaction in it; every query takes one as its first argument. */
export type Db = Kysely<Database> | Transaction<Database>

/**
 * A transaction. Required by functions that only make sense inside one: locks, the audit log, live messages, jobs, and
 * writes that belong together. Calling them without one does not compile.
 */
export type Trx = Transaction<Database>

/** Address and user of a PostgreSQL server. */
export type ConnectionTarget = Pick<
  ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
>

/** The application's role: it may append to the audit log but never change it. */
export const APPLICATION_ROLE = 'benchwatch_app'
/** Oldest supported version of PostgreSQL. */
const MINIMUM_VERSION = 150_000
/**
 * Far above the queries of any screen; a slower one must not hold a connection. Long work sets its own timeout
 * (inTransaction).
 */
const STATEMENT_TIMEOUT_MS = 4000
/** Longest wait for a connection of the pool: every caller gets a 503 within 5 s, whatever the database does. */
const CONNECTION_WAIT_MS = 4000
/**
 * A frozen database, or one behind a broken network, never answers, so this side breaks the connection. Longer than
 * the statement timeout, which a healthy database enforces itself.
 */
const SILENCE_MS = 6000
const CONNECT_TIMEOUT_MS = 10_000
/**
 * A transaction of a request that pauses this long belongs to a frozen process. It ends, because its locks would make
 * other servers wait.
 */
const REQUEST_PAUSE_MS = 5000
/** Long work pauses while it writes a file or sorts many events. */
export const LONG_PAUSE_MS = 60_000
const DEFAULT_PORT = 5432
const DISK_FULL = '53100'
/**
 * Lifetime of a connection for requests, which gives back its memory. PostgreSQL makes kept plans again when it has
 * analyzed their tables.
 */
const REQUEST_CONNECTION_S = 3600
/** Connections for ingest: a few parallel transactions are as fast as many. */
const INTAKE_POOL_SIZE = 3
/** One more would occupy both cores of a small machine. */
export const REPORTING_POOL_SIZE = 2
const REPORTING_TIMEOUT_MS = 20_000

// Ids stay far below 2^53, so int8 is read as a number. Calendar dates and numeric stay text.
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
  /** Address of the database itself, for a worker thread, which opens its own connection. */
  connection: ConnectionTarget
  db: Kysely<Database>
  /**
   * Separate connections for tables that count a year of events, so that no screen has to wait; statement timeout 20
   * s.
   */
  reporting: Kysely<Database>
  /**
   * Separate connections for ingest, so that the query of a screen never delays an alarm. Statements are planned once
   * and kept: a transaction with 16 single alarms took 12 ms for planning and work, and takes 5 ms.
   */
  intake: Kysely<Database>
  pool: Pool
  /** The connections of `intake`. */
  intakePool: Pool
  /** Returns when a write last failed because the disk was full, as `performance.now()` counts; -Infinity if none did. */
  diskFullAt(): number
  /** Separate connections for a library that has its own statements. The caller ends the pool. */
  libraryPool(size: number): Pool
  /** A connection outside the pool, without a statement timeout, in the application's role. The caller ends it. */
  dedicatedClient(): Promise<Client>
  /** Listens to a channel until closed; see startListener. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<Listener>
  close(): Promise<void>
}

interface ConnectInput {
  connection: ConnectionTarget
  /** A pooler in front of the same database in transaction mode, for the connections of users' calls and jobs. */
  pooler?: ConnectionTarget | null
  poolSize: number
  /** The application's role by default; null keeps the signed-in user, for migrations. */
  role?: string | null
  /** False: no statement is prepared (DATABASE_PREPARE). */
  prepares?: boolean
  /** Milliseconds without an answer after which a connection is closed; 6 s by default. */
  silenceMs?: number
}

/** An error whose message tells the operator what to do. */
export class OperatorError extends Error {
  readonly forOperator = true
}

/**
 * Opens a pool on a PostgreSQL ≥ 15. Throws OperatorError if the server is older or unreachable, or if a pooler does
 * not pass the settings on.
 */
export async function connectDatabase({
  connection,
  pooler = null,
  poolSize,
  role = APPLICATION_ROLE,
  prepares = true,
  silenceMs = SILENCE_MS,
}: ConnectInput): Promise<DatabaseHandle> {
  const version = await serverVersion(connection)
  const settings = (
    statementTimeoutMs: number,
    { plans = 'force_custom_plan', pauseMs = LONG_PAUSE_MS }: { plans?: string | undefined; pauseMs?: number } = {},
  ) => [
    'timezone=UTC',
    // Generic plans of range queries were measured 20 times slower.
    `plan_cache_mode=${plans}`,
    // Since version 16, several count(distinct) walk an index in heap order: 1,617 ms instead of 501 over 1M events.
    ...(version >= 160_000 ? ['enable_presorted_aggregate=off'] : []),
    'jit=off',
    'work_mem=32MB',
    `idle_in_transaction_session_timeout=${pauseMs}`,
    // A machine that loses power can't close its connections. Its sessions, with the locks of their transactions and
    // of the leader, end after 4 s and 9 unanswered probes instead of after two hours.
    'tcp_keepalives_idle=4',
    'tcp_keepalives_interval=1',
    `statement_timeout=${statementTimeoutMs}`,
  ]
  const configuration = (...given: Parameters<typeof settings>) =>
    withSettings(connection, [...(role === null ? [] : [`role=${role}`]), ...settings(...given)])
  const createPool = (options: PoolConfig) => {
    const pool = new Pool({
      connectionTimeoutMillis: CONNECTION_WAIT_MS,
      idleTimeoutMillis: 60_000,
      query_timeout: silenceMs,
      // In this mode a silent connection is destroyed at the timeout; otherwise it would return to the pool, still
      // waiting.
      pipeline: true,
      Client: ServerClient,
      ...options,
    })
    // A connection that breaks while idle is replaced at the next query. Without a listener, the error would end the
    // process.
    pool.on('error', () => undefined)
    // The library of the jobs asks for this one.
    pool.on('connect', (client) => client.on('error', () => undefined))
    return pool
  }
  // Only prepared statements can get a generic plan in this mode, which they do from the sixth time on.
  const requests = { plans: prepares ? 'auto' : undefined, pauseMs: REQUEST_PAUSE_MS }
  const pool = createPool({
    // A pooler would refuse or drop settings of a connection, so its login has them.
    ...(pooler ? withSettings(pooler) : configuration(STATEMENT_TIMEOUT_MS, requests)),
    max: poolSize,
    ...(prepares && { maxLifetimeSeconds: REQUEST_CONNECTION_S, Client: RequestClient }),
  })
  const poolerFault =
    pooler && role && (await findPoolerFault(pool, { role, settings: settings(STATEMENT_TIMEOUT_MS, requests) }))
  if (poolerFault) {
    await pool.end()
    throw new OperatorError(poolerFault)
  }
  const libraryPool = (size: number) =>
    createPool({ ...configuration(STATEMENT_TIMEOUT_MS), max: size, keepAlive: true })
  // The setting is about the pooler, which is not in between here.
  const keepsPlans = prepares || pooler !== null
  const intakePool = createPool({
    ...configuration(STATEMENT_TIMEOUT_MS, {
      plans: keepsPlans ? 'force_generic_plan' : undefined,
      pauseMs: REQUEST_PAUSE_MS,
    }),
    max: INTAKE_POOL_SIZE,
    // Kept plans fit the size of the tables when they were made, and a new installation grows within minutes.
    ...(keepsPlans && { maxLifetimeSeconds: 60, Client: PreparingClient }),
  })
  const reportingPool = createPool({
    ...configuration(REPORTING_TIMEOUT_MS),
    max: REPORTING_POOL_SIZE,
    query_timeout: REPORTING_TIMEOUT_MS + silenceMs,
  })
  let diskFullAt = Number.NEGATIVE_INFINITY
  const queriesOn = (pool: Pool) =>
    new Kysely<Database>({
      dialect: new PipeliningDialect({ pool }),
      log(event) {
        const { level, query, queryDurationMillis: ms } = event
        runningSpan.getStore()?.addStatement({ sql: query.sql, ms, hasFailed: level === 'error' })
        if (event.level !== 'error' || (event.error as { code?: string }).code !== DISK_FULL) return
        diskFullAt = performance.now()
      },
    })
  const db = queriesOn(pool)
  const reporting = queriesOn(reportingPool)
  const intake = queriesOn(intakePool)
  const dedicatedClient = async () => {
    const client = new ServerClient({
      ...configuration(0),
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  return {
    connection,
    db,
    reporting,
    intake,
    pool,
    intakePool,
    diskFullAt: () => diskFullAt,
    libraryPool,
    dedicatedClient,
    listen: (channel, onNotify) => startListener(dedicatedClient, { channel, onNotify }),
    async close() {
      await Promise.all([db.destroy(), reporting.destroy(), intake.destroy()])
      // Kysely does not close a pool that it never used.
      await Promise.all([pool, reportingPool, intakePool].filter(({ ending }) => !ending).map((open) => open.end()))
    },
  }
}

/**
 * Opens a connection as the signed-in user, outside any pool; the caller ends it. `settings` are name=value. Throws
 * OperatorError if the database can't be reached.
 */
export async function connectClient(connection: ConnectionTarget, settings: readonly string[] = []): Promise<Client> {
  const client = new ServerClient({
    ...withSettings(connection, settings),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  try {
    await client.connect()
    return client
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    // If a name has several addresses and none answers, the message is empty.
    throw new OperatorError(
      `The database can't be reached (${message || code}): check that it is running and that DATABASE_URL is correct, as well as DATABASE_DIRECT_URL if it is set.`,
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
        `Benchwatch needs PostgreSQL 15 or later, but the database is on ${version}: update that server, or use another one.`,
      )
    }
    return number
  } finally {
    await client.end()
  }
}

/** Opens a pool for a library that works as the signed-in user. The caller ends it. */
export function ownerPool(connection: ConnectionTarget): Pool {
  const pool = new Pool({ ...withSettings(connection), Client: ServerClient, max: 1 })
  pool.on('error', () => undefined)
  pool.on('connect', (connected) => connected.on('error', () => undefined))
  return pool
}

/**
 * Adds settings to a connection. Options in a connection string would override those passed beside it and lose the
 * application's role, so both are combined here, these last.
 */
function withSettings(connection: ConnectionTarget, settings: readonly string[] = []): ServerConfig {
  const ours = settings.map((setting) => `-c ${setting}`).join(' ')
  const common = { ...connection, application_name: 'benchwatch' }
  if (connection.connectionString === undefined) return { ...common, options: ours }
  const { url, hosts } = parseUrl(connection.connectionString)
  const options = `${url.searchParams.get('options') ?? ''} ${ours}`.trim()
  url.searchParams.delete('options')
  return { ...common, connectionString: url.href, options, hosts }
}

/** Parses an address. With several hosts, the URL names the first one, because the driver's parser takes one only. */
function parseUrl(connectionString: string): { url: URL; hosts: Host[] | undefined } {
  const [, login = '', places = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/.exec(connectionString) ?? []
  const urls = places.split(',').map((place) => URL.parse(login + place + rest))
  const [url] = urls
  // The value is not quoted, because it may contain a password.
  if (!url || urls.some((one) => one === null)) {
    throw new OperatorError(
      'DATABASE_URL and DATABASE_DIRECT_URL must look like postgresql://user:password@host:5432/database, where several hosts are separated by commas.',
    )
  }
  if (urls.length === 1) return { url, hosts: undefined }
  return { url, hosts: urls.flatMap((one) => (one ? hostOf(one) : [])) }
}

function hostOf({ hostname, port }: URL): Host {
  return { host: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1'), port: Number(port || DEFAULT_PORT) }
}

/**
 * Checks the connections of a pooler in transaction mode. It shares them between callers, so it passes no settings on:
 * its login must have them. Returns the sentence that tells an administrator what to run, or null if all is well.
 * `settings` are name=value.
 */
async function findPoolerFault(
  pool: Pool,
  { role, settings }: { role: string; settings: readonly string[] },
): Promise<string | null> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ login: string; mayChangeAudit: boolean; mayWork: boolean }>(
      `SELECT session_user AS login, has_table_privilege('audit', 'UPDATE, DELETE, TRUNCATE') AS "mayChangeAudit",
        pg_has_role($1, 'USAGE') AS "mayWork"`,
      [role],
    )
    const { login = '', mayChangeAudit = true, mayWork = false } = rows[0] ?? {}
    if (mayChangeAudit || !mayWork) {
      return `The user ${login} of DATABASE_URL must have the rights of ${role} and no others, because a pooler does not change roles. Let an administrator run: CREATE ROLE benchwatch_requests LOGIN PASSWORD '…' IN ROLE ${role}; and name that one in DATABASE_URL, and the owner in DATABASE_DIRECT_URL.`
    }
    const differing: string[] = []
    await client.query('BEGIN')
    for (const setting of settings) {
      const [name = '', value = ''] = setting.split('=')
      const before = await client.query<{ value: string }>('SELECT current_setting($1) AS value', [name])
      // PostgreSQL writes a value in its own unit, so it is compared with what it makes of the wanted one.
      const wanted = await client.query<{ value: string }>('SELECT set_config($1, $2, true) AS value', [name, value])
      if (before.rows[0]?.value !== wanted.rows[0]?.value)
        differing.push(`ALTER ROLE ${login} SET ${name} = '${value}';`)
    }
    await client.query('ROLLBACK')
    if (differing.length === 0) return null
    return `The pooler of DATABASE_URL does not pass settings on, so its user must have them. Let an administrator run: ${differing.join(' ')} and then RECONNECT in the pooler.`
  } finally {
    client.release(true)
  }
}
