import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { ConnectionTarget } from '../db/connect.ts'

export interface RunInput {
  input?: string
  env: Record<string, string>
}

/** Runs an operator's command (`admin-create` for cli/admin-create.ts) as npm starts it, in a separate process. */
export async function runCommandLine(
  command: string,
  args: readonly string[],
  { input = '', env }: RunInput,
): Promise<{ code: number | null; out: string; err: string }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const program = fileURLToPath(new URL(`../cli/${command}.ts`, import.meta.url))
  const child = spawn(process.execPath, [program, ...args], { env: { PATH, NODE_COMPILE_CACHE, ...env } })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, out, err }
}

/** Returns a database as a URL for DATABASE_URL. */
export function urlOf({ connectionString, host, port, user, database }: ConnectionTarget): string {
  return connectionString ?? `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? '')}`
}
