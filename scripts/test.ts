/**
 * `npm test` runs everything that must pass. `npm run check` (`--static`) runs the part that starts nothing.
 *
 * Each step prints one line with its duration, and its output if it failed. The last line is `N passed, N failed`:
 * every static check counts as one, and so does every vitest and Playwright test.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { findInstalledPostgres, findInstalledProgram, OLDEST_MAJOR } from './installed/installed-program.ts'
import { inPool, type RunResult, run } from './run.ts'
import { add, type Count, countPlaywright, countVitest, nothing, summaryLine } from './test-report.ts'

/** The first one renders pages without window decoration: a fifth less work for the same journeys. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const macPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** No Chromium is available and none can be installed; the message says what to do to run the journeys. */
class NoChromium extends Error {}

/** Its tests have packages of their own. */
const clickhouse = path.resolve(import.meta.dirname, '../lab/clickhouse')

interface Check {
  name: string
  command: readonly string[]
}

/** Programs of others that tests need, with the Debian packages that have them. */
const programs = [
  { name: 'nats-server', packages: ['nats-server'], about: 'of live messages over NATS' },
  { name: 'pgbouncer', packages: ['pgbouncer'], about: 'of requests through PgBouncer' },
  {
    name: 'mosquitto',
    packages: ['mosquitto', 'mosquitto-clients'],
    about: 'of MQTT, and the journey of the laboratory',
  },
  { name: 'snmptrap', packages: ['snmp'], about: 'of SNMP traps, and the journey of the laboratory' },
  { name: 'prometheus-alertmanager', packages: ['prometheus-alertmanager'], about: 'of alerts of Alertmanager' },
  {
    name: 'rsyslog with omelasticsearch',
    at: `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/rsyslog/omelasticsearch.so`,
    packages: ['rsyslog', 'rsyslog-elasticsearch'],
    about: 'of log lines of rsyslog',
  },
  { name: 'ps', packages: ['procps'], about: 'of what is left of a server that was killed' },
  { name: 'git', packages: ['git'], about: 'of a release' },
  { name: 'openssl', packages: ['openssl'], about: 'of a release' },
  { name: 'buildah', packages: ['buildah'], about: 'of the container images' },
  { name: 'kubectl', packages: ['kubernetes-client'], about: 'of the objects for Kubernetes' },
  { name: 'systemd-analyze', packages: ['systemd'], about: 'of the systemd units' },
  {
    name: 'pymodbus',
    at: '/usr/lib/python3/dist-packages/pymodbus',
    packages: ['python3-pymodbus', 'python3-serial-asyncio'],
    about: 'of Modbus TCP',
  },
]

const checks: readonly Check[] = [
  // The linter reads all types anyway; a compiler beside it took 40 s of both processors.
  {
    name: 'lint and types',
    command: ['oxlint', '--type-aware', '--type-check', '--deny-warnings', '--report-unused-disable-directives'],
  },
  { name: 'format', command: ['biome', 'check', '--error-on-warnings'] },
  { name: 'architecture', command: ['node', 'scripts/check-architecture.ts'] },
  { name: 'unused code (knip)', command: ['knip', '--no-progress'] },
  { name: 'coverage of the specification', command: ['node', 'scripts/check-coverage.ts'] },
  { name: 'web build', command: ['node', 'scripts/prepare.mjs', '--web'] },
]

const started = Date.now()
/** Everything that the tests make, such as their databases. */
const scratch = fs.mkdtempSync(path.join(memoryFolder() ?? os.tmpdir(), 'benchwatch-test-'))
// Like the folder for temporary files: the databases of root belong to another user.
fs.chmodSync(scratch, 0o1777)
process.on('exit', () => fs.rmSync(scratch, { recursive: true, force: true }))
/** The tests start the product and its commands a hundred times; compiled code is read in two thirds of the time. */
const NODE_COMPILE_CACHE = path.join(scratch, 'compiled')
let total = nothing
for (const count of await inPool(2, checks, runCheck)) total = add(total, count)
if (!process.argv.includes('--static')) {
  // The tests on ClickHouse are one long comparison, which leaves the second processor to the others.
  const units = await Promise.all([runVitest(), runClickhouse()])
  const tests = [...units, await runPlaywright()].reduce(add)
  if (tests.passed + tests.failed === 0) {
    console.log('No test ran.')
    total = add(total, { ...nothing, failed: 1 })
  }
  total = add(total, tests)
}
console.log(`\nAll of it took ${((Date.now() - started) / 1000).toFixed(0)} s.`)
console.log(summaryLine(total))
process.exitCode = total.failed > 0 ? 1 : 0

/**
 * Returns Linux's folder in memory if there is room for the databases of a run, otherwise null. Creating files there
 * takes a seventh of the processor time of database tests away, and a third of their time while a disk is busy.
 */
function memoryFolder(): string | null {
  const folder = '/dev/shm'
  try {
    const { bavail, bsize } = fs.statfsSync(folder)
    const canRunPrograms = !/ \/dev\/shm .*\bnoexec\b/.test(fs.readFileSync('/proc/mounts', 'utf8'))
    return canRunPrograms && Math.min(bavail * bsize, os.freemem()) >= 8 * 2 ** 30 ? folder : null
  } catch {
    return null
  }
}

async function runCheck({ name, command }: Check): Promise<Count> {
  const result = await run(command)
  const isGreen = result.code === 0
  print(name, result, isGreen ? '' : result.output)
  return { ...nothing, [isGreen ? 'passed' : 'failed']: 1 }
}

async function runVitest(): Promise<Count> {
  const packages = absentPrograms().flatMap((program) => program.packages)
  if (isRootOnDebian()) for (const name of packages) await installFromDebian([name])
  return await vitest('tests (vitest)', [], () => [externalPostgres(), ...skipped()])
}

/** Runs the tests on the engine of ClickHouse, which is too large to be installed with everything else. */
async function runClickhouse(): Promise<Count> {
  const name = 'tests on ClickHouse (vitest)'
  if (!fs.existsSync(path.join(clickhouse, 'node_modules/chdb'))) {
    print(
      name,
      { code: 0, output: '', seconds: 0 },
      'skipped: the engine is not installed (`npm ci` in lab/clickhouse)',
    )
    return nothing
  }
  return await vitest(name, ['--root', clickhouse])
}

/** Runs vitest and prints its result; the remarks are about a run without a failure. */
async function vitest(name: string, options: readonly string[], remarks = (): string[] => []): Promise<Count> {
  const file = path.join(scratch, `${name.replaceAll(/\W+/g, '-')}.json`)
  const to = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const result = await run(['vitest', 'run', ...options, ...to], { TMPDIR: scratch, NODE_COMPILE_CACHE })
  const count = countVitest(readReport(file), result.code)
  const summary = [summaryLine(count), ...remarks()].join('\n')
  print(name, { ...result, code: count.failed }, count.failed > 0 ? result.output : summary)
  return count
}

/** Says on which server the database tests ran a second time, or that they did not. */
function externalPostgres(): string {
  const installed = findInstalledPostgres()
  return installed
    ? `with those of the database once more on an external PostgreSQL ${installed.major}`
    : `skipped: the tests of the database on an external PostgreSQL; this machine has none from ${OLDEST_MAJOR} on`
}

/** Says which tests did not run for want of a program. */
function skipped(): string[] {
  return absentPrograms().map(({ name, about }) => `skipped: the tests ${about}; this machine has no ${name}`)
}

function absentPrograms() {
  return programs.filter(({ name, at }) =>
    at === undefined ? findInstalledProgram(name) === null : !fs.existsSync(at),
  )
}

async function runPlaywright(): Promise<Count> {
  const file = path.join(scratch, 'playwright.json')
  const name = 'journeys (playwright)'
  try {
    const chromium = await findOrInstallChromium((text) => console.log(text))
    const result = await run(['playwright', 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'], {
      CHROMIUM_PATH: chromium,
      TMPDIR: scratch,
      NODE_COMPILE_CACHE,
      PLAYWRIGHT_JSON_OUTPUT_NAME: file,
      // Playwright's workers force colours, and Node warns if both are set.
      NO_COLOR: undefined,
      FORCE_COLOR: '0',
    })
    const count = countPlaywright(readReport(file), result.code)
    print(name, { ...result, code: count.failed }, count.failed > 0 ? result.output : summaryLine(count))
    return count
  } catch (error) {
    if (!(error instanceof NoChromium)) throw error
    const isWrong = Boolean(process.env.CHROMIUM_PATH)
    print(name, { code: isWrong ? 1 : 0, output: '', seconds: 0 }, error.message)
    return { ...nothing, failed: isWrong ? 1 : 0 }
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

/**
 * Returns the Chromium for the journeys: CHROMIUM_PATH, else the system's, else Playwright's own. If there is none,
 * installs Debian's package as root on Debian, otherwise Playwright's download. Throws NoChromium.
 */
async function findOrInstallChromium(say: (text: string) => void): Promise<string> {
  const given = process.env.CHROMIUM_PATH
  if (given) {
    if (await works(given)) return given
    throw new NoChromium(`CHROMIUM_PATH is ${given}, which does not start as a Chromium: correct or clear it.`)
  }
  const present = await findOfSystem()
  if (present) return present
  if (isRootOnDebian()) {
    say('Installing Chromium from Debian …')
    // Older Debian releases have only the second one.
    await installFromDebian(['chromium-headless-shell', 'chromium'])
    const installed = await findOfSystem()
    if (installed) return installed
  }
  const own = await findOfPlaywright()
  if (own) return own
  say('Installing the Chromium of Playwright …')
  await run(['playwright', 'install', 'chromium'])
  const downloaded = await findOfPlaywright()
  if (downloaded) return downloaded
  throw new NoChromium(
    'skipped: no Chromium was found and none could be installed; install chromium or google-chrome, or set CHROMIUM_PATH',
  )
}

async function findOfSystem(): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean)
  const places = names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  for (const place of [...places, ...macPlaces]) if (await works(place)) return place
  return undefined
}

async function findOfPlaywright(): Promise<string | undefined> {
  const { chromium } = await import('@playwright/test')
  const place = chromium.executablePath()
  return (await works(place)) ? place : undefined
}

/** Runs it instead of only looking for it: some systems ship a placeholder that says where to get the real one. */
async function works(place: string): Promise<boolean> {
  if (!fs.existsSync(place)) return false
  const { code, output } = await run([place, '--version'])
  return code === 0 && /\d+\.\d+/.test(output)
}

/** Installs the first of these packages that this release of Debian has. */
async function installFromDebian(packages: readonly string[]): Promise<void> {
  await run(['apt-get', 'update', '-qq'])
  for (const name of packages) {
    const { code } = await run(['apt-get', 'install', '-y', '-qq', '--no-install-recommends', name], {
      DEBIAN_FRONTEND: 'noninteractive',
    })
    if (code === 0) return
  }
}

function isRootOnDebian(): boolean {
  if (process.getuid?.() !== 0 || !fs.existsSync('/etc/os-release')) return false
  return /^ID="?debian"?$/m.test(fs.readFileSync('/etc/os-release', 'utf8'))
}
