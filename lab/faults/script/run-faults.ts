import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Result, resultFile } from './script/verdict.ts'

/** Every fault is a file of this folder; what they share stands in the folders beside. */
const commands = ['all.ts', 'figures.ts']
const scripts = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !commands.includes(file))
  .map((file) => file.slice(0, -'.ts'.length))
  .toSorted()

/** `npm run faults [-- name …]`: all or these, one after the other, then one table of them. Exits with 1 if any fails. */
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !scripts.includes(name))
if (unknown.length > 0) {
  console.error(`There is no fault ${unknown.join(', ')}. Faults: ${scripts.join(', ')}.`)
  process.exit(2)
}

let running: ReturnType<typeof spawn> | null = null
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // The script ends what it started; nothing else is begun.
    isStopping = true
    running?.kill('SIGTERM')
  })
}

const results: (Result | { name: string; passed: false })[] = []
for (const name of wanted.length > 0 ? scripts.filter((script) => wanted.includes(script)) : scripts) {
  if (isStopping) break
  results.push(await runScript(name))
}
printTable()
process.exit(!isStopping && results.every(({ passed }) => passed) ? 0 : 1)

async function runScript(name: string): Promise<(typeof results)[number]> {
  // A result that is there afterwards is this run's.
  rmSync(resultFile(name), { force: true })
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit', detached: true })
  running = child
  await new Promise((resolve) => child.once('close', resolve))
  if (!existsSync(resultFile(name))) return { name, passed: false }
  return JSON.parse(readFileSync(resultFile(name), 'utf8')) as Result
}

function printTable(): void {
  const rows = [
    ['fault', 'verdict', 'sent', 'acknowledged', 'stored', 'lost', 'duplicate', 'recovery ms', 'live p95 ms', 'RSS MB'],
    ...results.map((result) => ('checks' in result ? rowOf(result) : [result.name, 'not carried out'])),
  ]
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length))) ?? []
  for (const row of rows) console.log(row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
}

function rowOf({ name, passed, figures, checks }: Result): string[] {
  const found = (isMeant: (title: string) => boolean): string => {
    const check = checks.find((one) => isMeant(one.name))
    const figure = Object.entries(figures).find(([title]) => isMeant(title))
    return String(check?.figure ?? figure?.[1] ?? '–')
  }
  return [
    name,
    passed ? 'passed' : 'FAILED',
    ...['sent', 'acknowledged', 'stored', 'lost', 'duplicate'].map((title) => found((one) => one === title)),
    found((title) =>
      /recovery|^ready again|^next start ready|^backlog gone|^all back|^take-over|^back, with/.test(title),
    ),
    found((title) => title.startsWith('live') && title.endsWith('p95 ms')),
    found((title) => title.startsWith('peak RSS')),
  ]
}
