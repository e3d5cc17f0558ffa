import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionTarget, connectClient } from '../../db/connect.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/embedded/embedded-postgres.ts'
import { migrate } from '../../db/migrate/migrate.ts'

/** Timeout of a hook that starts both: a new cluster, its migrations and two copies, on a machine that is busy. */
export const REPLICA_START_MS = 120_000

/** A primary with the product's schema, and a replica that streams from it. */
export interface StreamingReplica {
  primary: ConnectionTarget
  /** DATABASE_READ_URL. */
  url: string
  /** Returns what the replica was asked since the last call: its log of statements. */
  asked(): string
  /** Runs one statement on the replica. */
  onReplica(statement: string): Promise<void>
  /** Starts a copy of the primary that was taken before the replica began to stream. */
  startForgetfulPrimary(): Promise<ConnectionTarget>
  stopReplica(): Promise<void>
  startReplica(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts both servers. The replica begins as a copy of the stopped primary, because the embedded package has no
 * pg_basebackup; from then on it is one like any other.
 */
export async function startWithReplica(): Promise<StreamingReplica> {
  // Short, because it holds sockets.
  const folder = mkdtempSync(join(tmpdir(), 'bw-'))
  execFileSync('chmod', ['755', folder])
  const running = new Set<EmbeddedPostgres>()
  let log = ''
  const start = async (cluster: string) => {
    const onLog = (line: string) => {
      if (cluster === 'replica') log += `${line}\n`
    }
    const server = await startEmbeddedPostgres({ dataDir: join(folder, cluster), fsync: false, onLog })
    running.add(server)
    return server
  }
  const stop = async (server: EmbeddedPostgres) => {
    running.delete(server)
    await server.stop()
  }
  const first = await start('primary')
  await migrate(first.connection)
  // Other tests may lose what they have committed.
  await execute(first.connection, 'ALTER DATABASE benchwatch SET synchronous_commit = on')
  await stop(first)
  for (const copy of ['replica', 'forgetful']) execFileSync('cp', ['-a', join(folder, 'primary'), join(folder, copy)])

  const { connection: primary } = await start('primary')
  const { host, port, user } = primary
  const streaming = `primary_conninfo = 'host=${host} port=${port} user=${user}'\nwal_retrieve_retry_interval = 50ms\nlog_statement = all\n`
  appendFileSync(join(folder, 'replica', 'postgresql.auto.conf'), streaming)
  writeFileSync(join(folder, 'replica', 'standby.signal'), '')
  let replica = await start('replica')
  const link = join(folder, 'socket')
  const pointTo = ({ connection }: EmbeddedPostgres) => execFileSync('ln', ['-sfn', connection.host ?? '', link])
  pointTo(replica)
  return {
    primary,
    url: `postgresql://${user}@localhost:${port}/${primary.database}?host=${encodeURIComponent(link)}`,
    asked() {
      const lines = log
      log = ''
      return lines
    },
    onReplica: (statement) => execute(replica.connection, statement),
    startForgetfulPrimary: async () => (await start('forgetful')).connection,
    stopReplica: () => stop(replica),
    async startReplica() {
      replica = await start('replica')
      pointTo(replica)
    },
    async stop() {
      for (const server of running) await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

async function execute(target: ConnectionTarget, statement: string): Promise<void> {
  const client = await connectClient(target)
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
