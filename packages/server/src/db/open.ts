import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Log } from '../platform/log.ts'
import { type ConnectionTarget, connectDatabase, type DatabaseHandle } from './connect.ts'
import { findRunningPostgres, startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { migrate } from './migrate.ts'

export interface OpenedDatabase {
  database: DatabaseHandle
  /** As the owner of the schema; for commands that the application's role must not be able to do. */
  owner: ConnectionTarget
  /** Resolves when the embedded server ended by itself; never for an external one. */
  lost: Promise<void>
  close(): Promise<void>
}

/** Somebody waits for a command and can stop it; to verify a large record takes longer than a request may. */
const FOR_EVER = 0

type Wanted = Pick<Config, 'databaseUrl' | 'databasePoolSize' | 'dataDir'>

/** Opens the external database of DATABASE_URL, or starts the embedded one; either is migrated. Throws OperatorError. */
export async function openDatabase(config: Wanted, log: Log): Promise<OpenedDatabase> {
  return open(await startServer(config, log), { poolSize: config.databasePoolSize, log })
}

/**
 * For a command typed beside the server: joins the embedded database where it runs, else starts it for the time being.
 */
export async function openDatabaseForCommand(config: Wanted, log: Log): Promise<OpenedDatabase> {
  return open(await reachServer(config, log), { poolSize: 2, log, silenceMs: FOR_EVER })
}

/** A server with the product's database in it, whatever that holds. */
export interface ReachedServer {
  /** As the owner of the schema, or of what will become it. */
  owner: ConnectionTarget
  /** Resolves when the embedded server ended by itself; never for an external one. */
  lost: Promise<void>
  stop(): Promise<void>
}

/** The same server for a command that must find the database as it is: nothing is migrated. Throws OperatorError. */
export async function reachServer(config: Wanted, log: Log): Promise<ReachedServer> {
  const running = config.databaseUrl === null ? await findRunningPostgres(embeddedFolder(config.dataDir)) : null
  return running ? foreign(running.connection) : startServer(config, log)
}

async function startServer(config: Wanted, log: Log): Promise<ReachedServer> {
  if (config.databaseUrl !== null) return foreign({ connectionString: config.databaseUrl })
  const embedded = await startEmbeddedPostgres({
    dataDir: embeddedFolder(config.dataDir),
    onLog: (line) => log.debug({ line }, 'postgres'),
  })
  return { owner: embedded.connection, lost: embedded.exited, stop: () => embedded.stop() }
}

/** One that others started and end. */
function foreign(owner: ConnectionTarget): ReachedServer {
  return { owner, lost: new Promise(() => undefined), stop: async () => {} }
}

/** Where the embedded database of a data directory lies. */
export function embeddedFolder(dataDir: string): string {
  return join(dataDir, 'postgres')
}

async function open(
  { owner, lost, stop }: ReachedServer,
  { poolSize, log, silenceMs }: { poolSize: number; log: Log; silenceMs?: number },
): Promise<OpenedDatabase> {
  try {
    const applied = await migrate(owner)
    if (applied.length > 0) log.info({ migrations: applied }, 'schema is up to date')
    const database = await connectDatabase({
      connection: owner,
      poolSize,
      ...(silenceMs !== undefined && { silenceMs }),
    })
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
