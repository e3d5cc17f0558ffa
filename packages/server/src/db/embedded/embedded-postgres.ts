import { type ChildProcessByStdio, spawn } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { type ConnectionTarget, OperatorError } from '../connect.ts'
import { type Binaries, prepareBinaries } from './embedded-binaries.ts'
import {
  DIRECTORY_SETTING,
  endLeftover,
  isAlive,
  isServerOf,
  readPostmaster,
  SOCKET_DIR_PREFIX,
} from './embedded-postmaster.ts'
import { SOCKET_PORT, serverSettings } from './embedded-settings.ts'
import {
  asUser,
  chooseServerUser,
  createFolders,
  giveTree,
  inheritOwner,
  requireNamedUser,
  type ServerUser,
  succeedsAs,
} from './embedded-user.ts'

/**
 * Allows one product process per data directory.
 *
 * The lock is SQLite's: an fcntl lock on `<directory>.lock`. The kernel releases it however its holder ends, two
 * containers on one volume both see it, and Node offers it on every platform (it has no flock). A file with a process
 * id would not be a lock: after a crash the id may belong to any program, and two processes that start at once would
 * both consider it stale. PostgreSQL's postmaster.pid is such a file, and it does not exist yet while the first start
 * creates the cluster.
 */
interface DirectoryLock {
  /** Releases the lock; a second call does nothing. */
  release(): void
}

const SQLITE_BUSY = 5

/**
 * If two processes try to take the lock at the same moment, each may find it busy: then both retry, and one gets it.
 */
const TURN_MS = 300

/** An unreferenced DatabaseSync is closed by the garbage collector, which would release its lock. */
const held = new Set<DatabaseSync>()

/**
 * A PostgreSQL server that belongs to this process: it starts and ends with the process, and only the process can
 * reach it.
 */
export interface EmbeddedPostgres {
  /** Connects as the owner of the product's database. */
  connection: ConnectionTarget
  /** Process id of the PostgreSQL server. */
  pid: number
  /** Resolves when the server has ended, by stop() or on its own. */
  exited: Promise<void>
  /** Shuts the server down and releases the directory. Open connections are cut. */
  stop(): Promise<void>
}

interface ServerInput {
  /** The cluster directory; created if it is missing. Its lock and copies of the programs are stored beside it. */
  dataDir: string
  /** False only in tests: faster, but a crash of the machine loses the database. */
  fsync?: boolean
  /** Called with each line that the server logs. */
  onLog?: (line: string) => void
  /** The `native` folder of another PostgreSQL package than the installed one. */
  nativeDir?: string
  /** Folder for copies of the programs if they can't run in place. */
  copiesDir?: string
}

/** Login and database of the product. The socket's folder is private to the server's user, so no password is needed. */
const OWNER = 'benchwatch'

/**
 * Starts PostgreSQL on a directory, which the first start creates (0.7 s; later starts 0.05 s). Throws OperatorError
 * with advice if the directory is in use, belongs to another user or another major version, or if the programs can't
 * run here.
 */
export async function startEmbeddedPostgres(input: ServerInput): Promise<EmbeddedPostgres> {
  const { fsync = true, onLog = () => undefined } = input
  const user = chooseServerUser(input.dataDir)
  makeParent(input.dataDir)
  const dataDir = join(realpathSync(dirname(input.dataDir)), basename(input.dataDir))
  const lock = lockDirectory(dataDir)
  try {
    const binaries = prepareBinaries({ user, dataDir, nativeDir: input.nativeDir, copiesDir: input.copiesDir })
    if (isCluster(dataDir)) await prepareCluster(dataDir, { user, binaries, onLog })
    else await createCluster(dataDir, { user, binaries, fsync })
    const server = await startServer({ binaries, dataDir, user, fsync, onLog }).catch((error: unknown) => {
      if (!(error instanceof ServerDidNotStart)) throw error
      throw new OperatorError(`PostgreSQL did not start on ${dataDir}: ${error.message}`, { cause: error })
    })
    const exited = server.ended.then(() => lock.release())
    const connection = connectionIn(server.socketDir)
    try {
      await ensureDatabase(connection)
    } catch (error) {
      await server.stop()
      throw error
    }
    return {
      connection,
      pid: server.pid,
      exited,
      async stop() {
        await server.stop()
        await exited
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Returns the server that another process runs on this directory, for a command typed beside it; null if none accepts
 * connections. Throws OperatorError if this user lacks access.
 */
export function findRunningPostgres(dataDir: string): Promise<{ connection: ConnectionTarget } | null> {
  return Promise.resolve().then(() => {
    if (!existsSync(dataDir)) return null
    const postmaster = readable(dataDir, () => readPostmaster(dataDir))
    if (!postmaster?.isReady || !isAlive(postmaster.pid) || !isServerOf(postmaster.pid, dataDir)) return null
    return { connection: connectionIn(postmaster.socketDir) }
  })
}

function connectionIn(socketDir: string): ConnectionTarget {
  return { host: socketDir, port: SOCKET_PORT, user: OWNER, database: OWNER }
}

function makeParent(dataDir: string): void {
  try {
    createFolders(dirname(dataDir))
  } catch (error) {
    throw new OperatorError(
      `The data directory ${dirname(dataDir)} can't be created (${(error as Error).message}): give this user write permission, or set DATA_DIR to another directory.`,
      { cause: error },
    )
  }
}

function isCluster(dataDir: string): boolean {
  if (!existsSync(dataDir)) return false
  const entries = readable(dataDir, () => readdirSync(dataDir))
  if (entries.includes('PG_VERSION')) return true
  if (entries.length === 0) return false
  throw new OperatorError(
    `The directory ${dataDir} contains files that don't belong to a database: move them away, or set DATA_DIR to another directory.`,
  )
}

/** Runs work that needs the directory's owner, and explains the error if another user tries. */
function readable<T>(dataDir: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    throw new OperatorError(
      `The data directory ${dataDir} belongs to user ${statSync(dataDir).uid}, not to you: start as that user or as root, or give it to you with \`sudo chown -R $(id -un) ${dataDir}\`.`,
      { cause: error },
    )
  }
}

interface ClusterParts {
  user: ServerUser | null
  binaries: Binaries
  onLog(line: string): void
}

async function prepareCluster(dataDir: string, { user, binaries, onLog }: ClusterParts): Promise<void> {
  const version = readFileSync(join(dataDir, 'PG_VERSION'), 'utf8').trim()
  if (version !== String(binaries.major)) {
    throw new OperatorError(
      `The data directory ${dataDir} was made by PostgreSQL ${version}, but this release has PostgreSQL ${binaries.major}, which can't open it. ` +
        `Nothing was changed. With the release of Benchwatch that made it, run \`npm run backup -- <file>\`; then move ${dataDir} away and, with this release, run \`npm run restore -- <file>\`. ` +
        'Or set DATA_DIR to an empty directory to start over.',
    )
  }
  await endLeftover(dataDir, onLog)
  if (user !== null && statSync(dataDir).uid !== user.uid) giveTree(user, dataDir)
  // A copy or a volume may have widened the mode; PostgreSQL refuses a directory that others can read.
  chmodSync(dataDir, 0o700)
}

/**
 * Creates the cluster under a temporary name first, so that an interrupted one is never mistaken for a complete one.
 */
async function createCluster(
  dataDir: string,
  { user, binaries, fsync }: Omit<ClusterParts, 'onLog'> & { fsync: boolean },
): Promise<void> {
  if (user === null) requireNamedUser()
  const unfinished = `${dataDir}.init`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  if (user !== null) giveTree(user, unfinished)
  const args = [
    ...['-D', directoryFor(user, unfinished), '-U', OWNER, '-A', 'trust', '-E', 'UTF8'],
    // The built-in locale sorts the same on every system and after every update, so no index can become stale.
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...(fsync ? [] : ['--no-sync']),
  ]
  const { code, output } = await run(binaries.initdb, args, { user, cwd: unfinished })
  if (code !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    const reason = output.split('\n').findLast((line) => line.includes('error:')) ?? output.trim()
    throw new OperatorError(`The database can't be created in ${dataDir}: ${reason}`)
  }
  if (existsSync(dataDir)) rmSync(dataDir, { recursive: true })
  renameSync(unfinished, dataDir)
}

function run(
  program: string,
  args: readonly string[],
  { user, cwd }: { user: ServerUser | null; cwd: string },
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...asUser(user),
      cwd,
      env: serverEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
}

async function ensureDatabase(connection: ConnectionTarget): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres' })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [OWNER])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${OWNER}`)
  } finally {
    await client.end()
  }
}

/**
 * Takes the lock of a cluster directory; its parent must exist. Throws OperatorError with the directory and the
 * process if another process (or another call in this one) holds it.
 */
function lockDirectory(dataDir: string): DirectoryLock {
  const lockFile = `${dataDir}.lock`
  const holderFile = `${lockFile}.pid`
  const lock = openLock(lockFile)
  try {
    // Nothing is ever written, so no journal is needed.
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) {
      throw new OperatorError(
        `The file ${lockFile} can't be locked (${(error as Error).message}): delete it if no Benchwatch is running, and keep the data directory on a file system that supports locks.`,
        { cause: error },
      )
    }
    throw new OperatorError(
      `The data directory ${dataDir} is already in use by ${holder(holderFile)}: stop that one first, or set DATA_DIR to another directory.`,
    )
  }
  held.add(lock)
  writeFileSync(holderFile, `${process.pid}\n`)
  inheritOwner(lockFile)
  inheritOwner(holderFile)
  return {
    release() {
      if (!held.delete(lock)) return
      rmSync(holderFile, { force: true })
      lock.close()
    },
  }
}

function openLock(lockFile: string): DatabaseSync {
  try {
    // SQLite opens a file that it may not write for reading, and its exclusive lock then has no effect. Opening the
    // file as a check is not an alternative: closing it again would release every lock of this process on it.
    if (existsSync(lockFile)) accessSync(lockFile, constants.W_OK)
    return new DatabaseSync(lockFile, { timeout: TURN_MS })
  } catch (error) {
    throw notWritable(lockFile, error)
  }
}

function notWritable(lockFile: string, cause: unknown): OperatorError {
  return new OperatorError(
    `This user can't write to the data directory ${dirname(lockFile)}: start as its owner, give this user write permission, or set DATA_DIR to another directory.`,
    { cause },
  )
}

function holder(holderFile: string): string {
  try {
    return `process ${readFileSync(holderFile, 'utf8').trim()} (another Benchwatch)`
  } catch {
    return 'another Benchwatch'
  }
}

/**
 * Runs a server under its watchdog.
 *
 * The watchdog is a shell that holds the other end of a pipe. However this process ends, even by kill -9, the pipe
 * closes and the shell tells PostgreSQL to shut down fast, so no server is left behind. The server has its own
 * session, so that Ctrl-C in the terminal does not end it before the in-flight requests are answered; the shell
 * ignores signals to the whole process group of a service for the same reason.
 */
const WATCHDOG = [
  "trap '' HUP INT QUIT TERM",
  'exec 3<&0',
  'dir=$1; shift',
  '"$@" 3<&- </dev/null & server=$!',
  '(read _ <&3; kill -INT $server) >/dev/null 2>&1 & watch=$!',
  'wait $server; code=$?',
  'kill -KILL $watch 2>/dev/null',
  'rmdir "$dir" 2>/dev/null',
  'exit $code',
].join('\n')

/** Longest path of a Unix socket without the terminating zero: 104 bytes on macOS, 108 on Linux, each including it. */
const LONGEST_SOCKET_PATH = 103
/**
 * A fast shutdown writes the memory to disk first; after this time it is cut short, which costs a recovery at the next
 * start.
 */
const SHUTDOWN_MS = 60_000
const POLL_MS = 5
const KEPT_LINES = 20

export interface ServerProcess {
  pid: number
  socketDir: string
  /** Resolves with the exit code when the server has ended for any reason. */
  ended: Promise<number | null>
  stop(): Promise<void>
}

interface ProcessInput {
  binaries: Binaries
  dataDir: string
  user: ServerUser | null
  fsync: boolean
  /** Further settings, as name=value; they override those that every server has. */
  settings?: readonly string[]
  onLog(line: string): void
}

/** The server ended before it was ready; `lines` holds the end of its output. */
class ServerDidNotStart extends Error {
  readonly lines: readonly string[]
  constructor(lines: readonly string[]) {
    super(lines.findLast((line) => line.startsWith('FATAL:')) ?? lines.at(-1) ?? 'it said nothing')
    this.lines = lines
  }
}

/** Starts the server and waits until it accepts connections, even after a long recovery. Throws ServerDidNotStart. */
export async function startServer({
  binaries,
  dataDir,
  user,
  fsync,
  settings: further = [],
  onLog,
}: ProcessInput): Promise<ServerProcess> {
  const before = readPostmaster(dataDir)?.text
  const socketDir = makeSocketDir(user)
  const settings = [...serverSettings({ socketDir, fsync }), ...further, `${DIRECTORY_SETTING}=${dataDir}`]
  const server = [
    binaries.postgres,
    '-D',
    directoryFor(user, dataDir),
    ...settings.flatMap((setting) => ['-c', setting]),
  ]
  const child = spawn('/bin/sh', ['-c', WATCHDOG, 'benchwatch-postgres', socketDir, ...server], {
    ...asUser(user),
    cwd: dataDir,
    env: serverEnvironment(),
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const lines: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line)
    if (lines.length > KEPT_LINES) lines.shift()
    onLog(line)
  })
  const ended = endOf(child)
  let isOver = false
  const tidy = () => {
    isOver = true
    rmSync(socketDir, { recursive: true, force: true })
  }
  ended.then(tidy, tidy)
  const pid = await readyPid()
  return {
    pid,
    socketDir,
    ended,
    async stop() {
      child.stdin.end()
      const giveUp = new AbortController()
      const tooLong = pause(SHUTDOWN_MS, undefined, { signal: giveUp.signal }).then(
        () => isAlive(pid) && process.kill(pid, 'SIGQUIT'),
        () => undefined,
      )
      await ended
      giveUp.abort()
      await tooLong
    },
  }

  async function readyPid(): Promise<number> {
    while (!isOver) {
      const postmaster = readPostmaster(dataDir)
      if (postmaster?.isReady && postmaster.text !== before) return postmaster.pid
      await pause(POLL_MS)
    }
    await ended
    throw new ServerDidNotStart(lines)
  }
}

/**
 * Returns the path of the directory for the server's user. Below a folder that this user may not enter, such as root's
 * home, a path does not work; the working directory, which root set before changing the user, does, and Linux has a
 * name for it.
 */
function directoryFor(user: ServerUser | null, dataDir: string): string {
  if (user === null || process.platform !== 'linux') return dataDir
  return succeedsAs(user, 'cd "$0"', [dataDir]) ? dataDir : '/proc/self/cwd'
}

/**
 * Passes nothing of the caller's environment: PGOPTIONS, PGDATA, LC_ALL or a library path would change the server's
 * behavior.
 */
export function serverEnvironment(): Record<string, string> {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

function endOf(child: ChildProcessByStdio<Writable, null, Readable>): Promise<number | null> {
  // The pipe breaks when the server ends on its own, which the exit event reports already.
  child.stdin.on('error', () => undefined)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
}

/** Creates a private folder with a short path that the server's user can enter. */
function makeSocketDir(user: ServerUser | null): string {
  const name = `/${SOCKET_DIR_PREFIX}XXXXXX/.s.PGSQL.${SOCKET_PORT}.lock`
  const isFit = (folder: string) =>
    Buffer.byteLength(folder + name) <= LONGEST_SOCKET_PATH && (user === null || succeedsAs(user, 'cd "$0"', [folder]))
  const folder = mkdtempSync(join(isFit(tmpdir()) ? tmpdir() : '/tmp', SOCKET_DIR_PREFIX))
  if (user !== null) chownSync(folder, user.uid, user.gid)
  return folder
}
