import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, types } from 'pg'

const OWNER = 'benchwatch'
const SOCKET_PORT = 5432

/**
 * Reads where the embedded database of this data directory listens, from postmaster.pid as the commands of the product
 * do. Throws ENOENT when it is not running.
 */
export function embeddedPlace(dataDir: string): { postmaster: number; socketDir: string } {
  // pid, directory, start time, port, socket directory, …
  const lines = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  return { postmaster: Number(lines[0]), socketDir: lines[4]?.trim() ?? '' }
}

/** Returns the connection string of a database that listens on a socket. */
export function socketUrl(socketDir: string): string {
  return `postgres://${OWNER}@localhost:${SOCKET_PORT}/${OWNER}?host=${encodeURIComponent(socketDir)}`
}

/** Runs work on one connection of the schema's owner, beside the product. */
export async function withClient<T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(new Client({ connectionString }))
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Connects to the embedded database of a running product, as its owner. The caller ends the connection. */
export function connectBeside(dataDir: string): Promise<Client> {
  const connectionString = socketUrl(embeddedPlace(dataDir).socketDir)
  return connect(
    new Client({
      connectionString,
      types: {
        // Ids and counts are read as numbers, because they stay far below 2^53.
        getTypeParser: (id, format) =>
          id === types.builtins.INT8 ? Number : (types.getTypeParser(id, format) as unknown),
      },
    }),
  )
}

async function connect(client: Client): Promise<Client> {
  // A connection that breaks between two queries fails the next one.
  client.on('error', () => undefined)
  await client.connect()
  return client
}
