import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The NATS server of this machine; null if none is installed. */
    natsServer: string | null
  }
}

/** A NATS server on this machine, on a port that it keeps when it is started again. */
export interface NatsServer {
  /** host:port */
  address: string
  url: string
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** Starts the server of this machine. `configuration` is text in its own format. */
export async function startNatsServer(configuration = ''): Promise<NatsServer> {
  const program = inject('natsServer')
  if (program === null) throw new Error('This machine has no nats-server.')
  const folder = await mkdtemp(join(tmpdir(), 'benchwatch-nats-'))
  const file = join(folder, 'nats.conf')
  await writeFile(file, configuration)
  let port = -1
  let running: ChildProcess | undefined
  const server = {
    address: '',
    url: '',
    async start() {
      const child = spawn(program, ['-a', '127.0.0.1', '-p', String(port), '-c', file], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      running = child
      await new Promise<void>((ready, failed) => {
        child.once('exit', () => failed(new Error('nats-server did not start.')))
        createInterface({ input: child.stderr }).on('line', (line) => {
          port = Number(/Listening for client connections on .*:(\d+)/.exec(line)?.[1] ?? port)
          if (line.includes('Server is ready')) ready()
        })
      })
      server.address = `127.0.0.1:${port}`
      server.url = `nats://127.0.0.1:${port}`
    },
    async kill() {
      if (running === undefined) return
      const ended = once(running, 'exit')
      running.kill('SIGKILL')
      running = undefined
      await ended
    },
    async close() {
      await server.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}
