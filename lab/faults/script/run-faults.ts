import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../arguments.ts'
import { faultsFolder } from '../../repository.ts'
import { type Result, resultFile } from './verdict.ts'

/** Every file of these folders is one fault; the other folders hold what the faults share. */
const subjects = ['database', 'gateway', 'server']
/** The files of all faults by name. */
const files = new Map(
  subjects
    .flatMap((subject) => readdirSync(join(faultsFolder, subject)).map((file) => [subject, file] as const))
    .map(([subject, file]) => [file.replace(/\.ts$/, ''), join(faultsFolder, subject, file)]),
)
const faults = [...files.keys()].toSorted()

type Outcome = Result | { name: string; passed: false }

let running: ReturnType<typeof spawn> | null = null
let isStopping = false

/**
 * Runs all faults or those that are named, one after the other, and prints one table of them. A single fault takes
 * parameters: `server-killed --kills 50`. The exit code is 1 if any fails.
 */
export async function runFaults(args: readonly string[]): Promise<void> {
  const { names, parameters } = readArguments(args)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // The fault ends what it started; no other one is started.
      isStopping = true
      running?.kill('SIGTERM')
    })
  }
  const outcomes: Outcome[] = []
  for (const name of faults.filter((fault) => names.length === 0 || names.includes(fault))) {
    if (!isStopping) outcomes.push(await runFault(name, parameters))
  }
  if (names.length !== 1) printTable(outcomes)
  process.exitCode = !isStopping && outcomes.every(({ passed }) => passed) ? 0 : 1
}

/** Names of faults come first, and parameters behind the name of one. */
function readArguments(args: readonly string[]): { names: readonly string[]; parameters: readonly string[] } {
  const end = args.findIndex((arg) => arg.startsWith('-'))
  const names = end < 0 ? args : args.slice(0, end)
  const parameters = end < 0 ? [] : args.slice(end)
  const unknown = names.filter((name) => !faults.includes(name))
  if (unknown.length > 0) {
    throw new UsageError(`There is no fault ${unknown.join(', ')}. Faults: ${faults.join(', ')}.`)
  }
  if (parameters.length > 0 && names.length !== 1) {
    throw new UsageError(`${parameters.join(' ')}: parameters belong behind the name of one fault.`)
  }
  return { names, parameters }
}

async function runFault(name: string, parameters: readonly string[]): Promise<Outcome> {
  const before = writtenAt(name)
  const child = spawn(process.execPath, [files.get(name) ?? '', ...parameters], {
    stdio: 'inherit',
    detached: true,
  })
  running = child
  await new Promise((resolve) => child.once('close', resolve))
  // A wrong parameter, for example, leaves the result of an earlier run.
  if (writtenAt(name) === before) return { name, passed: false }
  return JSON.parse(readFileSync(resultFile(name), 'utf8')) as Result
}

function writtenAt(name: string): number | undefined {
  return statSync(resultFile(name), { throwIfNoEntry: false })?.mtimeMs
}

function printTable(outcomes: readonly Outcome[]): void {
  const rows = [
    ['fault', 'verdict', 'sent', 'acknowledged', 'stored', 'lost', 'duplicate', 'recovery ms', 'live p95 ms', 'RSS MB'],
    ...outcomes.map((outcome) => ('checks' in outcome ? rowOf(outcome) : [outcome.name, 'not carried out'])),
  ]
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length))) ?? []
  for (const row of rows) console.log(row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
}

function rowOf({ name, passed, figures, checks }: Result): string[] {
  const found = (matches: (title: string) => boolean): string => {
    const check = checks.find((one) => matches(one.name))
    const figure = Object.entries(figures).find(([title]) => matches(title))
    return String(check?.figure ?? figure?.[1] ?? '–')
  }
  return [
    name,
    passed ? 'passed' : 'FAILED',
    ...['sent', 'acknowledged', 'stored', 'lost', 'duplicate'].map((title) => found((one) => one === title)),
    found((title) =>
      /recovery|^ready again|^next start ready|^backlog gone|^all back|^returned|^take-over|^back, with/.test(title),
    ),
    found((title) => title.startsWith('live') && title.endsWith('p95 ms')),
    found((title) => title.startsWith('peak RSS')),
  ]
}
