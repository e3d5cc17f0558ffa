import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'

/** Where the embedded database of a running product takes connections, as postmaster.pid tells it. */
export interface EmbeddedPlace {
  postmaster: number
  socketDir: string
}

const OWNER = 'benchwatch'
const SOCKET_PORT = 5432

/** Reads where the embedded database of this data directory runs. Throws ENOENT when it does not. */
export function embeddedPlace(dataDir: string): EmbeddedPlace {
  const lines = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  return { postmaster: Number(lines[0]), socketDir: lines[4]?.trim() ?? '' }
}

/** A connection string for a database that is reached through a socket. */
export function socketUrl(socketDir: string): string {
  return `postgres://${OWNER}@localhost:${SOCKET_PORT}/${OWNER}?host=${encodeURIComponent(socketDir)}`
}

/** Runs work on one connection of the schema's owner, beside the product. */
export async function withClient<T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString })
  // A connection that breaks between two queries is told of by the next one.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
