import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lchownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { OperatorError } from '../connect.ts'

/**
 * The user that runs the server. PostgreSQL refuses to run as root, so root chooses an existing ordinary user:
 * creating users or groups would change the machine permanently.
 */
export interface ServerUser {
  uid: number
  gid: number
  name: string
}

/** Users that distributions create for such purposes, the preferred one first. */
const SERVICE_USERS = ['postgres', 'nobody']

/**
 * Chooses the user for a cluster directory; null means the user of this process. Root takes the owner of the cluster,
 * else the owner of the parent folder (the user whose project it is), else postgres, else nobody. Throws
 * OperatorError.
 */
export function chooseServerUser(dataDir: string): ServerUser | null {
  if (process.getuid?.() !== 0) return null
  if (existsSync(dataDir)) {
    const { uid, gid } = statSync(dataDir)
    // The owner of an existing cluster must run it, even an owner without a name.
    if (uid !== 0) return { uid, gid, name: nameOf(uid) ?? String(uid) }
  }
  const { uid, gid } = statSync(nearestExisting(dirname(dataDir)))
  const name = uid === 0 ? null : nameOf(uid)
  if (name !== null) return { uid, gid, name }
  for (const service of SERVICE_USERS) {
    const ids = idsOf(service)
    if (ids) return { ...ids, name: service }
  }
  throw new OperatorError(
    `PostgreSQL refuses to run as root, and this machine has neither a user postgres nor nobody: start as an ordinary user, or set DATABASE_URL to an external PostgreSQL.`,
  )
}

/** Throws OperatorError if this process runs under a user id without a name, which can't create a cluster. */
export function requireNamedUser(): void {
  try {
    userInfo()
  } catch (error) {
    throw new OperatorError(
      `This process runs as user ${process.getuid?.()}, which has no entry in /etc/passwd, and PostgreSQL can't create a database for such a user: add an entry, start as another user, or set DATABASE_URL to an external PostgreSQL.`,
      { cause: error },
    )
  }
}

/** Returns the child_process options that run a program as this user. */
export function asUser(user: ServerUser | null): { uid?: number; gid?: number } {
  return user === null ? {} : { uid: user.uid, gid: user.gid }
}

/** Returns true if a line of sh succeeds as this user; `$0`, `$1` … are the arguments. */
export function succeedsAs(user: ServerUser | null, line: string, args: readonly string[]): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', line, ...args], { ...asUser(user), cwd: '/', stdio: 'ignore' })
  return status === 0
}

/**
 * Creates a folder and its parents. Folders that root creates get the owner of the folder that contains the first new
 * one.
 */
export function createFolders(folder: string): void {
  const first = mkdirSync(folder, { recursive: true })
  if (first === undefined) return
  const created = [folder]
  while (created[0] !== undefined && created[0].length > first.length) created.unshift(dirname(created[0]))
  created.forEach(inheritOwner)
}

/**
 * Changes the owner of a file made by root to the owner of its folder, so that this user can also start the product
 * without root.
 */
export function inheritOwner(path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  if (uid !== 0) lchownSync(path, uid, gid)
}

/** Changes the owner of a whole tree to the server's user, such as a backup that root restored. */
export function giveTree(user: ServerUser, folder: string): void {
  lchownSync(folder, user.uid, user.gid)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) giveTree(user, path)
    else lchownSync(path, user.uid, user.gid)
  }
}

/** Makes a tree readable for every user, whatever the umask was at its creation; programs stay executable. */
export function openTree(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) openTree(path)
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644)
  }
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder))
}

// `id` works with any user database of the machine; /etc/passwd is only one of them.
function id(...args: string[]): string | null {
  const { status, stdout } = spawnSync('id', args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

function nameOf(uid: number): string | null {
  return id('-un', String(uid))
}

function idsOf(name: string): { uid: number; gid: number } | null {
  const uid = id('-u', name)
  const gid = id('-g', name)
  return uid === null || gid === null ? null : { uid: Number(uid), gid: Number(gid) }
}
