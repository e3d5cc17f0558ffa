import { spawnSync } from 'node:child_process'
import { readFileSync, realpathSync, rmdir, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { OperatorError } from '../connect.ts'

/** The content of postmaster.pid, which describes the server on a data directory. */
export interface Postmaster {
  pid: number
  port: number
  socketDir: string
  isReady: boolean
  /** The whole file: that of a later server differs. */
  text: string
}

/**
 * Name of the setting with the directory in the server's arguments, for cases in which -D can't show it (see
 * embedded-postgres).
 */
export const DIRECTORY_SETTING = 'benchwatch.data_dir'

/** Prefix of the name of a server's private socket folder. */
export const SOCKET_DIR_PREFIX = 'benchwatch-pg-'

/** Longest wait for a server that is shutting down; a fast shutdown took 0.02–0.2 s. */
const ENDING_MS = 5000
const POLL_MS = 10

/** Reads postmaster.pid; null if there is none. Throws EACCES if the user lacks access. */
export function readPostmaster(dataDir: string): Postmaster | null {
  let text: string
  try {
    text = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  // pid, directory, start time, port, socket directory, address, shared memory key, status
  const lines = text.split('\n').map((line) => line.trim())
  return {
    pid: Math.abs(Number(lines[0])),
    port: Number(lines[3]),
    socketDir: lines[4] ?? '',
    isReady: lines[7] === 'ready',
    text,
  }
}

/** Returns true if this process is a PostgreSQL server on this directory. */
export function isServerOf(pid: number, dataDir: string): boolean {
  const args = argumentsOf(pid)
  if (basename(args[0] ?? '') !== 'postgres') return false
  const directory = realpathSync(dataDir)
  return args.some((argument, index) => {
    if (argument === `${DIRECTORY_SETTING}=${directory}`) return true
    return args[index - 1] === '-D' && isSameFolder(argument, directory)
  })
}

/**
 * Makes sure that no server runs on the directory. The caller must hold the directory's lock. A server that still runs
 * has lost its Benchwatch process: it gets five seconds to finish the shutdown that its watchdog began, and is then
 * told to end. It is not reused, because nothing would end it after this process. Throws OperatorError if it keeps
 * running.
 */
export async function endLeftover(dataDir: string, onLog: (line: string) => void): Promise<void> {
  const left = readPostmaster(dataDir)
  if (!left || !isAlive(left.pid)) return
  if (!isServerOf(left.pid, dataDir)) {
    // PostgreSQL refuses to start if the process id exists under its own user, whatever program that is. In containers
    // this is common.
    onLog(`Removed postmaster.pid: process ${left.pid} is another program.`)
    rmSync(join(dataDir, 'postmaster.pid'))
    return
  }
  if (await ends(left)) return
  onLog(`Stopping the PostgreSQL server ${left.pid}, which an earlier Benchwatch left behind.`)
  process.kill(left.pid, 'SIGINT')
  if (await ends(left)) return
  process.kill(left.pid, 'SIGQUIT')
  if (await ends(left)) return
  throw new OperatorError(
    `A PostgreSQL server (process ${left.pid}) uses ${dataDir} and does not stop: stop it, then start again.`,
  )
}

async function ends({ pid, socketDir }: Postmaster): Promise<boolean> {
  for (let waited = 0; isAlive(pid); waited += POLL_MS) {
    if (waited >= ENDING_MS) return false
    await pause(POLL_MS)
  }
  // The watchdog removes it if it is still alive. rmdir removes only an empty folder.
  if (basename(socketDir).startsWith(SOCKET_DIR_PREFIX)) rmdir(socketDir, () => undefined)
  return true
}

/**
 * Returns true if the process exists and belongs to this user. PostgreSQL also ignores processes of other users, which
 * can't own the directory.
 */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch {
    return false
  }
}

/** In a container without an init process, an ended server may keep its process id. */
function isZombie(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

function argumentsOf(pid: number): string[] {
  try {
    // Readable for every user, unlike /proc/<pid>/exe and cwd, which even root can't always read in a container.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    const { stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return (stdout ?? '').trim().split(' ')
  }
}

function isSameFolder(path: string, directory: string): boolean {
  try {
    return realpathSync(path) === directory
  } catch {
    return false
  }
}
