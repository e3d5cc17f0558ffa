import { spawn } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

export interface RunResult {
  code: number
  /** Output of both streams in order of arrival. */
  output: string
  seconds: number
}

/** Running process groups, so that Ctrl-C or a stop of the build machine ends them with all their children. */
const running = new Set<number>()

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    for (const group of running) endGroup(group)
    process.exit(130)
  })
}

/** Runs a tool of node_modules/.bin or the PATH in the root of the repository and returns its output. */
export async function run(
  command: readonly string[],
  env: Record<string, string | undefined> = {},
): Promise<RunResult> {
  const [program = '', ...args] = command
  const started = Date.now()
  const tools = path.join(root, 'node_modules', '.bin')
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd: root,
    // Without colours, the output is the same on a screen and in a build log.
    env: {
      ...process.env,
      PATH: `${tools}${path.delimiter}${process.env.PATH ?? ''}`,
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    shell: process.platform === 'win32' && program !== 'node',
  })
  if (child.pid) running.add(child.pid)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    // The stream decodes, because a character may be split between chunks.
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  const code = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      output += `${program} could not be started: ${error.message}\n`
      resolve(1)
    })
    child.once('close', (status) => resolve(status ?? 1))
  })
  if (child.pid) running.delete(child.pid)
  return { code, output, seconds: (Date.now() - started) / 1000 }
}

function endGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGTERM')
  } catch {
    // It has already ended.
  }
}

/** Processes `items`, at most `width` at a time. Results are in the order of the items. */
export async function inPool<T, R>(width: number, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = []
  const waiting = [...items.entries()]
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) answers[next[0]] = await work(next[1])
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  return answers
}
