/**
 * `npm test`: everything that must pass. `npm run check` (`--static`): the part that starts nothing.
 *
 * Each step prints one line with its time, and what it said where it failed. The last line is `N passed, N failed`:
 * every static check counts as one, every test of vitest and Playwright as one.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { findOrInstallChromium, NoChromium } from './chromium.ts'
import { findInstalledPostgres, OLDEST_MAJOR } from './installed-postgres.ts'
import { inPool } from './pool.ts'
import { type RunResult, run } from './run.ts'
import { add, type Count, countPlaywright, countVitest, nothing, summaryLine } from './test-report.ts'

interface Check {
  name: string
  command: readonly string[]
}

const checks: readonly Check[] = [
  { name: 'types', command: ['node', 'scripts/check-typing.ts'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings', '--report-unused-disable-directives'] },
  { name: 'format', command: ['biome', 'check', '--error-on-warnings'] },
  { name: 'architecture', command: ['node', 'scripts/check-architecture.ts'] },
  { name: 'unused code (knip)', command: ['knip', '--no-progress'] },
  { name: 'coverage of the specification', command: ['node', 'scripts/check-coverage.ts'] },
  { name: 'web build', command: ['node', 'scripts/prepare.mjs', '--web'] },
]

const started = Date.now()
const reports = fs.mkdtempSync(path.join(os.tmpdir(), 'benchwatch-test-'))
let total = nothing
try {
  for (const count of await inPool(2, checks, runCheck)) total = add(total, count)
  if (!process.argv.includes('--static')) {
    const tests = add(await runVitest(), await runPlaywright())
    if (tests.passed + tests.failed === 0) {
      console.log('No test ran.')
      total = add(total, { ...nothing, failed: 1 })
    }
    total = add(total, tests)
  }
} finally {
  fs.rmSync(reports, { recursive: true, force: true })
}
console.log(`\nAll of it took ${((Date.now() - started) / 1000).toFixed(0)} s.`)
console.log(summaryLine(total))
process.exitCode = total.failed > 0 ? 1 : 0

async function runCheck({ name, command }: Check): Promise<Count> {
  const result = await run(command)
  const isGreen = result.code === 0
  print(name, result, isGreen ? '' : result.output)
  return { ...nothing, [isGreen ? 'passed' : 'failed']: 1 }
}

async function runVitest(): Promise<Count> {
  const file = path.join(reports, 'vitest.json')
  const result = await run(['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`])
  const count = countVitest(readReport(file), result.code)
  const summary = `${summaryLine(count)}\n${externalPostgres()}`
  print('tests (vitest)', { ...result, code: count.failed }, count.failed > 0 ? result.output : summary)
  return count
}

/** Says on which server the tests of the database ran once more, or that they did not. */
function externalPostgres(): string {
  const installed = findInstalledPostgres()
  return installed
    ? `with those of the database once more on an external PostgreSQL ${installed.major}`
    : `skipped: the tests of the database on an external PostgreSQL; this machine has none from ${OLDEST_MAJOR} on`
}

async function runPlaywright(): Promise<Count> {
  const file = path.join(reports, 'playwright.json')
  const name = 'journeys (playwright)'
  try {
    const chromium = await findOrInstallChromium((text) => console.log(text))
    const result = await run(['playwright', 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'], {
      CHROMIUM_PATH: chromium,
      PLAYWRIGHT_JSON_OUTPUT_NAME: file,
      // Its workers force colours of their own, and Node warns of both.
      NO_COLOR: undefined,
      FORCE_COLOR: '0',
    })
    const count = countPlaywright(readReport(file), result.code)
    print(name, { ...result, code: count.failed }, count.failed > 0 ? result.output : summaryLine(count))
    return count
  } catch (error) {
    if (!(error instanceof NoChromium)) throw error
    print(name, { code: 1, output: '', seconds: 0 }, error.message)
    return { ...nothing, failed: 1 }
  }
}

function readReport<T>(file: string): T | undefined {
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as T) : undefined
}

function print(name: string, { code, seconds }: RunResult, details: string): void {
  console.log(`${code === 0 ? '✓' : '✗'} ${name.padEnd(32)} ${seconds.toFixed(1).padStart(6)} s`)
  const text = details.trim()
  if (text) console.log(text.replace(/^/gm, '    '))
}
