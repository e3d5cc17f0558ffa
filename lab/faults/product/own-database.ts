import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'

/** The address of the embedded database of a running product, read from postmaster.pid. */
interface EmbeddedPlace {
  postmaster: number
  socketDir: string
}

const OWNER = 'benchwatch'
const SOCKET_PORT = 5432

/** Reads where the embedded database of this data directory listens. Throws ENOENT when it is not running. */
export function embeddedPlace(dataDir: string): EmbeddedPlace {
  const lines = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  return { postmaster: Number(lines[0]), socketDir: lines[4]?.trim() ?? '' }
}

/** Returns the connection string of a database that listens on a socket. */
export function socketUrl(socketDir: string): string {
  return `postgres://${OWNER}@localhost:${SOCKET_PORT}/${OWNER}?host=${encodeURIComponent(socketDir)}`
}

/** Runs work on one connection of the schema's owner, beside the product. */
export async function withClient<T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString })
  // A connection that breaks between two queries fails the next one.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
