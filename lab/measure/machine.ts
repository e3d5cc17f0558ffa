import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { repositoryRoot } from '../repository.ts'

/** Facts that make a result comparable with another one. */
interface Machine {
  cpu: string
  cores: number
  memoryGb: number
  /** The load average of one minute at the start: the other work of the machine. */
  load: number
  node: string
  product: string
  commit: string
}

export function describeMachine(): Machine {
  const { version } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as { version: string }
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1e9),
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    node: process.version,
    product: version,
    commit: commit(),
  }
}

/** Returns the current commit, with a `+` if the checkout differs from it. */
function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' }).trim()
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', 'packages') === '' ? '' : '+')
  } catch {
    return 'unknown'
  }
}

/** Returns the resident memory of a process in MB. */
export function residentMb(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}
