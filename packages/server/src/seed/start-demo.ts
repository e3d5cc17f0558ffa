import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type ConnectionTarget, type Db, OperatorError } from '../db/connect.ts'
import type { MailBrand } from '../features/messages/mail-frame.ts'
import { isEmpty } from './demo-fixture.store.ts'

/** Input of the process that creates the demo data, as JSON. */
export interface DemoOrder {
  connection: ConnectionTarget
  dataDir: string
  /** ISO 8601. */
  now: string
  logLevel: string
  brand: MailBrand
}

/** Limits the heap: otherwise garbage would grow to twice the size of the data, which is long-lived. */
const flags = ['--max-old-space-size=256']
const program = fileURLToPath(new URL('./seed-process.ts', import.meta.url))

/**
 * Fills an empty database with the demo data of `seedDemo`, in a separate process that ends with this one. Throws
 * OperatorError if that fails; the database is empty then.
 *
 * A separate process, because a process rarely returns memory to the system. After a first start the idle server has
 * 454 MB if it creates the data itself, and 266 MB with a thread; with a process, as little as after a later start.
 */
export async function startDemo(db: Db, order: DemoOrder): Promise<void> {
  if (!(await isEmpty(db))) return
  const child = spawn(process.execPath, [...flags, program], { stdio: ['pipe', 'inherit', 'inherit'] })
  // The process may be gone already; its exit event reports that.
  child.stdin.on('error', () => undefined)
  // The pipe stays open: its end shows the child that this process is gone.
  child.stdin.write(`${JSON.stringify(order)}\n`)
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (code === 0) return
  throw new OperatorError(
    `The demo data could not be made (${signal ?? `code ${code}`}). None of it was stored: start again, or start empty with DEMO=off.`,
  )
}
