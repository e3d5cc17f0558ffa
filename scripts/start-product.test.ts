import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findInstalledProgram } from './installed/installed-program.ts'

/** Tests the start command with the real server and its real database, without demo data. */
const command = path.join(import.meta.dirname, 'start.ts')
const hasPs = findInstalledProgram('ps') !== null
const started: ChildProcess[] = []
let folder: string

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'benchwatch product '))
})

afterAll(async () => {
  for (const child of started) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'close')
  }
  await until(() => expect(programs()).toEqual([]))
  fs.rmSync(folder, { recursive: true, force: true })
})

const environment = () => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  ...{ DATA_DIR: path.join(folder, 'data'), PORT: '0', HOST: '127.0.0.1', DEMO: 'off' },
})

function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [command], {
    env: { ...environment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  const run = { child, output: '', ended: once(child, 'close').then(([code]) => code as number | null) }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      run.output += chunk
    })
  }
  return run
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 50 })

/** Returns all processes that use the data directory, except the start commands. */
function programs(): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes(folder))
}

async function untilReady(run: { output: string }): Promise<string> {
  await until(() => expect(run.output).toContain('Ctrl-C stops everything'))
  return /ready at (\S+)/.exec(run.output)?.[1] ?? ''
}

test.runIf(hasPs)(
  'the real product starts, refuses a second one on its data, and outlives no kill of its start command',
  {
    timeout: 180_000,
  },
  async () => {
    const first = start()
    const address = await untilReady(first)
    expect(await (await fetch(`${address}/api/ready`)).json()).toEqual({ status: 'ready', degraded: [] })
    expect(first.output).toContain('npm run admin:create -- <e-mail>')
    expect(programs()).not.toEqual([])

    const second = start()
    expect(await second.ended).toBe(1)
    expect(second.output.trim()).toMatch(/^[A-Z][^\n]*in use[^\n]*\.$/)

    first.child.kill('SIGKILL')
    await until(() => expect(programs()).toEqual([]))

    // An installation that has users gets no demo data.
    const administrator = path.join(import.meta.dirname, '../packages/server/src/cli/admin-create.ts')
    execFileSync(process.execPath, [administrator, 'ada@lab.example'], { env: environment() })
    const third = start({ DEMO: 'public', HOST: '0.0.0.0' })
    await untilReady(third)
    expect(third.output).toContain('Warning: demo users with a published password can be reached from other machines.')
    third.child.kill('SIGINT')
    expect(await third.ended).toBe(0)
    expect(programs()).toEqual([])
  },
)
