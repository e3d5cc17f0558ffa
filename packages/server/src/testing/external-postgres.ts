import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type ConnectionTarget, connectClient } from '../db/connect.ts'
import { type ServerProcess, serverEnvironment, startServer } from '../db/embedded/embedded-process.ts'
import { asUser, chooseServerUser, giveTree } from '../db/embedded/embedded-user.ts'
import { shareServer } from './test-cluster.ts'

/**
 * An external PostgreSQL for a test run: a server from the programs that the machine has installed, on a cluster of its
 * own in a temporary folder. It differs from the embedded one in what managed servers differ in: an older release, texts
 * sorted by a language, a password, an owner of the databases who is no superuser, and a port beside the socket.
 */
export interface ExternalPostgres {
  /** Someone who may create databases and roles, and nothing more. */
  administrator: ConnectionTarget
  stop(): Promise<void>
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The programs that the project's server is started from. */
    installedPostgres: { bin: string; major: number }
  }
}

const SUPERUSER = 'postgres'
const ADMINISTRATOR = 'managed'

let server: ExternalPostgres | undefined

/** Called by vitest once before the first test file of the project. */
export async function setup(project: TestProject): Promise<void> {
  try {
    server = await startExternalPostgres(project.getProvidedContext().installedPostgres)
    await shareServer(project, server.administrator)
  } catch (error) {
    await teardown()
    throw error
  }
}

/** Called by vitest once at the end. A run that is killed leaves no server either: the launcher's watchdog ends it. */
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
    // Its workers belong to the superuser, so the administrator, who is none, could not drop a database that one is busy in.
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

/** One that nobody listens on now. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** Reached through the socket; tests that want the port take the path away. */
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
