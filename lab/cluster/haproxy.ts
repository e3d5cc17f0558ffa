import { spawn } from 'node:child_process'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { findInstalledProgram } from '../../scripts/installed/installed-program.ts'
import { UsageError } from '../arguments.ts'
import type { Workplace } from '../faults/script/workplace.ts'
import { repositoryRoot } from '../repository.ts'
import { untilOpen } from './nats-process.ts'

/** The names of the servers in deploy/haproxy/haproxy.cfg. */
const NAMES = ['one', 'two', 'three', 'four'] as const

/** HAProxy with the configuration that operators use, in front of four servers on the loopback. */
export class Haproxy {
  readonly url: string
  readonly pid: number
  readonly #adminSocket: string

  private constructor({ port, pid, adminSocket }: { port: number; pid: number; adminSocket: string }) {
    this.url = `http://127.0.0.1:${port}`
    this.pid = pid
    this.#adminSocket = adminSocket
  }

  /** Throws UsageError if HAProxy is not installed. `servers` are the addresses of four servers. */
  static async start(
    workplace: Workplace,
    { port, servers }: { port: number; servers: readonly string[] },
  ): Promise<Haproxy> {
    const adminSocket = join(workplace.folder, 'haproxy.sock')
    const addresses = Object.fromEntries(servers.map((url, at) => [`SERVER_${at + 1}`, new URL(url).host]))
    const child = spawn(installedHaproxy(), ['-db', '-f', join(repositoryRoot, 'deploy/haproxy/haproxy.cfg')], {
      env: { ...addresses, LISTEN: `127.0.0.1:${port}`, ADMIN_SOCKET: adminSocket },
      stdio: ['ignore', 'ignore', 'pipe'],
      // Ctrl-C at the terminal reaches only this program, which ends its processes in order.
      detached: true,
    })
    workplace.atEnd(() => child.kill())
    const said = text(child.stderr)
    const ended = new Promise<never>((_, reject) => {
      child.once('exit', (code) => {
        void said.then((words) => reject(new Error(`HAProxy ended with ${code}:\n${words}`)))
      })
    })
    ended.catch(() => undefined)
    await Promise.race([untilOpen(port, 'HAProxy'), ended])
    return new Haproxy({ port, pid: child.pid ?? 0, adminSocket })
  }

  /** Sends no new requests to a server; open connections stay. */
  drain(server: number): Promise<string> {
    return this.#command(`set server benchwatch/${NAMES[server]} state drain`)
  }

  /** Sends requests to a drained server again, and waits until HAProxy has found it ready. */
  async resume(server: number): Promise<void> {
    await this.#command(`set server benchwatch/${NAMES[server]} state ready`)
    await this.#until(server, (status) => status === 'UP')
  }

  /** Waits until HAProxy has noticed that a server does not answer. */
  noticed(server: number): Promise<void> {
    return this.#until(server, (status) => status.startsWith('DOWN'))
  }

  async #until(server: number, isMeant: (status: string) => boolean): Promise<void> {
    for (let waited = 0; waited < 30_000; waited += 50) {
      // proxy,server,…: the status is the 18th field.
      const rows = (await this.#command('show stat')).split('\n').map((line) => line.split(','))
      const row = rows.find(([proxy, name]) => proxy === 'benchwatch' && name === NAMES[server])
      if (isMeant(row?.[17] ?? '')) return
      await pause(50)
    }
    throw new Error(`HAProxy did not see the state of server ${NAMES[server]} change within 30 s.`)
  }

  async #command(command: string): Promise<string> {
    const socket = createConnection(this.#adminSocket)
    socket.write(`${command}\n`)
    return await text(socket)
  }
}

/** Returns the path of HAProxy. Throws UsageError if it is missing, so that nothing else is started in vain. */
export function installedHaproxy(): string {
  const program = findInstalledProgram('haproxy')
  if (program === null) throw new UsageError('HAProxy is not installed. On Debian: apt-get install haproxy')
  return program
}
