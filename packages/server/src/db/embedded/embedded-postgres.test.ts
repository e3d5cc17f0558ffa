import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { canOthersRun, type Ids, startChild } from '../../testing/postgres/start-embedded-child.ts'
import { type ConnectionTarget, connectClient } from '../connect.ts'
import { type EmbeddedPostgres, findRunningPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { isAlive } from './embedded-postmaster.ts'
import { asUser, chooseServerUser, giveTree } from './embedded-user.ts'

const isRoot = process.getuid?.() === 0
/** An ordinary user, even if root runs the tests. */
const ordinary: Ids = isRoot ? { uid: 65_534, gid: 65_534 } : {}
const installedNative = join(
  dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
  '..',
  'native',
)

let folder: string
/**
 * One cluster for all tests that need no fresh one; each test leaves it stopped. Creating one takes almost a second.
 */
let cluster: string
const cleanups: (() => unknown)[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'benchwatch-launcher-'))
  chmodSync(folder, 0o755)
  cluster = join(folder, 'shared', 'postgres')
  await (await startEmbeddedPostgres({ dataDir: cluster, fsync: false })).stop()
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Creates a folder for a test that the ordinary user can access. */
function place(): string {
  const made = mkdtempSync(join(folder, 'place-'))
  chmodSync(made, 0o777)
  return join(made, 'postgres')
}

async function start(input: Parameters<typeof startEmbeddedPostgres>[0]): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ fsync: false, ...input })
  cleanups.push(() => server.stop())
  return server
}

async function startProcess(...args: Parameters<typeof startChild>) {
  const [input, ids] = args
  const child = await startChild({ fsync: false, ...input }, ids)
  cleanups.push(() => child.stop())
  return child
}

async function query<T extends object>(connection: ConnectionTarget, text: string): Promise<T[]> {
  const client = await connectClient(connection)
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

const hasPs = spawnSync('ps').error === undefined
function ps(...args: string[]): string {
  return execFileSync('ps', args, { encoding: 'utf8' })
}
const parentOf = (pid: number) => Number(ps('-o', 'ppid=', '-p', String(pid)))
const childrenOf = (pid: number) =>
  ps('-A', '-o', 'ppid=,pid=')
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([parent, child]) => (parent === pid && child !== undefined ? [child] : []))

describe('the embedded database', () => {
  it('is created at the first start and keeps what was written', async () => {
    const dataDir = place()
    const first = await startEmbeddedPostgres({ dataDir })
    await query(first.connection, "CREATE TABLE kept AS SELECT 'ÄKTA' AS name")
    await first.stop()
    expect(isAlive(first.pid)).toBe(false)
    expect(existsSync(first.connection.host ?? '')).toBe(false)

    const second = await start({ dataDir })
    expect(await query(second.connection, 'SELECT name FROM kept')).toEqual([{ name: 'ÄKTA' }])
    const [settings] = await query(
      second.connection,
      `SELECT current_setting('listen_addresses') AS tcp, current_setting('server_encoding') AS encoding,
        (SELECT datlocale FROM pg_database WHERE datname = current_database()) AS locale`,
    )
    expect(settings).toEqual({ tcp: '', encoding: 'UTF8', locale: 'C.UTF-8' })
    expect(statSync(second.connection.host ?? '').mode & 0o777).toBe(0o700)
  })

  it('refuses a directory that another process uses, naming the directory and the process', async () => {
    const dataDir = cluster
    const other = await startProcess({ dataDir })
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toMatchObject({
      forOperator: true,
      message: `The data directory ${dataDir} is already in use by process ${other.process.pid} (another Benchwatch): stop that one first, or set DATA_DIR to another directory.`,
    })
    expect(await query(other.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('has one of two starts on an empty directory win', async () => {
    const dataDir = place()
    const starts = await Promise.all([startProcess({ dataDir }), startProcess({ dataDir })])
    const errors = starts.map(({ error }) => error)
    expect(errors).toContain(undefined)
    expect(errors.filter((error) => error?.includes('is already in use'))).toHaveLength(1)
  })

  it('leaves no server behind when its process is killed, and loses nothing that was committed', async () => {
    const dataDir = cluster
    const killed = await startChild({ dataDir })
    await query(killed.connection, 'CREATE TABLE committed AS SELECT 42 AS answer')
    killed.process.kill('SIGKILL')
    await eventually(() => expect(isAlive(killed.postgresPid)).toBe(false))
    await eventually(() => expect(existsSync(killed.connection.host ?? '')).toBe(false))

    const next = await start({ dataDir })
    expect(await query(next.connection, 'SELECT answer FROM committed')).toEqual([{ answer: 42 }])
  })

  it('starts at once after a kill, waiting for the ending server', async () => {
    const dataDir = cluster
    const killed = await startChild({ dataDir })
    killed.process.kill('SIGKILL')
    await once(killed.process, 'exit')
    const next = await start({ dataDir })
    expect(next.pid).not.toBe(killed.postgresPid)
  })

  it('reports when the server ends unexpectedly, and releases the directory', async () => {
    const dataDir = cluster
    const server = await startEmbeddedPostgres({ dataDir, fsync: false })
    process.kill(server.pid, 'SIGQUIT')
    await server.exited
    const next = await start({ dataDir })
    expect(next.pid).not.toBe(server.pid)
  })

  it('is found by a command beside it', async () => {
    const dataDir = cluster
    expect(await findRunningPostgres(dataDir)).toBeNull()
    expect(await findRunningPostgres(place())).toBeNull()
    await startProcess({ dataDir })
    const found = await findRunningPostgres(dataDir)
    expect(await query(found?.connection ?? {}, 'SELECT current_database() AS name')).toEqual([{ name: 'benchwatch' }])
  })

  it('begins again where an earlier first start was cut short', async () => {
    const dataDir = place()
    mkdirSync(join(`${dataDir}.init`, 'base'), { recursive: true })
    await start({ dataDir })
    expect(existsSync(`${dataDir}.init`)).toBe(false)
  })
})

describe('what an earlier server left', () => {
  async function leavePidFile(dataDir: string, pid: number): Promise<void> {
    const startedAt = Math.round(Date.now() / 1000)
    writeFileSync(join(dataDir, 'postmaster.pid'), `${pid}\n${dataDir}\n${startedAt}\n5432\n/tmp\n\n\nready   \n`)
  }

  it('a postmaster.pid of a dead process is no obstacle', async () => {
    const dataDir = cluster
    const gone = spawn('true')
    await once(gone, 'exit')
    await leavePidFile(dataDir, gone.pid ?? 0)
    expect(await findRunningPostgres(dataDir)).toBeNull()
    await start({ dataDir })
  })

  it('a postmaster.pid that names another living program is removed, and that program left alone', async () => {
    const dataDir = cluster
    const sleeper = spawn('sleep', ['60'], asUser(chooseServerUser(dataDir)))
    cleanups.push(() => sleeper.kill())
    await leavePidFile(dataDir, sleeper.pid ?? 0)
    const lines: string[] = []
    await start({ dataDir, onLog: (line) => lines.push(line) })
    expect(lines).toContain(`Removed postmaster.pid: process ${sleeper.pid} is another program.`)
    expect(isAlive(sleeper.pid ?? 0)).toBe(true)
  })

  it.runIf(hasPs)('a server without its Benchwatch is ended before the directory is used', async () => {
    const dataDir = cluster
    const killed = await startChild({ dataDir, fsync: false })
    const watchdog = parentOf(killed.postgresPid)
    const orphan = killed.postgresPid
    for (const pid of childrenOf(watchdog).filter((child) => child !== orphan)) process.kill(pid, 'SIGKILL')
    process.kill(watchdog, 'SIGKILL')
    killed.process.kill('SIGKILL')
    await once(killed.process, 'exit')
    expect(isAlive(orphan)).toBe(true)
    const lines: string[] = []
    await start({ dataDir, onLog: (line) => lines.push(line) })
    expect(lines).toContain(`Stopping the PostgreSQL server ${orphan}, which an earlier Benchwatch left behind.`)
    expect(isAlive(orphan)).toBe(false)
  })

  it('a directory of another major version stops the start with instructions and stays as it is', async () => {
    const dataDir = place()
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'PG_VERSION'), '17\n')
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
      /was made by PostgreSQL 17, but this release has PostgreSQL 18.*With the release of Benchwatch that made it, run `npm run backup -- <file>`; then move \S+ away and, with this release, run `npm run restore -- <file>`/,
    )
    expect(readdirSync(dataDir)).toEqual(['PG_VERSION'])
  })

  it('a directory with other files is left alone', async () => {
    const dataDir = place()
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'thesis.txt'), 'mine')
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/contains files that don't belong to a database/)
  })
})

describe('the programs', () => {
  let nativeDir: string

  /** A copy of the package in the state after `npm ci --ignore-scripts`. */
  beforeAll(() => {
    const home = dirname(place())
    nativeDir = join(home, 'native')
    cpSync(installedNative, nativeDir, { recursive: true, verbatimSymlinks: true })
    cpSync(join(installedNative, '..', 'package.json'), join(home, 'package.json'))
  })
  beforeEach(() => {
    const lib = join(nativeDir, 'lib')
    for (const entry of readdirSync(lib, { withFileTypes: true })) {
      if (entry.isSymbolicLink()) rmSync(join(lib, entry.name))
    }
  })

  it('get the library links that an install without scripts leaves out', async () => {
    await start({ dataDir: cluster, nativeDir })
    expect(readdirSync(join(nativeDir, 'lib'))).toEqual(readdirSync(join(installedNative, 'lib')))
  })

  it('are copied beside the data when the package is read-only', async () => {
    chmodSync(join(nativeDir, 'lib'), 0o555)
    const dataDir = place()
    const child = await startProcess({ dataDir, nativeDir }, ordinary)
    chmodSync(join(nativeDir, 'lib'), 0o755)
    expect(child.error).toBeUndefined()
    expect(readdirSync(dirname(dataDir))).toContainEqual(expect.stringMatching(/^pgbin-18/))
  })

  it.runIf(isRoot)(
    'and the data are within reach of the user to whom root hands the server, also below a private home',
    async () => {
      const home = dirname(nativeDir)
      chmodSync(home, 0o700)
      const dataDir = join(home, 'data', 'postgres')
      const copiesDir = dirname(place())
      const server = await start({ dataDir, nativeDir, copiesDir })
      expect(statSync(`/proc/${server.pid}`).uid).toBe(chooseServerUser(dataDir)?.uid)
      expect(statSync(`/proc/${server.pid}`).uid).not.toBe(0)
      expect(readdirSync(copiesDir)).toContainEqual(expect.stringMatching(/^pgbin-18/))
      expect(await findRunningPostgres(dataDir)).not.toBeNull()
    },
  )
})

describe.runIf(isRoot && canOthersRun())('root', () => {
  it('runs the server as the owner of the project, who can go on without root', async () => {
    const project = dirname(place())
    chownSync(project, 65_534, 65_534)
    const dataDir = join(project, 'data', 'postgres')
    const server = await startEmbeddedPostgres({ dataDir, fsync: false })
    expect(statSync(`/proc/${server.pid}`).uid).toBe(65_534)
    await server.stop()
    const child = await startProcess({ dataDir }, ordinary)
    expect(child.error).toBeUndefined()
  })
})

describe.runIf(isRoot)('root, after putting back a backup as root,', () => {
  it('gives it to the user of the server', async () => {
    giveTree({ uid: 0, gid: 0, name: 'root' }, cluster)
    const server = await start({ dataDir: cluster })
    expect(statSync(cluster).uid).toBe(statSync(`/proc/${server.pid}`).uid)
  })
})

describe.runIf(isRoot && canOthersRun())('an ordinary user', () => {
  it('starts it, and leaves nothing behind when killed', async () => {
    const child = await startChild({ dataDir: place() }, ordinary)
    expect(statSync(`/proc/${child.postgresPid}`).uid).toBe(65_534)
    child.process.kill('SIGKILL')
    await eventually(() => expect(isAlive(child.postgresPid)).toBe(false))
  })

  it('is told whose the directory is when it belongs to another', async () => {
    const restored = place()
    mkdirSync(restored, { mode: 0o700 })
    const refused = await startProcess({ dataDir: restored }, ordinary)
    expect(refused.error).toMatch(/belongs to user 0, not to you: start as that user or as root/)

    const locked = await startProcess({ dataDir: cluster }, ordinary)
    expect(locked.error).toMatch(/This user can't write to the data directory .*: start as its owner/)
  })

  it('without an entry in /etc/passwd gets an explanation', async () => {
    const { error } = await startProcess({ dataDir: place() }, { uid: 123_456, gid: 123_456 })
    expect(error).toMatch(/runs as user 123456, which has no entry in \/etc\/passwd.*set DATABASE_URL/)
  })
})
