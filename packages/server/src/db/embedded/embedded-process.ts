import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Binaries } from './embedded-binaries.ts'
import { DIRECTORY_SETTING, isAlive, readPostmaster, SOCKET_DIR_PREFIX } from './embedded-postmaster.ts'
import { SOCKET_PORT, serverSettings } from './embedded-settings.ts'
import { asUser, type ServerUser, succeedsAs } from './embedded-user.ts'

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
export class ServerDidNotStart extends Error {
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
export function directoryFor(user: ServerUser | null, dataDir: string): string {
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
