import fs from 'node:fs'
import path from 'node:path'

/** Debian keeps servers in a folder that the PATH of a user may lack. */
const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin']

/** Returns the NATS server of this machine, for tests; null if none is installed. */
export function findInstalledNats(): string | null {
  const places = folders.filter(Boolean).map((folder) => path.join(folder, 'nats-server'))
  return places.find((place) => fs.existsSync(place)) ?? null
}
