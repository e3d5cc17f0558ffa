import { createServer } from 'node:net'
import { UsageError } from '../arguments.ts'

/** Throws UsageError if something listens to the port, at once instead of after half a minute. */
export async function refuseTakenPort(port: number): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', () => reject(new UsageError(`Port ${port} is in use. Choose another one with --port.`)))
    server.listen(port, '127.0.0.1', resolve)
  })
  await new Promise((resolve) => server.close(resolve))
}
