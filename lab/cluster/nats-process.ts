import { spawn } from 'node:child_process'
import { createConnection } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { findInstalledProgram } from '../../scripts/installed/installed-program.ts'
import { UsageError } from '../arguments.ts'
import { freePort } from '../faults/product/product.ts'
import type { Workplace } from '../faults/script/workplace.ts'

/** Returns true if this machine has a NATS server. */
export function hasNats(): boolean {
  return findInstalledProgram('nats-server') !== null
}

/** Starts a NATS server on the loopback and waits until it accepts connections. Throws UsageError without NATS. */
export async function startNats(workplace: Workplace): Promise<{ url: string; pid: number }> {
  const program = findInstalledProgram('nats-server')
  if (program === null) throw new UsageError('No NATS server is installed. On Debian: apt-get install nats-server')
  const port = await freePort()
  const server = spawn(program, ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore', detached: true })
  workplace.atEnd(() => server.kill())
  await untilOpen(port, 'NATS')
  return { url: `nats://127.0.0.1:${port}`, pid: server.pid ?? 0 }
}

/** Waits until something accepts connections on a port of the loopback. Throws after ten seconds. */
export async function untilOpen(port: number, name: string): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 50) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = createConnection({ host: '127.0.0.1', port })
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isOpen) return
    await pause(50)
  }
  throw new Error(`${name} did not accept connections within ten seconds.`)
}
