import fs from 'node:fs'
import path from 'node:path'

/** PostgreSQL programs of this machine, for tests on a server that is not the embedded one. */
export interface InstalledPostgres {
  /** Folder of `initdb` and `postgres`. */
  bin: string
  major: number
}

/** The oldest release that the product supports. */
export const OLDEST_MAJOR = 15

/** Where Debian and Ubuntu keep each major version, side by side. */
const DEBIAN_FOLDER = '/usr/lib/postgresql'

/**
 * The oldest one that is supported: it is the furthest from the embedded release, so it shows most. Null when none is
 * installed. Its own cluster is never touched, only its programs are used.
 */
export function findInstalledPostgres(folder: string = DEBIAN_FOLDER): InstalledPostgres | null {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : []
  const found = names
    .filter((name) => /^\d+$/.test(name) && Number(name) >= OLDEST_MAJOR)
    .map((name) => ({ bin: path.join(folder, name, 'bin'), major: Number(name) }))
    .filter(({ bin }) => ['initdb', 'postgres'].every((program) => fs.existsSync(path.join(bin, program))))
    .sort((a, b) => a.major - b.major)
  return found[0] ?? null
}
