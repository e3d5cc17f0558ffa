/**
 * `npm start`: runs the server and, once it is ready, the simulator as a separate program, as a gateway would be.
 *
 * The console shows what the operator needs: address, sign-in, errors. Everything else is in DATA_DIR/log.
 */
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { demoPassword, demoUsers } from './demo-users.ts'
import { type Program, startProgram } from './program.ts'

const root = path.resolve(import.meta.dirname, '..')
const dataDir = path.resolve(process.env.DATA_DIR || './data')
const demoKeys = path.join(dataDir, 'demo-gateways.json')
const hasDemo = process.env.DEMO !== 'off'

/** The server drains requests for up to 10 s and then stops its database. */
const SERVER_GRACE_MS = 15_000
/** The simulator finishes the batch in flight; unsent items stay in its outbox. */
const SIMULATOR_GRACE_MS = 5_000

/** Log levels at which the server's `ready` record is not written. */
const quietLevels = ['warn', 'error', 'fatal', 'silent']

let simulator: Program | undefined
let server: Program | undefined
let stopping = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // A second Ctrl-C stops at once: the programs notice the closed pipe.
    if (stopping) process.exit(1)
    stop(0, 'Stopping …').catch(fail)
  })
}
stopWithNpm()
start().catch(fail)

async function start(): Promise<void> {
  const ready = Promise.withResolvers<string>()
  server = startProgram({
    name: 'server',
    script: path.join(root, 'packages/server/src/main.ts'),
    logFile: path.join(dataDir, 'log', 'server.log'),
    env: { ...process.env, DATA_DIR: dataDir },
    onRecord: (record) => {
      if (record.msg === 'ready' && record.address) ready.resolve(record.address)
    },
  })
  const { ended } = server
  if (quietLevels.includes(process.env.LOG_LEVEL ?? '')) pollUntilReady(ready.resolve).catch(ready.reject)
  const address = await Promise.race([ready.promise, ended.then(() => undefined)])
  if (stopping) return
  if (address === undefined) return await endedTooEarly(server)
  if (hasDemo && process.env.SIMULATOR !== 'off' && fs.existsSync(demoKeys)) startSimulator(address)
  printWelcome(address)
  await ended
  if (!stopping)
    await stop(
      1,
      `The server ended unexpectedly: ${server.lastWords() || `see ${shown(path.join('log', 'server.log'))}`}`,
    )
}

async function endedTooEarly(program: Program): Promise<void> {
  console.error(program.lastWords() || `The server did not start: see ${shown(path.join('log', 'server.log'))}.`)
  await stop(1)
}

function startSimulator(address: string): void {
  const program = startProgram({
    name: 'simulator',
    script: path.join(root, 'packages/gateway/src/main.ts'),
    logFile: path.join(dataDir, 'log', 'gateway.log'),
    env: {
      ...process.env,
      BENCHWATCH_URL: loopback(address),
      DEMO_GATEWAYS: demoKeys,
      OUTBOX_DIR: path.join(dataDir, 'outbox'),
    },
  })
  simulator = program
  program.ended.then((code) => {
    if (stopping) return
    const why = program.lastWords().split('\n').at(-1) || `code ${code}`
    console.error(
      `The simulator ended (${why}); the console continues without it. Log: ${shown(path.join('log', 'gateway.log'))}`,
    )
  }, fail)
}

/** Stops the simulator first, so that its last batches are accepted, then the server with its database. */
async function stop(code: number, message?: string): Promise<void> {
  if (stopping) return
  stopping = true
  if (message) console.log(message)
  await simulator?.stop(SIMULATOR_GRACE_MS)
  await server?.stop(SERVER_GRACE_MS)
  process.exit(code)
}

function fail(error: unknown): void {
  console.error(whyNotWritten(error) ?? error)
  process.exit(1)
}

/** Log files are the first files written in DATA_DIR, so their folder shows the cause. */
function whyNotWritten(error: unknown): string | undefined {
  const { code, path: place } = error as NodeJS.ErrnoException
  if (!place?.startsWith(dataDir)) return undefined
  if (code === 'ENOSPC') return `The disk of the data directory ${dataDir} is full: free about 1 GB and start again.`
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return `The data directory ${dataDir} can't be created, because a file has that name: set DATA_DIR to another directory.`
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
    ? `This user can't write to the data directory ${dataDir}: start as its owner, give this user the right to write there, or set DATA_DIR to another directory.`
    : undefined
}

/** If npm is killed, its child gets no signal, but it gets a new parent process. */
function stopWithNpm(): void {
  if (process.env.npm_lifecycle_event !== 'start' || process.platform === 'win32') return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent && !stopping) stop(1).catch(fail)
  }, 1000).unref()
}

async function pollUntilReady(found: (address: string) => void): Promise<void> {
  const address = `http://127.0.0.1:${process.env.PORT || 8080}`
  for (;;) {
    await wait(200)
    const answer = await fetch(`${address}/api/ready`).catch(() => undefined)
    if (answer?.ok) return found(address)
  }
}

/** Returns the local address of a server that listens on all interfaces. */
function loopback(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//127.0.0.1:')
}

function printWelcome(address: string): void {
  const publicUrl = process.env.PUBLIC_URL || `http://localhost:${new URL(address).port || 80}`
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
  const lines = ['', `  Benchwatch ${version} is ready at ${publicUrl}`, '']
  if (hasDemo) {
    lines.push(`  Demo users, all with the password ${demoPassword}`)
    for (const { userId, what } of demoUsers) lines.push(`    ${userId.padEnd(30)} ${what}`)
    lines.push('')
    const { SMTP_URL, SMTP_URL_FILE, TWILIO_ACCOUNT_SID } = process.env
    if (!SMTP_URL && !SMTP_URL_FILE && !TWILIO_ACCOUNT_SID) {
      lines.push(`  E-mails and text messages, including sign-in codes, are at ${publicUrl}/dev/outbox`)
    }
    lines.push(`  ${simulator ? 'The simulator reports instrument events live.' : 'The simulator is off.'}`)
  } else {
    lines.push(`  Create an administrator with: ${sameData()}npm run admin:create -- <e-mail>`)
  }
  lines.push(`  Logs are in ${shown('log')}. Ctrl-C stops everything.`, '')
  console.log(lines.join('\n'))
}

/** Returns the settings for commands that use this server's data. Omits database URLs: they may hold passwords. */
function sameData(): string {
  const { DATABASE_URL, DATABASE_URL_FILE } = process.env
  if (DATABASE_URL) return 'DATABASE_URL=<the same> '
  if (DATABASE_URL_FILE) return `DATABASE_URL_FILE=${quoted(DATABASE_URL_FILE)} `
  return process.env.DATA_DIR ? `DATA_DIR=${quoted(dataDir)} ` : ''
}

/** Quotes a text as one shell word. */
function quoted(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** Formats a path in the data directory as a user would type it. */
function shown(place: string): string {
  const file = path.join(dataDir, place)
  const relative = path.relative(process.cwd(), file)
  return relative.startsWith('..') ? file : relative
}
