import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../repository.ts'
import type { Workplace } from '../script/workplace.ts'

/** An older version of the product, ready to run. */
interface OlderRelease {
  root: string
  commit: string
  /** The names of the migrations that the current version adds. */
  newMigrations: string[]
}

const MIGRATIONS = 'packages/server/migrations/'
const SCOPE = '@benchwatch'

/**
 * Checks out the newest commit that lacks at least the last `fewer` migrations and has all earlier ones unchanged; null
 * if the history has none. It runs with the packages installed here, and with its own packages of the workspace.
 */
export function layOutOlderRelease(workplace: Workplace, { fewer }: { fewer: number }): OlderRelease | null {
  const now = [...migrationsOf('HEAD')]
  const isBeginning = (then: [string, string][]) =>
    then.length > 0 &&
    then.length <= now.length - fewer &&
    then.every(([name, blob], at) => now[at]?.[0] === name && now[at]?.[1] === blob)
  const commits = git('rev-list', 'HEAD').trim().split('\n')
  const commit = commits.find((one) => isBeginning([...migrationsOf(one)]))
  if (commit === undefined) return null
  const root = join(workplace.folder, 'older')
  mkdirSync(root)
  const packed = execFileSync('git', ['archive', commit, 'package.json', 'packages'], {
    cwd: repositoryRoot,
    maxBuffer: 1e9,
  })
  execFileSync('tar', ['-x', '-C', root], { input: packed })
  linkPackages(root)
  const known = migrationsOf(commit).size
  return { root, commit: commit.slice(0, 7), newMigrations: now.slice(known).map(([name]) => name) }
}

function linkPackages(root: string): void {
  const [from, to] = [join(repositoryRoot, 'node_modules'), join(root, 'node_modules')]
  mkdirSync(join(to, SCOPE), { recursive: true })
  for (const name of readdirSync(from)) if (name !== SCOPE) symlinkSync(join(from, name), join(to, name))
  for (const name of readdirSync(join(root, 'packages')))
    symlinkSync(join(root, 'packages', name), join(to, SCOPE, name))
}

/** Returns the migrations of a commit in order: their names and the hashes of their contents. */
function migrationsOf(commit: string): Map<string, string> {
  const lines = git('ls-tree', commit, MIGRATIONS).trim().split('\n').filter(Boolean)
  return new Map(
    lines.map((line) => {
      const [, , blob = '', path = ''] = line.split(/\s+/)
      return [path.slice(MIGRATIONS.length, -'.sql'.length), blob]
    }),
  )
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: repositoryRoot, encoding: 'utf8', maxBuffer: 1e8 })
}
