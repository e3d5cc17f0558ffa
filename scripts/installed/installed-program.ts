import fs from 'node:fs'
import path from 'node:path'

/** Debian keeps servers in a folder that the PATH of a user may lack. */
const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin']

/** Returns the path of a program of this machine, such as `nats-server`; null if it is not installed. */
export function findInstalledProgram(name: string): string | null {
  const places = folders.filter(Boolean).map((folder) => path.join(folder, name))
  return places.find((place) => fs.existsSync(place)) ?? null
}

/** PostgreSQL programs of this machine, for tests on a server other than the embedded one. */
interface InstalledPostgres {
  /** Folder of `initdb` and `postgres`. */
  bin: string
  major: number
}

/** The oldest release that the product supports. */
export const OLDEST_MAJOR = 15

/** Folder in which Debian and Ubuntu keep all major versions. */
const DEBIAN_FOLDER = '/usr/lib/postgresql'

/**
 * Returns the oldest supported version: it differs most from the embedded release, so it reveals most. Null if none is
 * installed. Only the programs are used; an existing cluster is never touched.
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
