import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The view of a user: all customers, one, or sixty. */
export type Viewer = 'all' | 'one' | 'sixty'

/** The names of the views in results. */
export const viewerNames: Record<Viewer, string> = { all: 'all customers', sixty: '60 customers', one: '1 customer' }

/** Facts about generated data, stored beside the database for the measures. */
export interface BenchData {
  events: number
  seed: string
  /** The time of the newest event: the data cover the three years before it. */
  now: string
  password: string
  logins: Record<Viewer | 'admin', string>
  gateways: { name: string; key: string; instruments: string[] }[]
}

const fileIn = (dataDir: string) => join(dataDir, 'bench.json')

/** Tells whether a directory holds completely generated data. */
export function isGenerated(dataDir: string): boolean {
  return existsSync(fileIn(dataDir))
}

/** Throws when the directory holds no generated data. */
export async function readBenchData(dataDir: string): Promise<BenchData> {
  return JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as BenchData
}

/** The file holds keys and a password, so only this user may read it. */
export async function writeBenchData(dataDir: string, data: BenchData): Promise<void> {
  await writeFile(fileIn(dataDir), `${JSON.stringify(data, null, 1)}\n`, { mode: 0o600 })
}
