import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Returns a port of this machine that no one listens to. It is below those that the system gives out, so that no other
 * server or connection gets it before it is used, or between two lives of a server.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000)
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
  })
  if (!isFree) return freePort()
  await new Promise((resolve) => server.close(resolve))
  return port
}
