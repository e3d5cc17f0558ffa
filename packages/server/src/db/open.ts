import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Log } from '../platform/log.ts'
import { type ConnectionTarget, connectDatabase, type DatabaseHandle } from './connect.ts'
import { findRunningPostgres, startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { migrate } from './migrate/migrate.ts'

export interface OpenedDatabase {
  database: DatabaseHandle
  /** The owner of the schema, for commands that the application's role must not be able to run. */
  owner: ConnectionTarget
  /** Resolves if the embedded server ended on its own; never for an external one. */
  lost: Promise<void>
  close(): Promise<void>
}

/** No timeout: the operator can stop a command, and verifying a large audit log takes longer than a request may. */
const FOR_EVER = 0

type DatabaseConfig = Pick<
  Config,
  'databaseUrl' | 'databaseDirectUrl' | 'databasePoolSize' | 'databasePrepares' | 'dataDir'
>

/** Opens the external database of DATABASE_URL (and DATABASE_DIRECT_URL) or starts the embedded one, and migrates it. Throws OperatorError. */
export async function openDatabase(config: DatabaseConfig, log: Log): Promise<OpenedDatabase> {
  return open(await startServer(config, log), {
    pooler: config.databaseDirectUrl === null ? null : { connectionString: config.databaseUrl ?? '' },
    poolSize: config.databasePoolSize,
    prepares: config.databasePrepares,
    log,
  })
}

/**
 * Opens the database for a command: joins the embedded server if it runs, otherwise starts it for the duration of the
 * command.
 */
export async function openDatabaseForCommand(config: DatabaseConfig, log: Log): Promise<OpenedDatabase> {
  return open(await reachServer(config, log), {
    poolSize: 2,
    prepares: config.databasePrepares,
    log,
    silenceMs: FOR_EVER,
  })
}

/** A server with the product's database, whatever it contains. */
export interface ReachedServer {
  /** The owner of the schema, or of the database before it has one. */
  owner: ConnectionTarget
  /** Resolves if the embedded server ended on its own; never for an external one. */
  lost: Promise<void>
  stop(): Promise<void>
}

/**
 * Opens the server for a command that must not change the database first: nothing is migrated. Throws OperatorError.
 */
export async function reachServer(config: DatabaseConfig, log: Log): Promise<ReachedServer> {
  const running = config.databaseUrl === null ? await findRunningPostgres(embeddedFolder(config.dataDir)) : null
  return running ? foreign(running.connection) : startServer(config, log)
}

async function startServer(config: DatabaseConfig, log: Log): Promise<ReachedServer> {
  const address = config.databaseDirectUrl ?? config.databaseUrl
  if (address !== null) return foreign({ connectionString: address })
  const embedded = await startEmbeddedPostgres({
    dataDir: embeddedFolder(config.dataDir),
    onLog: (line) => log.debug({ line }, 'postgres'),
  })
  return { owner: embedded.connection, lost: embedded.exited, stop: () => embedded.stop() }
}

/** Wraps a server that another process starts and ends. */
function foreign(owner: ConnectionTarget): ReachedServer {
  return { owner, lost: new Promise(() => undefined), stop: async () => {} }
}

/** Returns the folder of the embedded database in a data directory. */
export function embeddedFolder(dataDir: string): string {
  return join(dataDir, 'postgres')
}

async function open(
  { owner, lost, stop }: ReachedServer,
  {
    log,
    ...options
  }: { pooler?: ConnectionTarget | null; poolSize: number; prepares: boolean; log: Log; silenceMs?: number },
): Promise<OpenedDatabase> {
  try {
    const applied = await migrate(owner)
    if (applied.length > 0) log.info({ migrations: applied }, 'schema is up to date')
    const database = await connectDatabase({ connection: owner, ...options })
    return {
      database,
      owner,
      lost,
      async close() {
        await database.close()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}
