import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Log } from '../platform/log.ts'
import { type ConnectionTarget, connectDatabase, type DatabaseHandle } from './connect.ts'
import { findRunningPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { migrate } from './migrate.ts'

export interface OpenedDatabase {
  database: DatabaseHandle
  /** As the owner of the schema; for commands that the application's role must not be able to do. */
  owner: ConnectionTarget
  /** Resolves when the embedded server ended by itself; never for an external one. */
  lost: Promise<void>
  close(): Promise<void>
}

type Wanted = Pick<Config, 'databaseUrl' | 'databasePoolSize' | 'dataDir'>

/** Opens the external database of DATABASE_URL, or starts the embedded one; either is migrated. Throws OperatorError. */
export async function openDatabase(config: Wanted, log: Log): Promise<OpenedDatabase> {
  if (config.databaseUrl !== null) {
    const owner: ConnectionTarget = { connectionString: config.databaseUrl }
    return open(
      { owner, poolSize: config.databasePoolSize, lost: new Promise(() => undefined), stop: async () => {} },
      log,
    )
  }
  const embedded = await startEmbeddedPostgres({
    dataDir: embeddedFolder(config.dataDir),
    onLog: (line) => log.debug({ line }, 'postgres'),
  })
  return open(
    {
      owner: embedded.connection,
      poolSize: config.databasePoolSize,
      lost: embedded.exited,
      stop: () => embedded.stop(),
    },
    log,
  )
}

/**
 * For a command typed beside the server: joins the embedded database where it runs, else starts it for the time being.
 */
export async function openDatabaseForCommand(config: Wanted, log: Log): Promise<OpenedDatabase> {
  if (config.databaseUrl === null) {
    const running = await findRunningPostgres(embeddedFolder(config.dataDir))
    if (running) {
      return open(
        { owner: running.connection, poolSize: 2, lost: new Promise(() => undefined), stop: async () => {} },
        log,
      )
    }
  }
  return openDatabase({ ...config, databasePoolSize: 2 }, log)
}

function embeddedFolder(dataDir: string): string {
  return join(dataDir, 'postgres')
}

interface Server {
  owner: ConnectionTarget
  poolSize: number
  lost: Promise<void>
  stop(): Promise<void>
}

async function open({ owner, poolSize, lost, stop }: Server, log: Log): Promise<OpenedDatabase> {
  try {
    const applied = await migrate(owner)
    if (applied.length > 0) log.info({ migrations: applied }, 'schema is up to date')
    const database = await connectDatabase({ connection: owner, poolSize })
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
