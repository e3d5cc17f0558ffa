import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'

/** One line of a program's structured log, as far as the start command reads it. */
interface LogRecord {
  level: number
  msg: string
  /** Address of the server, in the record `ready`. */
  address?: string
  /** True for messages to the operator, regardless of the level. */
  notice?: boolean
  err?: { message?: string }
}

/** Records of this level and above are shown on the console: pino's `error`. */
const ERROR_LEVEL = 50

/** A console that runs for months uses at most twice this size: the file and its predecessor, `<name>.1`. */
const LIMIT_BYTES = 20 * 1024 * 1024

/** Logs record user actions, so only the operator may read them. */
const OWNER_ONLY = 0o600

interface LogFile {
  /** Appends one line synchronously, so that the last lines of a crashing program are kept. */
  write(line: string): void
  close(): void
}

/**
 * A repeated message is shown once within this time; a lost database would otherwise flood the console. The file has
 * all of them.
 */
const REPEAT_AFTER_MS = 10_000

/**
 * Settings of Node that save memory, as in deploy/, unless the operator has others. Compiled modules are read from a
 * folder, so that no compiler of TypeScript is loaded (30 MB, and half a second of each start). New objects get 4 MB
 * instead of 16 before they are collected (35 MB). C libraries share two heaps instead of sixteen.
 */
export const leanNode = {
  NODE_COMPILE_CACHE:
    process.env.NODE_COMPILE_CACHE ?? path.resolve(import.meta.dirname, '../node_modules/.cache/benchwatch-node'),
  NODE_OPTIONS: `--max-semi-space-size=4 ${process.env.NODE_OPTIONS ?? ''}`,
  MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2',
}

/** Number of recent lines outside the log that are kept to explain an unexpected exit. */
const LAST_WORDS = 20

export interface ProgramInput {
  /** Prefix of each line on the console: `server`, `simulator`. */
  name: string
  script: string
  logFile: string
  env: Record<string, string | undefined>
  onRecord?: (record: LogRecord) => void
}

export interface Program {
  /** Resolves with the exit code when the program has ended for any reason. */
  ended: Promise<number>
  /** Returns its output outside the log, such as the reason it cannot start. */
  lastWords(): string
  /** Asks the program to stop, and kills it after `graceMs`. */
  stop(graceMs: number): Promise<void>
}

/**
 * Starts a program of the product as a child process. Its log goes to a file; errors and notices appear on the
 * console, one line each. The child holds the other end of a pipe to this process and ends when the pipe closes, so it
 * survives neither Ctrl-C nor a kill of this process.
 */
export function startProgram({ name, script, logFile, env, onRecord }: ProgramInput): Program {
  const log = openLogFile(logFile)
  const child = spawn(process.execPath, [script], {
    env: { ...env, ...leanNode, BENCHWATCH_PARENT: 'stdin' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate process group: Ctrl-C in the terminal reaches only the start command, which then stops the programs
    // in order.
    detached: true,
  })
  const outside: string[] = []
  const show = createErrorPrinter(name)
  // A dead child leaves a broken pipe; `ended` reports it.
  child.stdin.on('error', () => undefined)
  createInterface({ input: child.stdout }).on('line', (line) => {
    log.write(line)
    const record = parseLogRecord(line)
    if (!record) return
    onRecord?.(record)
    if (record.notice) console.log(record.msg)
    else if (record.level >= ERROR_LEVEL) show(describeLogRecord(record))
  })
  createInterface({ input: child.stderr }).on('line', (line) => {
    log.write(line)
    outside.push(line)
    if (outside.length > LAST_WORDS) outside.shift()
  })
  const ended = new Promise<number>((resolve) => {
    child.once('error', (error) => {
      outside.push(error.message)
      resolve(1)
    })
    // 'close' instead of 'exit', so that the last lines have been read.
    child.once('close', (code) => {
      log.close()
      resolve(code ?? 1)
    })
  })
  return { ended, lastWords: () => outside.join('\n').trim(), stop: (graceMs) => stopChild(child, ended, graceMs) }
}

async function stopChild(child: ChildProcess, ended: Promise<number>, graceMs: number): Promise<void> {
  child.stdin?.end()
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await ended
  clearTimeout(force)
}

function createErrorPrinter(name: string) {
  const shownAt = new Map<string, number>()
  return (text: string) => {
    const now = Date.now()
    if (now - (shownAt.get(text) ?? 0) < REPEAT_AFTER_MS) return
    if (shownAt.size > 100) shownAt.clear()
    shownAt.set(text, now)
    console.error(`${name}: ${text}`)
  }
}

/**
 * Opens a log file for appending and creates its folder. Rotates the file when it reaches `limitBytes`. Lines that can't
 * be written, such as on a full disk, are left out: the product works on without a log.
 */
export function openLogFile(file: string, limitBytes = LIMIT_BYTES): LogFile {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  let descriptor = fs.openSync(file, 'a', OWNER_ONLY)
  let size = fs.fstatSync(descriptor).size
  let isComplete = true
  const rotate = () => {
    if (fs.existsSync(file)) fs.renameSync(file, `${file}.1`)
    const next = fs.openSync(file, 'a', OWNER_ONLY)
    fs.closeSync(descriptor)
    descriptor = next
    size = 0
  }
  return {
    write(line) {
      try {
        if (size >= limitBytes) rotate()
        size += fs.writeSync(descriptor, `${line}\n`)
        isComplete = true
      } catch (error) {
        if (isComplete) console.error(`${file} misses lines, because it can't be written: ${(error as Error).message}`)
        isComplete = false
      }
    },
    close: () => fs.closeSync(descriptor),
  }
}

/** Parses a log line; undefined if it is not a record. */
function parseLogRecord(line: string): LogRecord | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const record: unknown = JSON.parse(line)
    return isLogRecord(record) ? record : undefined
  } catch {
    return undefined
  }
}

function isLogRecord(value: unknown): value is LogRecord {
  return (
    typeof value === 'object' && value !== null && 'level' in value && typeof value.level === 'number' && 'msg' in value
  )
}

/** Formats a record as one readable line: the message, and the cause if it adds information. */
function describeLogRecord(record: LogRecord): string {
  const cause = record.err?.message
  const text = cause && !record.msg.includes(cause) ? `${record.msg}: ${cause}` : record.msg
  return text.replace(/\s*\n\s*/g, ' ')
}
