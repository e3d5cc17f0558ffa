/**
 * `node scripts/complete-lock-file.mjs`: adds the packages of other platforms that npm left out of package-lock.json.
 *
 * If a registry has only some platforms of a package, npm writes a lock file without the others, and `npm ci` then
 * fails everywhere ("Missing: … from lock file"). An entry with version and platform is enough: packages of other
 * platforms are never downloaded.
 */
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {{ version?: string, optionalDependencies?: Record<string, string>, [field: string]: unknown }} Entry
 * @typedef {{ packages: Record<string, Entry>, [field: string]: unknown }} LockFile
 */

const systems = /(?:^|-)(android|darwin|freebsd|linux|openharmony|win32|windows)(?:-|$)/
const processors = /(?:^|-)(arm64|x64|ia32|ppc64|riscv64|s390x|wasm32|arm)(?:-|$)/

/**
 * Returns the platform packages that a package requires at an exact version and that have no entry of their own.
 * @param {LockFile} lock
 * @returns {Record<string, Entry>} entries by their key
 */
export function missingPlatformPackages(lock) {
  /** @type {Record<string, Entry>} */
  const missing = {}
  for (const { optionalDependencies } of Object.values(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
      const key = `node_modules/${name}`
      const system = systems.exec(name.replace(/^.*\//, ''))?.[1]
      const processor = processors.exec(name.replace(/^.*\//, ''))?.[1]
      if (lock.packages[key] || !system || !processor || !/^\d+\.\d+\.\d+/.test(version)) continue
      const library = /musl/.test(name) ? ['musl'] : /gnu/.test(name) ? ['glibc'] : undefined
      missing[key] = {
        version,
        cpu: [processor],
        ...(system === 'linux' && library && { libc: library }),
        optional: true,
        os: [system === 'windows' ? 'win32' : system],
      }
    }
  }
  return missing
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', 'package-lock.json')
  const lock = /** @type {LockFile} */ (JSON.parse(fs.readFileSync(file, 'utf8')))
  const missing = missingPlatformPackages(lock)
  const packages = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => a.localeCompare(b, 'en'))
  fs.writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`)
  process.stdout.write(`${Object.keys(missing).length} packages of other platforms added\n`)
}
