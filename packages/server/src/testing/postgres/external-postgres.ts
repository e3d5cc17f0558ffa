import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type ConnectionTarget, connectClient } from '../../db/connect.ts'
import { type ServerProcess, serverEnvironment, startServer } from '../../db/embedded/embedded-postgres.ts'
import { asUser, chooseServerUser, giveTree } from '../../db/embedded/embedded-user.ts'
import { shareServer } from '../test-cluster.ts'

/**
 * An external PostgreSQL for a test run: the server installed on the machine, with its own cluster in a temporary
 * folder. It differs from the embedded one as managed servers do: an older release, a language-specific collation, a
 * password, a database owner who is not a superuser, and a port in addition to the socket.
 */
export interface ExternalPostgres {
  /** A user who may create databases and roles, and nothing more. */
  administrator: ConnectionTarget
  stop(): Promise<void>
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The programs that start the project's server. */
    installedPostgres: { bin: string; major: number }
  }
}

const SUPERUSER = 'postgres'
const ADMINISTRATOR = 'managed'

let server: ExternalPostgres | undefined

/**
 * Vitest calls it once before the first test file of the project, which there is only where PostgreSQL is installed.
 * @public
 */
export async function setup(project: TestProject): Promise<void> {
  try {
    server = await startExternalPostgres(project.getProvidedContext().installedPostgres)
    await shareServer(project, server.administrator)
  } catch (error) {
    await teardown()
    throw error
  }
}

/** vitest calls it once at the end. A killed run leaves no server either, because the launcher's watchdog ends it. */
export async function teardown(): Promise<void> {
  await server?.stop()
}

async function startExternalPostgres({ bin, major }: { bin: string; major: number }): Promise<ExternalPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'benchwatch-external-'))
  try {
    chmodSync(folder, 0o755)
    const dataDir = join(folder, 'cluster')
    const user = chooseServerUser(dataDir)
    const binaries = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major }
    mkdirSync(dataDir, { mode: 0o700 })
    if (user !== null) giveTree(user, dataDir)
    const locale = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US', '-E', 'UTF8']
    execFileSync(binaries.initdb, ['-D', dataDir, '-U', SUPERUSER, '-A', 'trust', '--no-sync', ...locale], {
      ...asUser(user),
      cwd: dataDir,
      env: serverEnvironment(),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    // Its workers belong to the superuser, so the administrator could not drop a database in which one is active.
    appendFileSync(join(dataDir, 'postgresql.conf'), 'autovacuum = off\n')
    writeFileSync(
      join(dataDir, 'pg_hba.conf'),
      `local all ${SUPERUSER} trust\nlocal all all scram-sha-256\nhost all all 127.0.0.1/32 scram-sha-256\n`,
    )
    const port = await freePort()
    const settings = ['listen_addresses=127.0.0.1', `port=${port}`]
    const started = await startServer({ binaries, dataDir, user, fsync: false, settings, onLog: () => undefined })
    return {
      administrator: await createAdministrator(started, port),
      async stop() {
        await started.stop()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** Returns a port on which no server listens at the moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** Connects through the socket; tests that use the port remove the path. */
async function createAdministrator({ socketDir }: ServerProcess, port: number): Promise<ConnectionTarget> {
  const password = randomBytes(12).toString('hex')
  const client = await connectClient({ host: socketDir, port, user: SUPERUSER, database: 'postgres' })
  try {
    await client.query(`CREATE ROLE ${ADMINISTRATOR} LOGIN PASSWORD '${password}' CREATEDB CREATEROLE`)
  } finally {
    await client.end()
  }
  return {
    connectionString: `postgresql://${ADMINISTRATOR}:${password}@localhost:${port}/postgres?host=${encodeURIComponent(socketDir)}`,
  }
}
