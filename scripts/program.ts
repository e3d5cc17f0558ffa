import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'

/** One line of a program's structured log, as far as the start command reads it. */
interface LogRecord {
  level: number
  msg: string
  /** Where the server listens; in the record `ready`. */
  address?: string
  /** Words for the person at the console, whatever the level. */
  notice?: boolean
  err?: { message?: string }
}

/** The level from which a record is shown at the console: pino's `error`. */
const ERROR_LEVEL = 50

/** A console that runs for months fills at most twice this: the file and the one before it, `<name>.1`. */
const LIMIT_BYTES = 20 * 1024 * 1024

/** A log tells who did what; it is nobody's business but the operator's. */
const OWNER_ONLY = 0o600

interface LogFile {
  /** Adds one line. Written at once, so that the last words of a program that dies are kept. */
  write(line: string): void
  close(): void
}

/** The same complaint is shown once in this time; a lost database would otherwise fill the screen. The file has them all. */
const REPEAT_AFTER_MS = 10_000

/** How many of the last lines outside the log are kept to explain an unexpected end. */
const LAST_WORDS = 20

export interface ProgramInput {
  /** The word before each line on the console: `server`, `simulator`. */
  name: string
  script: string
  logFile: string
  env: Record<string, string | undefined>
  onRecord?: (record: LogRecord) => void
}

export interface Program {
  /** Resolves with the exit code when the program has ended in whatever way. */
  ended: Promise<number>
  /** What it said outside its log, such as the sentence why it can't start. */
  lastLabel(): string
  /** Asks it to end; after `graceMs` ends it. */
  stop(graceMs: number): Promise<void>
}

/**
 * Runs one program of the product beside this one. Its log goes to a file; errors and notices come to the console as
 * one line each. The program holds the other end of a pipe to this process and ends when that closes, so it outlives
 * neither a Ctrl-C nor a kill that leaves no time for anything.
 */
export function startProgram({ name, script, logFile, env, onRecord }: ProgramInput): Program {
  const log = openLogFile(logFile)
  const child = spawn(process.execPath, [script], {
    env: { ...env, BENCHWATCH_PARENT: 'stdin' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own: a Ctrl-C at the terminal reaches the start command alone, which then stops things in order.
    detached: true,
  })
  const outside: string[] = []
  const show = createErrorPrinter(name)
  // A program that has died leaves a broken pipe; `ended` tells of it.
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
    // 'close' and not 'exit': the last lines have been read by then.
    child.once('close', (code) => {
      log.close()
      resolve(code ?? 1)
    })
  })
  return { ended, lastLabel: () => outside.join('\n').trim(), stop: (graceMs) => stopChild(child, ended, graceMs) }
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

/** Opens a log file for appending and makes its folder. `limitBytes` is the size at which the file is put aside. */
export function openLogFile(file: string, limitBytes = LIMIT_BYTES): LogFile {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  let descriptor = fs.openSync(file, 'a', OWNER_ONLY)
  let size = fs.fstatSync(descriptor).size
  return {
    write(line) {
      if (size >= limitBytes) {
        fs.closeSync(descriptor)
        fs.renameSync(file, `${file}.1`)
        descriptor = fs.openSync(file, 'a', OWNER_ONLY)
        size = 0
      }
      size += fs.writeSync(descriptor, `${line}\n`)
    },
    close: () => fs.closeSync(descriptor),
  }
}

/** Reads a log line; undefined where it is no record. */
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

/** A record as one readable line: the sentence, and the cause where it says more. */
function describeLogRecord(record: LogRecord): string {
  const cause = record.err?.message
  const text = cause && !record.msg.includes(cause) ? `${record.msg}: ${cause}` : record.msg
  return text.replace(/\s*\n\s*/g, ' ')
}
