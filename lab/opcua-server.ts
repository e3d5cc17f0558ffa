import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ToldProgram } from './faults/script/told-program.ts'
import type { Workplace } from './faults/script/workplace.ts'
import { repositoryRoot } from './repository.ts'

/** Prepares the simulated OPC UA server; `options` are those of its script, read at each start. */
export function opcUaServer(
  workplace: Workplace,
  { name, port, options }: { name: string; port: number; options: () => readonly string[] },
): ToldProgram {
  const folder = join(workplace.folder, name)
  mkdirSync(folder)
  const script = join(repositoryRoot, 'packages/gateway/src/testing/opcua/server.ts')
  return new ToldProgram(workplace, name, () =>
    spawn(process.execPath, [script, '--port', String(port), '--folder', folder, ...options()], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // Ctrl-C at the terminal reaches only the lab, which ends its processes in order.
      detached: true,
    }),
  )
}
