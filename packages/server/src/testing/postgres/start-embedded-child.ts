import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ConnectionTarget } from '../../db/connect.ts'
import type { startEmbeddedPostgres } from '../../db/embedded/embedded-postgres.ts'

const program = fileURLToPath(new URL('embedded-child.ts', import.meta.url))

/** User and group ids of a process; the user of the tests by default. */
export interface Ids {
  uid?: number
  gid?: number
}

export interface EmbeddedChild {
  process: ChildProcess
  postgresPid: number
  connection: ConnectionTarget
  /** Reason why it did not start. */
  error: string | undefined
  /** Shuts it down cleanly. */
  stop(): Promise<void>
}

/** Starts an embedded server in a separate process and waits for its answer. */
export async function startChild(
  input: Omit<Parameters<typeof startEmbeddedPostgres>[0], 'onLog'>,
  ids: Ids = {},
): Promise<EmbeddedChild> {
  const child = spawn(process.execPath, [program, JSON.stringify(input)], {
    ...ids,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  // Not `exited`: a child that could not start may end before its answer has been read.
  const closed = once(child, 'close')
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), closed])) as [string]
  return {
    process: child,
    error: undefined,
    ...(JSON.parse(line) as { postgresPid: number; connection: ConnectionTarget }),
    async stop() {
      child.stdin.end()
      await exited
    },
  }
}

/**
 * Returns true if another user can run this program: a project below a private home directory is not accessible to
 * others.
 */
export function canOthersRun(): boolean {
  const { status } = spawnSync(process.execPath, ['--check', program], { uid: 65_534, gid: 65_534, cwd: '/' })
  return status === 0
}
