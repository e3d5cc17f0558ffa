import fs from 'node:fs'
import path from 'node:path'

/** Debian keeps servers in a folder that the PATH of a user may lack. */
const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin']

/** Returns the path of a program of this machine, such as `nats-server`; null if it is not installed. */
export function findInstalledProgram(name: string): string | null {
  const places = folders.filter(Boolean).map((folder) => path.join(folder, name))
  return places.find((place) => fs.existsSync(place)) ?? null
}
