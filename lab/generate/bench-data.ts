import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Who measures: everybody, one customer, sixty customers. */
export type Viewer = 'all' | 'one' | 'sixty'

/** How results name them. */
export const viewerNames: Record<Viewer, string> = { all: 'all customers', sixty: '60 customers', one: '1 customer' }

/** What `bench:generate` notes beside the database, for those who measure on it. */
export interface BenchData {
  events: number
  seed: string
  /** When the newest event was made: the data are three years up to here. */
  now: string
  password: string
  logins: Record<Viewer | 'admin', string>
  gateways: { name: string; key: string; instruments: string[] }[]
}

const fileIn = (dataDir: string) => join(dataDir, 'bench.json')

/** Whether a directory holds data of `bench:generate`, wholly made. */
export function isGenerated(dataDir: string): boolean {
  return existsSync(fileIn(dataDir))
}

/** Throws when the directory was not made by `bench:generate`. */
export async function readBenchData(dataDir: string): Promise<BenchData> {
  return JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as BenchData
}

/** It holds keys and a password, so it is for this user alone. */
export async function writeBenchData(dataDir: string, data: BenchData): Promise<void> {
  await writeFile(fileIn(dataDir), `${JSON.stringify(data, null, 1)}\n`, { mode: 0o600 })
}
