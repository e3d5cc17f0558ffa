import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from './connect.ts'
import { inheritOwner } from './embedded-user.ts'

/**
 * One product process per data directory.
 *
 * The lock is SQLite's: an fcntl lock on `<directory>.lock`, which the kernel drops however its holder ends, which two
 * containers on one volume see, and which Node brings on every platform (it has no flock). A file with a process id is
 * no lock: after a crash the id may belong to any program, and two processes that start at once both find it stale.
 * PostgreSQL's postmaster.pid is such a file, and it does not exist yet while the first start creates the cluster.
 */
export interface DirectoryLock {
  /** Gives the lock back; a second call does nothing. */
  release(): void
}

const SQLITE_BUSY = 5
/** Of two that reach for the lock in the same moment each may find it busy: then both try again, and one has it. */
const TURN_MS = 300

/** A DatabaseSync that nobody refers to is closed by the garbage collector, and its lock with it. */
const held = new Set<DatabaseSync>()

/**
 * Takes the lock of a cluster directory; its parent must exist. Throws OperatorError, naming the directory and the
 * process, when another process (or another call in this one) has it.
 */
export function lockDirectory(dataDir: string): DirectoryLock {
  const lockFile = `${dataDir}.lock`
  const holderFile = `${lockFile}.pid`
  const lock = openLock(lockFile)
  try {
    // Nothing is ever written, so no journal is needed beside the file.
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) {
      throw new OperatorError(
        `The file ${lockFile} can't be locked (${(error as Error).message}): delete it if no Benchwatch runs, and keep the data directory on a file system that supports locks.`,
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
    // SQLite opens what it may not write for reading, and its exclusive lock is then none. Not checked by opening the
    // file: closing it again would drop every lock that this process has on it.
    if (existsSync(lockFile)) accessSync(lockFile, constants.W_OK)
    return new DatabaseSync(lockFile, { timeout: TURN_MS })
  } catch (error) {
    throw notWritable(lockFile, error)
  }
}

function notWritable(lockFile: string, cause: unknown): OperatorError {
  return new OperatorError(
    `This user can't write to the data directory ${dirname(lockFile)}: start as its owner, give this user the right to write there, or set DATA_DIR to another directory.`,
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
