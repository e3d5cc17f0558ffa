import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/**
 * Tests the start command with two stand-ins for its programs, so that the test controls their order, exit and output.
 * The journeys in e2e/ start the real ones.
 */
const standIn = (name: string, atStart: string) => `
import fs from 'node:fs'
const note = (text) => fs.appendFileSync(process.env.DATA_DIR + '/notes', '${name} ' + text + '\\n')
process.on('SIGTERM', () => { note('SIGTERM'); process.exit(0) })
process.stdin.on('end', () => { note('stdin closed'); process.exit(0) }).resume()
note('pid ' + process.pid)
setInterval(() => undefined, 1000)
${atStart}
`
const ready = `console.log(JSON.stringify({ level: 30, msg: 'ready', address: 'http://0.0.0.0:4321' }))`

let folder: string
let dataDir: string
const started: { child: ChildProcess; ended: Promise<number | null> }[] = []

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'benchwatch start '))
  dataDir = path.join(folder, 'data')
  fs.mkdirSync(dataDir)
  fs.mkdirSync(path.join(folder, 'scripts'))
  for (const file of fs.readdirSync(import.meta.dirname)) {
    if (/^[a-z-]+\.ts$/.test(file))
      fs.copyFileSync(path.join(import.meta.dirname, file), path.join(folder, 'scripts', file))
  }
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ version: '1.2.3', type: 'module' }))
  write('server', standIn('server', ready))
  write('gateway', standIn('gateway', `note('reports to ' + process.env.BENCHWATCH_URL)`))
  fs.writeFileSync(path.join(dataDir, 'demo-gateways.json'), '[]')
})

afterEach(async () => {
  // The command ends after its programs, so none of them writes into the folder any more.
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGTERM')
    await ended
  }
  for (const pid of pids()) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  fs.rmSync(folder, { recursive: true, force: true })
})

function write(workspace: string, source: string): void {
  const place = path.join(folder, 'packages', workspace, 'src')
  fs.mkdirSync(place, { recursive: true })
  fs.writeFileSync(path.join(place, 'main.ts'), source)
}

function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [path.join(folder, 'scripts', 'start.ts')], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const run = { child, output: '', ended: once(child, 'close').then(([code]) => code as number | null) }
  started.push(run)
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      run.output += chunk.toString()
    })
  }
  return run
}

const notes = () =>
  fs.existsSync(path.join(dataDir, 'notes')) ? fs.readFileSync(path.join(dataDir, 'notes'), 'utf8') : ''
const pids = () => [...notes().matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid))

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 20 })

test('the console tells the address and the demo users, and the simulator starts once the server is ready', async () => {
  const run = start()
  await until(() => expect(notes()).toContain('gateway reports to http://127.0.0.1:4321'))
  await until(() => expect(run.output).toContain('Ctrl-C stops everything'))
  expect(run.output).toContain('Benchwatch 1.2.3 is ready at http://localhost:4321')
  expect(run.output).toContain('support@benchwatch.example')
  expect(run.output).toContain('Benchwatch-2026!')
})

test('a signal stops the simulator before the server and leaves nothing behind', async () => {
  const run = start()
  await until(() => expect(run.output).toContain('Ctrl-C stops everything'))
  await until(() => expect(pids()).toHaveLength(2))
  run.child.kill('SIGINT')
  expect(await run.ended).toBe(0)
  expect(pids().filter(isAlive)).toEqual([])
  const ends = notes()
    .split('\n')
    .filter((line) => /SIGTERM|stdin/.test(line))
    .map((line) => line.split(' ')[0])
  expect([...new Set(ends)]).toEqual(['gateway', 'server'])
})

test('a start command that is killed outright leaves no orphan', async () => {
  const run = start()
  await until(() => expect(pids()).toHaveLength(2))
  const running = pids()
  run.child.kill('SIGKILL')
  await until(() => expect(running.filter(isAlive)).toEqual([]))
  expect(notes()).toContain('server stdin closed')
  expect(notes()).toContain('gateway stdin closed')
})

test('a server that cannot start is quoted, and the command fails', async () => {
  write('server', `process.stderr.write('The data directory is in use by process 7.\\n')\nprocess.exit(1)\n`)
  const run = start()
  expect(await run.ended).toBe(1)
  expect(run.output.trim()).toBe('The data directory is in use by process 7.')
})

test('a server that ends later ends the command and the simulator with it', async () => {
  const run = start()
  await until(() => expect(pids()).toHaveLength(2))
  const [server = 0] = pids()
  process.kill(server, 'SIGKILL')
  expect(await run.ended).toBe(1)
  expect(run.output).toContain('The server ended unexpectedly')
  expect(pids().filter(isAlive)).toEqual([])
})

test.each(['SIMULATOR', 'DEMO'])('with %s=off no simulator runs', async (key) => {
  const run = start({ [key]: 'off' })
  await until(() => expect(run.output).toContain('Ctrl-C stops everything'))
  run.child.kill('SIGTERM')
  await run.ended
  expect(notes()).not.toContain('gateway')
  expect(run.output.includes(`DATA_DIR='${dataDir}' npm run admin:create`)).toBe(key === 'DEMO')
})

test('the command for administrators names the database that was set, and never its password', async () => {
  const run = start({ DEMO: 'off', DATABASE_URL: 'postgres://lab:very-secret@127.0.0.1:5432/lab' })
  await until(() => expect(run.output).toContain('DATABASE_URL=<the same> npm run admin:create'))
  run.child.kill('SIGTERM')
  await run.ended
  expect(run.output).not.toContain('very-secret')
})

test('a data directory that is a file is explained in one sentence', async () => {
  const file = path.join(folder, 'a file')
  fs.writeFileSync(file, '')
  const run = start({ DATA_DIR: file })
  expect(await run.ended).toBe(1)
  expect(run.output.trim().split('\n').at(-1)).toBe(
    `The data directory ${file} can't be created, because a file has that name: set DATA_DIR to another directory.`,
  )
})

test('the log goes to its file; only errors and notices reach the console, each as one line', async () => {
  const record = (fields: object) => `console.log(JSON.stringify(${JSON.stringify(fields)}))\n`
  write(
    'server',
    standIn(
      'server',
      record({ level: 30, msg: 'an ordinary request' }) +
        record({ level: 50, msg: 'the mail was refused', err: { message: 'no such\nhost' } }) +
        record({ level: 50, msg: 'the mail was refused', err: { message: 'no such\nhost' } }) +
        record({ level: 30, msg: 'The demo data are written.', notice: true }) +
        ready,
    ),
  )
  const run = start({ SIMULATOR: 'off' })
  await until(() => expect(run.output).toContain('Ctrl-C stops everything'))
  expect(run.output.match(/server: the mail was refused: no such host\n/g)).toHaveLength(1)
  expect(run.output).toContain('The demo data are written.\n')
  expect(run.output).not.toContain('an ordinary request')
  const log = fs.readFileSync(path.join(dataDir, 'log', 'server.log'), 'utf8')
  expect(log).toContain('an ordinary request')
  expect(log.match(/the mail was refused/g)).toHaveLength(2)
})
