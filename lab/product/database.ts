import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, types } from 'pg'

// Ids stay far below 2^53.
types.setTypeParser(types.builtins.INT8, Number)

/**
 * Connects to the embedded database of a running product, as its owner. It is found as commands find it: the
 * postmaster's file in the data directory names the folder of the socket. The caller ends the connection.
 */
export async function connectBeside(dataDir: string): Promise<Client> {
  // pid, directory, start time, port, socket directory, …
  const lines = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  const client = new Client({
    host: (lines[4] ?? '').trim(),
    port: Number(lines[3]),
    user: 'benchwatch',
    database: 'benchwatch',
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}
